import type { Identity } from '../access/identity.js';
import type { ResourceType } from '../resources/resource-type.js';

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** A request for a resource, whether it came over HTTP or from the process itself. */
export interface ApiRequest {
  /** Who sends it, after impersonation. */
  readonly identity: Identity;
  readonly verb: Verb;
  readonly type: ResourceType;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  readonly query: URLSearchParams;
  /** Media type of the body, without parameters. */
  readonly contentType: string;
  /** The body as text, in protobuf with one character per byte; empty when there was none. */
  readonly body: string;
  /** The User-Agent header; up to its first slash it names the field manager of writes that name none. */
  readonly userAgent: string;
}

/** The result of a write or a read of one object, in the version that was asked for. */
export interface ObjectResult {
  readonly code: number;
  /** A stored object of the request's type, or a document of another kind (Status, Scale). */
  readonly stored?: import('../json.js').KubeObject;
  readonly document?: import('../json.js').JsonObject;
  readonly warnings: readonly string[];
}
