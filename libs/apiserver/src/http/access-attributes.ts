import type { Verb } from '../pipeline/api-request.js';
import type { Identity } from '../access/identity.js';
import type { PathInfo } from './request-info.js';

/** What a request wants to do, as authorization sees it. */
export interface Attributes {
  readonly identity: Identity;
  readonly method: string;
  readonly verb: Verb;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly resource: Extract<PathInfo, { kind: 'resource' }> | undefined;
}
