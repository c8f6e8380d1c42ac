import type { StoppableTask, TaskSupervisor } from '../supervision/supervised.js';
import type { ObjectStore } from './object-store.js';
import type { Reflector } from './reflector.js';
import type { WatchGuard } from './watch-guard.js';

type Scope = string | undefined;

export interface ScopeWatchesOptions {
  /** How tasks name the resource. */
  readonly name: string;
  readonly store: Pick<ObjectStore, 'forgetScope'>;
  readonly guard: Pick<WatchGuard, 'add'>;
  readonly supervisor: Pick<TaskSupervisor, 'run'>;
  /** Ends all watches with the intake of the operator. */
  readonly intake: AbortSignal;
  readonly create: (scope: Scope) => Reflector;
  readonly fatal: (error: unknown, origin: string) => void;
}

interface Watch {
  readonly reflector: Reflector;
  readonly task: StoppableTask;
  readonly letGo: () => void;
  /** Settles when it is in sync, or is ended before. */
  readonly settled: Promise<void>;
  ending: boolean;
}

/**
 * The watches of one resource, one for each scope. Which scopes there are to be is told again and again; a scope is watched
 * once at a time: one that comes back is watched anew when its former watch has ended.
 */
export class ScopeWatches {
  readonly #options: ScopeWatchesOptions;
  readonly #watches = new Map<Scope, Watch>();
  #wanted: ReadonlySet<Scope> = new Set();
  #emptyWaiters: Array<() => void> = [];

  constructor(options: ScopeWatchesOptions) {
    this.#options = options;
  }

  get reflectors(): readonly Reflector[] {
    return [...this.#watches.values()].map(({ reflector }) => reflector);
  }

  /** The scopes from now on. */
  want(scopes: ReadonlySet<Scope>): void {
    this.#wanted = scopes;
    this.#adjust();
  }

  /** Resolves when all that is watched now is in sync. */
  async synced(): Promise<void> {
    await Promise.all([...this.#watches.values()].map(({ settled }) => settled));
  }

  /** Resolves when nothing is watched, after `want` of nothing. */
  ended(): Promise<void> {
    if (this.#watches.size === 0) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#emptyWaiters.push(resolve);
    return promise;
  }

  #adjust(): void {
    for (const [scope, watch] of this.#watches) if (!this.#wanted.has(scope)) this.#end(scope, watch);
    for (const scope of this.#wanted) if (!this.#watches.has(scope)) this.#begin(scope);
  }

  #begin(scope: Scope): void {
    const { name, create, guard, supervisor, intake } = this.#options;
    if (intake.aborted) return;
    const reflector = create(scope);
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const task = supervisor.run(`watcher of ${name}${scope === undefined ? '' : ` in ${scope}`}`, (signal) =>
      reflector.run(AbortSignal.any([signal, intake])),
    );
    const letGo = guard.add(reflector);
    this.#watches.set(scope, {
      reflector,
      task,
      letGo: () => {
        letGo();
        resolve();
      },
      settled: Promise.race([reflector.synced, ended]),
      ending: false,
    });
  }

  #end(scope: Scope, watch: Watch): void {
    if (watch.ending) return;
    watch.ending = true;
    const { store, fatal, name } = this.#options;
    watch.task
      .stop(new Error('The scope is watched no longer.'))
      .then(() => {
        watch.letGo();
        this.#watches.delete(scope);
        store.forgetScope(scope);
        this.#adjust();
        if (this.#watches.size === 0) for (const resolve of this.#emptyWaiters.splice(0)) resolve();
      })
      .catch((error: unknown) => fatal(error, `watcher of ${name}`));
  }
}
