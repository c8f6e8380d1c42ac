import type { KubeObject, ObjectMeta } from '../json.js';
import type { ResourceType } from '../resources/resource-type.js';
import type { Steps } from './steps.js';

/** What stands in `metadata.managedFields`. */
export type ManagedFields = ObjectMeta['managedFields'];

/** The kind that a write is about: that of a resource, or Scale. */
export type ManagedType = Pick<
  ResourceType,
  'group' | 'version' | 'kind' | 'storage' | 'status' | 'schema' | 'custom' | 'toStorage' | 'fromStorage'
>;

/** A create, update or patch other than apply, as field management sees it. */
export interface ManagedWrite {
  readonly type: ManagedType;
  readonly subresource: string | undefined;
  /** The object as it is, in the version of `type`; absent for a create. Not to be changed. */
  readonly live: KubeObject | undefined;
  /** The object as it will be, before webhooks have seen it; its `metadata.managedFields` is set. */
  readonly next: KubeObject;
  readonly manager: string;
}

/** An apply. */
export interface AppliedWrite {
  readonly type: ManagedType;
  readonly subresource: string | undefined;
  readonly live: KubeObject | undefined;
  /** What the client sent. */
  readonly applied: KubeObject;
  readonly manager: string;
  /** Take over what others own. */
  readonly force: boolean;
  /** Why the real server cannot carry this out unless it changes nothing. */
  readonly unconvertible?: string;
}

/** Keeps `metadata.managedFields`. */
export interface FieldManagement {
  /** Called once for each try of a write, before the mutating webhooks, as in the real server. */
  update(write: ManagedWrite): Steps<void>;
  /** Answers the live object with what was applied merged into it. Throws what the client is to be told. */
  apply(write: AppliedWrite): Steps<KubeObject>;
  /** Why managed fields cannot be read; undefined where they can. */
  problemOf(entries: ManagedFields): string | undefined;
  /** Puts the managers' times back where nothing but them would change in the object. */
  keepTimes(next: KubeObject, live: KubeObject): void;
  /** The managed fields of an object's scale. */
  scaleEntries(type: ResourceType, object: KubeObject): ManagedFields;
  /** The managed fields of an object after a write of its scale, which has `entries` then. */
  entriesAfterScale(type: ResourceType, object: KubeObject, entries: ManagedFields): ManagedFields;
}
