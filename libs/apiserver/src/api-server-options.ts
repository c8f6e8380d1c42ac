import type { Clock } from './clock.js';
import type { ApiUser } from './http/authentication.js';
import type { AuthorizationMode } from './http/authorization.js';
import type { JsonObject } from './json.js';
import type { ServerLimits } from './pipeline/server-context.js';
import type { RandomSource } from './random.js';
import type { WebhookOptions } from './webhooks/webhook-targets.js';

/** Options of `startApiServer`. */
export interface ApiServerOptions {
  /** Time for everything the server does: bookmarks, time-outs, timestamps. @defaultValue the machine's clock */
  clock?: Clock;
  /**
   * Minor version of Kubernetes that the server passes for. Others than `1.36` are refused: their answers have not been
   * compared. @defaultValue '1.36'
   */
  kubernetesVersion?: string;
  /** CustomResourceDefinitions to begin with, as objects or YAML text (several documents are fine). */
  crds?: readonly (JsonObject | string)[];
  /** Objects to begin with, as objects or YAML text. Missing namespaces are created. */
  objects?: readonly (JsonObject | string)[];
  /** Accounts with tokens. Without any, every request is let in. */
  users?: readonly ApiUser[];
  /**
   * What accounts may do: `'authenticated'` lets each do everything, `'rbac'` asks the Roles and Bindings in the store.
   * Members of the group `system:masters` may always do everything. @defaultValue 'authenticated'
   */
  authorization?: AuthorizationMode;
  /** Collects objects whose owners are gone. @defaultValue true */
  gc?: boolean;
  /** Empties and removes namespaces that are deleted. @defaultValue true */
  namespaceController?: boolean;
  /** Port on 127.0.0.1. @defaultValue a free one */
  port?: number;
  /** Numbers in [0, 1) for uids, generated names and the length of watches. @defaultValue Math.random */
  random?: RandomSource;
  /** Decides which requests and events faults with a `probability` hit. @defaultValue another one with every start */
  faultSeed?: number;
  /** What stands behind the Services that webhook configurations and definitions name. */
  webhooks?: WebhookOptions;
  /** Sizes beyond which requests are refused. */
  limits?: Partial<ServerLimits>;
  /** Milliseconds between bookmarks of a watch. @defaultValue 60000 */
  bookmarkInterval?: number;
  /** How many events are kept; when more come, the older half is compacted away. @defaultValue 20000 */
  historySize?: number;
  /** Milliseconds that Events live after they were last written. @defaultValue one hour */
  eventTtl?: number;
  /**
   * File that keeps everything beyond the end of the process: objects, revisions, and history since the last compaction.
   * It is made where there is none. A server that finds a state in it goes on from there: `objects` are left out, and
   * `crds` are brought up to date. What a client was told survives the end of the process in whatever way; after the
   * end of the machine the last writes may be missing. @defaultValue none: everything is gone with `close()`
   */
  stateFile?: string;
  /** Called with errors that are bugs of the server. @defaultValue writes them to stderr */
  onInternalError?: (error: unknown) => void;
}
