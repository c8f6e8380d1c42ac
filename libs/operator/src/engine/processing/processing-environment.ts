import type { EngineObserver } from '../engine-observer.js';
import type { EventInput } from '../handling/handler-context.js';
import type { HandlerInvoker } from '../handling/handler-definition.js';
import type { HandlerRunner } from '../handling/handler-runner.js';
import type { ResourceHandler } from '../handling/resource-handler.js';
import type { Indexes } from '../indexing/index-registry.js';
import type { ObjectKey, StoredObject } from '../kube-object.js';
import type { OperatorConfig } from '../operator-config.js';
import type { ExternalRecords } from '../persistence/external-records.js';
import type { RecordKeeper } from '../persistence/record-keeper.js';
import type { Clock, Logger, Random } from '../ports/index.js';
import type { Resource } from '../resource.js';
import type { Essence } from './essence.js';
import type { ObjectSwitches } from './object-switches.js';
import type { ObjectWriter, WriterStore } from './object-writer.js';

/** Posts Kubernetes events. Returns at once and never fails its caller. */
export interface EventSink {
  post(object: StoredObject, event: EventInput): void;
}

/** What the cycles of one resource share. */
export interface ProcessingEnvironment {
  /** `plural.version.group`, for records. */
  readonly name: string;
  readonly resource: () => Resource;
  /** In declaration order. */
  readonly handlers: readonly ResourceHandler[];
  /** What of an object matters to these handlers. */
  readonly essence: (object: StoredObject) => Essence;
  readonly switches: ObjectSwitches;
  readonly config: OperatorConfig;
  readonly store: WriterStore;
  readonly writer: ObjectWriter;
  readonly records: RecordKeeper;
  /** Where records are if they are not on the objects. */
  readonly external: ExternalRecords | undefined;
  readonly indexes: Indexes;
  /** What a cycle of this key has to wait for: indexes that do not show everything yet. `undefined`: nothing. */
  readonly indexed: (key: ObjectKey) => Promise<void> | undefined;
  readonly runner: HandlerRunner;
  readonly invoker: HandlerInvoker;
  readonly events: EventSink;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Ends the requests of cycles when the operator's time is up. */
  readonly signal: AbortSignal;
  /** The operator stops: what runs goes on, nothing new begins. */
  readonly isStopping: () => boolean;
  /** The operator is paused: no cycle begins, and no daemon lives. */
  readonly isPaused: () => boolean;
  readonly observer: EngineObserver;
  readonly enqueue: (key: ObjectKey, delay: number) => void;
  readonly fatal: (error: unknown, origin: string) => void;
}
