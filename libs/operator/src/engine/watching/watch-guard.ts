import { SyncTimeoutError } from '../../errors/sync-timeout.error.js';
import { WatchesRefusedError } from '../../errors/watches-refused.error.js';
import type { OperatorConfig } from '../operator-config.js';
import type { Clock, Timer } from '../ports/index.js';
import { partialName } from '../resource.js';
import type { ResourceName } from '../resource.js';
import { missingForWatch } from './missing-for-watch.js';
import type { WatchHealth } from './watch-health.js';

/** What the guard sees of a watch. A reflector is one; a resource that discovery has not found yet can be shown as `kind-gone`. */
export interface GuardedWatch {
  readonly resource: ResourceName;
  readonly namespace: string | undefined;
  readonly health: WatchHealth;
  onHealthChange(listener: () => void): () => void;
}

export interface WatchGuardOptions {
  readonly config: Pick<OperatorConfig['watching'], 'syncTimeout' | 'failAfter' | 'onForbidden' | 'missingKind'>;
  readonly clock: Clock;
}

interface Guarded {
  readonly watch: GuardedWatch;
  readonly unsubscribe: () => void;
  /** Since when it is expected to sync, monotonic. `undefined` while it may wait for its kind. */
  expectedSince: number | undefined;
}

/**
 * Judges all watches of the operator together: a watch alone cannot tell whether its trouble is the operator's end.
 *
 * - A resource of which not one watch has reached its first sync within `syncTimeout` is unrecoverable. With
 *   `missingKind: 'wait'`, time in which its kind is not served does not count.
 * - After a first sync, `failAfter` without any watch in sync, because the server refuses all of them, is unrecoverable. Time
 *   in which something else keeps one of them out of sync does not count. With `onForbidden: 'exit'`, one refused watch that
 *   was in sync before is enough, at once.
 */
export class WatchGuard {
  private readonly guarded = new Set<Guarded>();
  private timer: Timer | undefined;
  private fail: ((error: Error) => void) | undefined;
  /** Milliseconds for which all watches were refused, since one of them was in sync. */
  private refusedFor = 0;
  /** Since when all are refused without a break, monotonic. */
  private refusedSince: number | undefined;

  constructor(private readonly options: WatchGuardOptions) {}

  /** Takes a watch under guard. Its `syncTimeout` runs from here, or from the start of {@link run}. Returns what lets go of it. */
  add(watch: GuardedWatch): () => void {
    const guarded: Guarded = {
      watch,
      expectedSince: this.options.clock.monotonic(),
      unsubscribe: watch.onHealthChange(() => this.assess()),
    };
    this.guarded.add(guarded);
    this.assess();
    return () => {
      guarded.unsubscribe();
      this.guarded.delete(guarded);
      this.assess();
    };
  }

  /**
   * Resolves when the signal is aborted.
   *
   * @throws SyncTimeoutError
   * @throws WatchesRefusedError
   */
  run(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        signal.removeEventListener('abort', stop);
        this.fail = undefined;
        this.timer?.cancel();
        this.timer = undefined;
        for (const { unsubscribe } of this.guarded) unsubscribe();
      };
      const stop = (): void => {
        end();
        resolve();
      };
      if (signal.aborted) {
        stop();
        return;
      }
      signal.addEventListener('abort', stop, { once: true });
      this.fail = (error) => {
        end();
        reject(error);
      };
      const now = this.options.clock.monotonic();
      for (const guarded of this.guarded) guarded.expectedSince = now;
      this.assess();
    });
  }

  private assess(): void {
    if (this.fail === undefined) return;
    const now = this.options.clock.monotonic();
    this.noteExpected(now);
    const failure = this.forbidden() ?? this.refused(now) ?? this.late(now);
    if (failure !== undefined) {
      this.fail(failure);
      return;
    }
    this.arm(now);
  }

  /** A watch is expected to sync from the moment on at which its kind is there. */
  private noteExpected(now: number): void {
    for (const guarded of this.guarded) {
      const waits = this.options.config.missingKind === 'wait' && guarded.watch.health.state === 'kind-gone';
      if (waits) guarded.expectedSince = undefined;
      else guarded.expectedSince ??= now;
    }
  }

  private forbidden(): Error | undefined {
    if (this.options.config.onForbidden !== 'exit') return undefined;
    const refused = this.watches().filter((watch) => watch.health.synced && isRefused(watch.health));
    if (refused.length === 0) return undefined;
    return new WatchesRefusedError("Watches are refused, and watching.onForbidden is 'exit'", refused.map(describe));
  }

  private refused(now: number): Error | undefined {
    const watches = this.watches().filter(({ health }) => isActive(health));
    if (this.refusedSince !== undefined) {
      this.refusedFor += now - this.refusedSince;
      this.refusedSince = undefined;
    }
    if (watches.some(({ health }) => health.state === 'watching')) this.refusedFor = 0;
    const wasInSync = this.watches().some(({ health }) => health.synced);
    if (!wasInSync || watches.length === 0 || !watches.every(({ health }) => isRefused(health))) return undefined;
    this.refusedSince = now;
    const { failAfter } = this.options.config;
    if (this.refusedFor < failAfter) return undefined;
    const how = `No watch was in sync for ${failAfter / 1_000} s (watching.failAfter), because all are refused`;
    return new WatchesRefusedError(how, watches.map(describe));
  }

  private late(now: number): Error | undefined {
    const late: GuardedWatch[] = [];
    for (const group of this.unsynced().values()) {
      if (group.some(({ since }) => now - since >= this.options.config.syncTimeout)) {
        late.push(...group.map(({ watch }) => watch));
      }
    }
    if (late.length === 0) return undefined;
    const rows = late.map(({ resource, namespace, health }) => ({
      resource: partialName(resource),
      namespace,
      verb: health.lastVerb,
      status: health.lastStatus,
      missing: missingForWatch(resource, namespace, health),
    }));
    return new SyncTimeoutError(this.options.config.syncTimeout, rows);
  }

  /** Watches of resources of which none has been in sync yet, by resource. Those allowed to wait for their kind are left out. */
  private unsynced(): Map<string, { readonly watch: GuardedWatch; readonly since: number }[]> {
    const groups = new Map<string, { readonly watch: GuardedWatch; readonly since: number }[]>();
    const served = new Set<string>();
    for (const { watch, expectedSince: since } of this.guarded) {
      const name = partialName(watch.resource);
      if (watch.health.synced) served.add(name);
      else if (since !== undefined) groups.set(name, [...(groups.get(name) ?? []), { watch, since }]);
    }
    for (const name of served) groups.delete(name);
    return groups;
  }

  private arm(now: number): void {
    this.timer?.cancel();
    this.timer = undefined;
    const { syncTimeout, failAfter } = this.options.config;
    const deadlines = [...this.unsynced().values()].flat().map(({ since }) => since + syncTimeout);
    if (this.refusedSince !== undefined) deadlines.push(now + failAfter - this.refusedFor);
    if (deadlines.length === 0) return;
    this.timer = this.options.clock.setTimer(Math.max(0, Math.min(...deadlines) - now), () => this.assess());
  }

  private watches(): GuardedWatch[] {
    return [...this.guarded].map(({ watch }) => watch);
  }
}

function isActive({ state }: WatchHealth): boolean {
  return state !== 'kind-gone' && state !== 'stopped' && state !== 'failed';
}

function isRefused({ state, cause }: WatchHealth): boolean {
  return state === 'degraded' && cause?.kind === 'refused';
}

function describe({ resource, namespace, health }: GuardedWatch): string {
  const where = namespace === undefined ? 'all namespaces' : `namespace ${namespace}`;
  const verb = health.cause?.verb ?? 'watch';
  const status = health.cause?.status ?? 'no status';
  return `${verb} of ${partialName(resource)} in ${where} (${status}), missing: ${missingForWatch(resource, namespace, health)}`;
}
