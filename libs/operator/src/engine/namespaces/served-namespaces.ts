import type { ApiClient } from '../client/api-client.js';
import type { EngineObserver } from '../engine-observer.js';
import type { OperatorConfig } from '../operator-config.js';
import type { Clock, Logger, Random } from '../ports/index.js';
import type { Resource } from '../resource.js';
import type { TaskSupervisor } from '../supervision/supervised.js';
import { ObjectStore } from '../watching/object-store.js';
import { Reflector, type WatchListSupport } from '../watching/reflector.js';
import type { WatchGuard } from '../watching/watch-guard.js';
import { NamespacePatterns } from './namespace-patterns.js';

export interface ServedNamespacesOptions {
  readonly config: OperatorConfig;
  readonly client: ApiClient;
  readonly watchListSupport: WatchListSupport;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly intake: AbortSignal;
  readonly observer?: EngineObserver;
}

const resource: Resource = {
  group: '',
  version: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  singular: 'namespace',
  shortNames: ['ns'],
  categories: [],
  namespaced: false,
  verbs: ['list', 'watch'],
  subresources: { status: true, scale: false },
};

/**
 * The namespaces that the operator serves: all at once, those that are listed, or those there are that fit patterns. Only
 * these last need a watch of namespaces. One that is being deleted is served until it is gone.
 */
export class ServedNamespaces {
  /** The watch of namespaces, where there is one. */
  readonly reflector: Reflector | undefined;
  readonly #options: ServedNamespacesOptions;
  readonly #patterns: NamespacePatterns | undefined;
  readonly #present = new Set<string>();
  readonly #listeners = new Set<() => void>();

  constructor(options: ServedNamespacesOptions) {
    this.#options = options;
    const { namespaces } = options.config;
    this.#patterns = namespaces === undefined ? undefined : new NamespacePatterns(namespaces);
    if (this.#patterns !== undefined && this.#patterns.names === undefined) this.reflector = this.#watch();
  }

  /** The scopes of the watches of a resource: namespaces, or `undefined` for one watch over everything. */
  scopesOf({ namespaced }: Resource): ReadonlySet<string | undefined> {
    if (!namespaced || this.#patterns === undefined) return new Set([undefined]);
    return new Set(this.#patterns.names ?? this.#present);
  }

  /** Nothing has to be looked for first, or it has been found. */
  get known(): boolean {
    return this.reflector?.health.synced ?? true;
  }

  /** The namespaces that patterns lead to now; `undefined` where there are no patterns, or nothing is known yet. */
  get matching(): readonly string[] | undefined {
    return this.reflector !== undefined && this.known ? [...this.#present] : undefined;
  }

  /** Resolves when the namespaces are known. */
  get synced(): Promise<void> {
    return this.reflector?.synced ?? Promise.resolve();
  }

  /** Calls the listener when namespaces come or go. Returns what ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  start(supervisor: TaskSupervisor, guard: WatchGuard): void {
    const { reflector } = this;
    if (reflector === undefined) return;
    guard.add(reflector);
    supervisor.run('watcher of namespaces', (signal) => reflector.run(AbortSignal.any([signal, this.#options.intake])));
  }

  #watch(): Reflector {
    const { config, logger } = this.#options;
    const watching = { ...config.watching, keepManagedFields: false, transform: undefined };
    const store = new ObjectStore({
      resource,
      config: watching,
      logger,
      onChange: ({ type, key }) => {
        if (this.#patterns?.matches(key) !== true) return;
        if (type === 'removed') this.#tell(key, this.#present.delete(key), 'Namespace is gone and no longer served');
        else if (type === 'added') {
          const isNew = !this.#present.has(key);
          this.#present.add(key);
          this.#tell(key, isNew, 'Namespace is served');
        }
      },
    });
    return new Reflector({
      ...this.#options,
      resource,
      namespace: undefined,
      store,
      config: watching,
      // It is part of every server.
      resolveKind: () => Promise.resolve('served'),
    });
  }

  #tell(namespace: string, changed: boolean, message: string): void {
    if (!changed) return;
    this.#options.logger.log('info', message, { namespace });
    for (const listener of this.#listeners) listener();
  }
}
