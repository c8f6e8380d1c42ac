import type { ApiClient } from './client/api-client.js';
import type { EngineObserver } from './engine-observer.js';
import type { ActivityDefinition, HandlerDefinition, HandlerInvoker } from './handling/handler-definition.js';
import type { OperatorDescription } from './description/operator-description.js';
import type { HealthRoutes } from './health/health-routes.js';
import type { OperatorHealth } from './health/operator-health.js';
import type { IndexRegistry } from './indexing/index-registry.js';
import type { ElectionConfig } from './leaderelection/election-config.js';
import type { OperatorConfig } from './operator-config.js';
import type { OperatorStatus } from './operator-status.js';
import type { Clock, ExitPort, Logger, Random } from './ports/index.js';
import type { StopWatchdog, SupervisorStopOptions } from './supervision/supervisor.js';
import type { TerminationLog } from './supervision/termination-log.js';

export type { OperatorStatus, WatchStatus } from './operator-status.js';

/** Everything the engine is built from. */
export interface EngineOptions {
  readonly config: OperatorConfig;
  readonly handlers: readonly HandlerDefinition[];
  readonly activities: readonly ActivityDefinition[];
  readonly invoker: HandlerInvoker;
  /** What `@ObjectIndex` methods fill. */
  readonly indexes: IndexRegistry;
  /** Made by `createApiClient`, and closed by whoever made it, once the application is closed. */
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly exit: ExitPort;
  readonly logger: Logger;
  /** Step 7 of the stopping sequence. */
  readonly closeApp: () => Promise<void>;
  readonly terminationLog?: TerminationLog;
  /** Ends the process when the event loop is blocked past the deadline of a stop. */
  readonly watchdog?: StopWatchdog;
  /** Is told what happens. It must not throw: an `ObserverHub` sees to that, and combines several. */
  readonly observer?: EngineObserver;
  /** `undefined`: there is no election, and this process works alone. */
  readonly election?: ElectionConfig;
  /** What is served beside health, where health is served. */
  readonly routes?: HealthRoutes;
}

/** The engine as the Nest side sees it (`engine/operator-engine.ts`). */
export interface Engine {
  /**
   * Runs the start-up handlers, then starts to look up and watch the resources in the background. Resolves when the start-up
   * handlers have succeeded. Rejects when the start fails; the stopping sequence has then run. Idempotent.
   */
  start(): Promise<void>;
  /** The clean stopping sequence. Resolves at its end; idempotent, callable in any state. `app`: whether to close the application as step 7. */
  stop(options?: SupervisorStopOptions): Promise<void>;
  /**
   * No cycle begins and no daemon lives until {@link resume}; watches, stores and indexes go on. Resolves when what ran has
   * ended, or after `shutdown.drain`. Idempotent, callable in any state.
   */
  pause(): Promise<void>;
  /** Goes on with what has come up meanwhile. Idempotent, callable in any state. */
  resume(): void;
  /** Reports an unrecoverable error. Returns at once. */
  fatal(error: unknown, origin?: string): void;
  getStatus(): OperatorStatus;
  /** What it watches, handles and may do, by what is known now. */
  describe(): OperatorDescription;
  /** Calls the application's probes, unless the operator stops. Never rejects. */
  getHealth(): Promise<OperatorHealth>;
  /** Where health is served. `undefined`: nowhere, or not now. */
  readonly healthPort: number | undefined;
  /**
   * Resolves when every watch is synced and each object of the first lists has had its first cycle begun. Where another
   * replica leads: when every watch is synced, or, without warm standby, as soon as that is known.
   */
  whenSynced(): Promise<void>;
  /** Resolves after a clean stop, rejects with the cause chain after a failure. Never becomes an unhandled rejection. */
  readonly done: Promise<void>;
}
