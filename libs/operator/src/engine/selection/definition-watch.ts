import type { ApiClient } from '../client/api-client.js';
import type { Discovery } from '../client/discovery/discovery.js';
import { unlessAborted, wait } from '../client/wait.js';
import type { EngineObserver } from '../engine-observer.js';
import type { OperatorConfig } from '../operator-config.js';
import type { Clock, Logger, Random } from '../ports/index.js';
import type { Resource } from '../resource.js';
import type { StoppableTask, TaskSupervisor } from '../supervision/supervised.js';
import { ObjectStore } from '../watching/object-store.js';
import { Reflector, type WatchListSupport } from '../watching/reflector.js';
import type { StoreChange } from '../watching/store-change.js';

export interface DefinitionWatchOptions {
  readonly config: OperatorConfig;
  readonly client: ApiClient;
  readonly discovery: Pick<Discovery, 'refresh'>;
  readonly supervisor: Pick<TaskSupervisor, 'run'>;
  readonly watchListSupport: WatchListSupport;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly intake: AbortSignal;
  readonly observer?: EngineObserver;
}

/** What those who wait for kinds are told of changes of definitions. */
export interface DefinitionNews {
  /** Changes are told. Otherwise whoever waits for a kind has to ask discovery, at a pace of its own. */
  readonly following: boolean;
  /** From now on, changes matter. */
  need(): void;
  /** Resolves when discovery was read again because of a change. */
  next(): Promise<void>;
}

const resource: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  singular: 'customresourcedefinition',
  shortNames: ['crd', 'crds'],
  categories: [],
  namespaced: false,
  verbs: ['list', 'watch'],
  subresources: { status: true, scale: false },
};

/** Discovery shows a change of a definition some time after it, and nobody tells when: it is read at once, and after these waits. */
const settling = [0, 250, 750, 2_000, 5_000];

/**
 * Watches CustomResourceDefinitions, their metadata only, from the moment on at which somebody needs it, and has discovery
 * read the groups that change. Where the operator may not watch them, it says so once and stays out of the way.
 */
export class DefinitionWatch implements DefinitionNews {
  readonly #options: DefinitionWatchOptions;
  readonly #logger: Logger;
  #state: 'idle' | 'starting' | 'following' | 'refused' = 'idle';
  readonly #changed = new Set<string>();
  #wake = Promise.withResolvers<void>();
  #news = Promise.withResolvers<void>();

  constructor(options: DefinitionWatchOptions) {
    this.#options = options;
    this.#logger = options.logger;
  }

  get following(): boolean {
    return this.#state === 'following';
  }

  next(): Promise<void> {
    return this.#news.promise;
  }

  need(): void {
    const { supervisor, intake } = this.#options;
    if (this.#state !== 'idle' || intake.aborted) return;
    this.#state = 'starting';
    const reflector = this.#reflector();
    const ended = new AbortController();
    const tasks: StoppableTask[] = [
      supervisor.run('watcher of definitions', (signal) => reflector.run(AbortSignal.any([signal, intake]))),
      supervisor.run('discovery of changes', (signal) => this.#follow(AbortSignal.any([signal, intake]))),
    ];
    reflector.onHealthChange(() => {
      const { state, cause, synced } = reflector.health;
      if (synced && this.#state === 'starting') {
        this.#state = 'following';
        // What changed before the watch began.
        this.#change('');
      }
      if (ended.signal.aborted || (state !== 'kind-gone' && cause?.kind !== 'refused')) return;
      ended.abort();
      this.#refuse(cause?.message, tasks);
    });
  }

  #refuse(cause: string | undefined, tasks: readonly StoppableTask[]): void {
    this.#state = 'refused';
    this.#logger.log('info', 'Definitions may not be watched: discovery is asked from time to time instead', { cause });
    for (const task of tasks) {
      // The supervisor tells of failures; this never rejects.
      task.stop(new Error('Definitions are not watched.')).catch(() => undefined);
    }
    // Those who wait for news go over to asking.
    this.#tell();
  }

  #reflector(): Reflector {
    const { config, logger } = this.#options;
    const watching = { ...config.watching, keepManagedFields: false, transform: undefined };
    const onChange = (change: StoreChange): void => {
      if (change.type === 'recognized' || change.type === 'doubted' || ('initial' in change && change.initial)) return;
      // The name of a definition is plural.group.
      this.#change(change.key.slice(change.key.indexOf('.') + 1));
    };
    return new Reflector({
      ...this.#options,
      resource,
      metadataOnly: true,
      namespace: undefined,
      store: new ObjectStore({ resource, config: watching, logger, onChange }),
      config: watching,
      resolveKind: () => Promise.resolve('gone'),
    });
  }

  /** The empty text: all groups. */
  #change(group: string): void {
    this.#changed.add(group);
    this.#wake.resolve();
  }

  /** The task: a change reads the groups concerned again, several times, as discovery lags behind. */
  async #follow(signal: AbortSignal): Promise<void> {
    const unsettled = new Set<string>();
    for (let step = settling.length; ; step += 1) {
      const pause = settling[step];
      if (pause === undefined) unsettled.clear();
      if (this.#changed.size === 0) await this.#changeWithin(pause, signal);
      if (this.#changed.size > 0) {
        for (const group of this.#changed) unsettled.add(group);
        this.#changed.clear();
        step = 0;
      }
      await this.#read(unsettled, signal);
      this.#tell();
    }
  }

  /** Until a change, or until the time is over. */
  async #changeWithin(time: number | undefined, signal: AbortSignal): Promise<void> {
    this.#wake = Promise.withResolvers<void>();
    if (time === undefined) return unlessAborted(this.#wake.promise, signal);
    const over = new AbortController();
    const passed = wait(this.#options.clock, time, AbortSignal.any([signal, over.signal]));
    try {
      await Promise.race([passed, this.#wake.promise]);
    } finally {
      over.abort(new Error('Another definition has changed.'));
    }
  }

  async #read(groups: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    const { discovery } = this.#options;
    try {
      if (groups.has('')) await discovery.refresh(undefined, signal);
      else for (const group of groups) await discovery.refresh(group, signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#logger.log('debug', 'Discovery could not be read after a change of definitions', {}, error);
    }
  }

  #tell(): void {
    const told = this.#news;
    this.#news = Promise.withResolvers<void>();
    told.resolve();
  }
}
