import type { ServerContext } from '../pipeline/server-context.js';
import type { StoreEvent } from '../store/store.js';
import type { WatchSession } from './watch-session.js';

/** An open watch with the connection that carries it. */
export interface OpenWatch {
  readonly session: WatchSession;
  readonly user: string | undefined;
  reset(): void;
  stall(): void;
  raw(bytes: Buffer): void;
}

/** Knows all open watches and tells them of the store's events. */
export class WatchHub {
  readonly #open = new Map<string, Set<OpenWatch>>();
  readonly #unsubscribe: (() => void)[];

  constructor(private readonly context: ServerContext) {
    this.#unsubscribe = [
      context.store.subscribe((event) => this.#event(event)),
      context.registry.onChange(() => this.#endOutdated()),
      context.store.onRestore(() => this.all().forEach((watch) => watch.reset())),
    ];
  }

  add(watch: OpenWatch): void {
    const { storage } = watch.session.request.type;
    let watches = this.#open.get(storage);
    if (watches === undefined) {
      watches = new Set();
      this.#open.set(storage, watches);
    }
    watches.add(watch);
  }

  remove(watch: OpenWatch): void {
    const { storage } = watch.session.request.type;
    const watches = this.#open.get(storage);
    watches?.delete(watch);
    // So that the order of resources is that of the watches there are.
    if (watches?.size === 0) this.#open.delete(storage);
  }

  all(): OpenWatch[] {
    return [...this.#open.values()].flatMap((watches) => [...watches]);
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  #event(event: StoreEvent): void {
    const watches = this.#open.get(event.resource);
    for (const watch of watches ?? []) {
      watch.session.event(event)?.catch((error: unknown) => {
        this.context.onInternalError(error);
        watch.reset();
      });
    }
  }

  /** Ends watches of custom resources whose definition says something else now, or is gone. */
  #endOutdated(): void {
    const { registry } = this.context;
    for (const { session } of this.all()) {
      const { type } = session.request;
      if (type.custom === undefined) continue;
      const current = registry.find(type.group, type.version, type.plural);
      if (current?.custom?.epoch !== type.custom.epoch) session.end();
    }
  }
}
