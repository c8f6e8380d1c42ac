import type { IncomingHttpHeaders } from 'node:http';
import type { Activity } from '../activity.js';
import type { FaultSet } from '../faults/fault-set.js';
import type { ServerContext } from '../pipeline/server-context.js';
import type { RequestLog } from '../request-log.js';
import type { WatchFrames } from '../watching/watch-frames.js';
import type { WatchHub } from '../watching/watch-hub.js';
import type { Authentication } from './authentication.js';
import type { Impersonation } from './impersonation.js';
import type { Rendering } from './rendering.js';

/** A document that is not about a resource: discovery, OpenAPI, health, version. */
export interface DocumentAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly headers: Record<string, string>;
}

/** Everything that an exchange needs from the server. */
export interface ServerParts {
  readonly context: ServerContext;
  readonly activity: Activity;
  readonly requests: RequestLog;
  readonly faults: FaultSet;
  readonly authentication: Authentication;
  readonly impersonation: Impersonation;
  /** Names the flow schema and the priority level of every request; there is one of each. */
  readonly flowControlHeaders: Readonly<Record<string, string>>;
  readonly rendering: Rendering;
  readonly frames: WatchFrames;
  readonly hub: WatchHub;
  readonly bookmarkInterval: number;
  readonly documents: (url: URL, headers: IncomingHttpHeaders) => DocumentAnswer | undefined;
  readonly nextId: () => number;
  readonly auditId: () => string;
  readonly onInternalError: (error: unknown) => void;
}
