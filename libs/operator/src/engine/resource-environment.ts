import type { ApiClient } from './client/api-client.js';
import type { EngineObserver } from './engine-observer.js';
import type { HandlerDefinition, HandlerInvoker } from './handling/handler-definition.js';
import type { HandlerRunner } from './handling/handler-runner.js';
import type { IndexRegistry } from './indexing/index-registry.js';
import type { WritePermit } from './leaderelection/write-permit.js';
import type { OperatorConfig } from './operator-config.js';
import type { Clock, Logger, Random } from './ports/index.js';
import { ResourceHandler } from './handling/resource-handler.js';
import { pathText, type FieldPath } from './json/field-path.js';
import type { ObjectKey, StoredObject } from './kube-object.js';
import { ExternalRecords } from './persistence/external-records.js';
import { KopfState, type KopfHandler } from './persistence/kopf-state.js';
import { RecordKeeper } from './persistence/record-keeper.js';
import type { RecordPlace } from './persistence/record-store.js';
import { essenceOf, isEssential, type Essence } from './processing/essence.js';
import { ObjectSwitches } from './processing/object-switches.js';
import { ObjectWriter } from './processing/object-writer.js';
import type { EventSink, ProcessingEnvironment } from './processing/processing-environment.js';
import { apiVersionOf, type Resource } from './resource.js';
import type { ObjectStore } from './watching/object-store.js';

export interface ResourceEnvironmentOptions {
  readonly resource: Resource;
  /** In declaration order. */
  readonly handlers: readonly HandlerDefinition[];
  readonly indexes: IndexRegistry;
  /** What no cycle of the operator begins before; `undefined` when it is over. */
  readonly indexesComplete: () => Promise<void> | undefined;
  /** What writes need. */
  readonly permit: WritePermit | undefined;
  readonly config: OperatorConfig;
  readonly client: ApiClient;
  readonly invoker: HandlerInvoker;
  readonly runner: HandlerRunner;
  readonly events: EventSink;
  readonly observer: EngineObserver;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Ends the requests of cycles when the operator's time is up. */
  readonly signal: AbortSignal;
  readonly fatal: (error: unknown, origin: string) => void;
}

/** What of its controller an environment is made of. */
export interface EnvironmentParts {
  readonly name: string;
  readonly store: ObjectStore;
  readonly resource: () => Resource;
  readonly refreshResource: (signal: AbortSignal) => Promise<unknown>;
  readonly indexed: (key: ObjectKey) => Promise<void> | undefined;
  readonly isStopping: () => boolean;
  readonly isPaused: () => boolean;
  readonly enqueue: (key: ObjectKey, delay: number) => void;
}

/** What the cycles of one resource work with. */
export function resourceEnvironment(
  options: ResourceEnvironmentOptions,
  parts: EnvironmentParts,
): ProcessingEnvironment {
  const { config, resource, client, runner, invoker, events, clock, random, logger, signal, fatal } = options;
  const { name, store: objects } = parts;
  const handlers = options.handlers.map((definition) => new ResourceHandler(definition));
  const tracking = handlers.filter((handler) => handler.tracksState || handler.deleting.length > 0);
  const watched = distinct(handlers.flatMap((handler) => handler.watched).filter((path) => path.length > 0));
  const watchedPaths = watched.filter((path) => !isEssential(path));
  const switches = new ObjectSwitches(config);
  const [store, ...others] = new Set(handlers.flatMap(({ definition }) => definition.store ?? []));
  // Most are refused before the start; names that lead to one resource only on this server are not.
  if (others.length > 0) {
    const fields = { resource: name, store, others };
    logger.log('warn', 'Handler classes of one resource name different record stores; the first counts', fields);
  }
  const home = store ?? config.persistence.store;
  const own = config.persistence.stores[home];
  const external =
    own === undefined
      ? undefined
      : new ExternalRecords({
          store: own,
          operator: config.name,
          resource,
          clock,
          timeout: config.client.timeout,
          permit: options.permit,
        });
  const essence = (object: StoredObject): Essence => essenceOf(object, watchedPaths, switches.annotations);
  const { kopf: names } = config.persistence;
  const apiVersion = apiVersionOf(resource);
  const kopf = names && new KopfState({ names, apiVersion, essence, handlers: tracking.map(kopfHandler) });
  return {
    name,
    resource: parts.resource,
    handlers,
    essence,
    switches,
    config,
    store: objects,
    writer: new ObjectWriter({
      client,
      store: objects,
      fieldManager: config.name,
      logger: logger.child('Writer', { resource: name }),
      resource: parts.resource,
      refreshResource: async () => {
        await parts.refreshResource(signal);
      },
    }),
    external,
    records: new RecordKeeper({
      kopf,
      home: external ?? (home as RecordPlace),
      operator: config.name,
      formerNames: config.formerNames,
      resource,
      handlers: tracking.map(({ id }) => id),
      watched,
      formerIds: new Map(
        tracking.flatMap(({ id, definition }) => (definition.formerIds ?? []).map((former) => [former, id] as const)),
      ),
    }),
    indexes: options.indexes,
    indexed: (key) => options.indexesComplete() ?? parts.indexed(key),
    runner,
    invoker,
    events,
    clock,
    random,
    logger: logger.child('Worker'),
    signal,
    isStopping: parts.isStopping,
    isPaused: parts.isPaused,
    observer: options.observer,
    enqueue: parts.enqueue,
    fatal,
  };
}

function distinct(paths: readonly FieldPath[]): FieldPath[] {
  return [...new Map(paths.map((path) => [pathText(path), path])).values()];
}

/** Kopf's ids are the names of functions, with the field after them where there is one. */
function kopfHandler({ id, definition, updating }: ResourceHandler): KopfHandler {
  const fields = updating.flatMap(({ filter }) => (filter.field === undefined ? [] : [filter.field.join('.')]));
  const ids = [id, ...(definition.formerIds ?? [])];
  return { id, kopfIds: ids.flatMap((each) => [each, ...fields.map((field) => `${each}/${field}`)]) };
}
