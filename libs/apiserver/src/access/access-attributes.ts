import type { Identity } from './identity.js';

/** The resource that a request is about, as authorization sees it. */
export interface ResourceAttributes {
  readonly group: string;
  readonly plural: string;
  readonly subresource: string | undefined;
  readonly namespace: string | undefined;
  /** Also where a list or a watch selects one name. */
  readonly name: string | undefined;
}

/** What somebody wants to do. */
export interface AccessAttributes {
  readonly identity: Identity;
  /** As rules name it, such as `list` or `impersonate`; for a path the method in small letters. */
  readonly verb: string;
  readonly resource: ResourceAttributes | undefined;
  /** What counts where there is no resource. */
  readonly path: string;
}
