import type { KubeObject } from '../json.js';
import type { ResourceType } from '../resources/resource-type.js';

/** A create, update or patch other than apply, as field management sees it. */
export interface ManagedWrite {
  readonly type: ResourceType;
  readonly subresource: string | undefined;
  /** The object as it is, in the version of `type`; absent for a create. Not to be changed. */
  readonly live: KubeObject | undefined;
  /** The object as it will be, before webhooks have seen it; its `metadata.managedFields` may be set. */
  readonly next: KubeObject;
  /** The fieldManager parameter, or else the User-Agent up to its first slash. */
  readonly manager: string;
}

/** Keeps `metadata.managedFields`. */
export interface FieldManagement {
  /** Called once for each try of a write, before the mutating webhooks, as in the real server. */
  update(write: ManagedWrite): void;
}
