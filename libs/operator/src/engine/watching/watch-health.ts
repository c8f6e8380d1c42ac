import type { ApiVerb } from '../client/api-client.js';
import type { Clock, Logger } from '../ports/index.js';
import type { EngineObserver, WatchFact } from '../engine-observer.js';
import type { WatchState, WatchTroubleKind } from './watch-state.js';

export type { WatchState, WatchTroubleKind } from './watch-state.js';

export interface WatchTrouble {
  readonly kind: WatchTroubleKind;
  readonly verb: ApiVerb;
  /** HTTP status, or the code of an ERROR event. */
  readonly status: number | undefined;
  readonly message: string;
}

export interface WatchHealth {
  readonly state: WatchState;
  /** Wall clock, milliseconds since 1970. */
  readonly since: number;
  /** Set while degraded. */
  readonly cause: WatchTrouble | undefined;
  /** The first list was applied and a watch accepted since the start. Stays true. */
  readonly synced: boolean;
  /** Wall clock of the last frame of any stream. */
  readonly lastFrameAt: number | undefined;
  /** Since when it has been out of sync, monotonic. */
  readonly degradedSince: number | undefined;
  /** How often the watch had to be taken up again, by reason; `end` is a stream that ended in order. */
  readonly restarts: Readonly<Partial<Record<WatchTroubleKind | 'end', number>>>;
  readonly lastStatus: number | undefined;
  readonly lastVerb: ApiVerb | undefined;
}

/** Keeps the health of one watch, logs its transitions and tells who listens. */
export class WatchHealthRecord {
  private state: WatchState = 'idle';
  private since: number;
  private cause: WatchTrouble | undefined;
  private isSynced = false;
  private readonly restarts: Partial<Record<WatchTroubleKind | 'end', number>> = {};
  private readonly listeners = new Set<() => void>();
  private lastStatus: number | undefined;
  private lastVerb: ApiVerb | undefined;
  private degradedSince: number | undefined;
  private lastTrouble: WatchTrouble | undefined;
  /** Wall clock of the last frame. */
  lastFrameAt: number | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly watch: WatchFact,
    private readonly observer: EngineObserver,
  ) {
    this.since = clock.now();
  }

  read(): WatchHealth {
    const { state, since, cause, lastFrameAt, degradedSince, lastStatus, lastVerb } = this;
    return {
      state,
      since,
      cause,
      synced: this.isSynced,
      lastFrameAt,
      degradedSince,
      restarts: { ...this.restarts },
      lastStatus,
      lastVerb,
    };
  }

  get current(): WatchState {
    return this.state;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  answered(verb: ApiVerb, status: number | undefined): void {
    this.lastVerb = verb;
    this.lastStatus = status;
  }

  restarted(reason: WatchTroubleKind | 'end'): void {
    this.restarts[reason] = (this.restarts[reason] ?? 0) + 1;
    this.observer.onWatchRestart?.(this.watch, reason);
  }

  enter(state: Exclude<WatchState, 'degraded'>): void {
    const { degradedSince } = this;
    const milliseconds =
      state === 'watching' && degradedSince !== undefined ? this.clock.monotonic() - degradedSince : undefined;
    if (milliseconds !== undefined) {
      this.logger.log('info', 'Watch recovered', { milliseconds });
      this.degradedSince = undefined;
      this.lastTrouble = undefined;
    }
    // From here on it has nothing to be in sync with.
    if (state === 'kind-gone') this.degradedSince = undefined;
    this.change(state, undefined);
    if (milliseconds !== undefined) this.observer.onWatchRecovered?.(this.watch, milliseconds);
  }

  /** Warns when the trouble is a new one; repetitions of it are debug lines. */
  degrade(trouble: WatchTrouble, error: unknown, delay: number): void {
    const repeated = this.lastTrouble?.kind === trouble.kind && this.lastTrouble.status === trouble.status;
    this.lastTrouble = trouble;
    this.degradedSince ??= this.clock.monotonic();
    const fields = { kind: trouble.kind, verb: trouble.verb, status: trouble.status, delay };
    this.logger.log(repeated ? 'debug' : 'warn', 'Watch interrupted, will be retried', fields, error);
    this.change('degraded', trouble);
  }

  synced(): void {
    if (this.isSynced) return;
    this.isSynced = true;
    this.notify();
  }

  private change(state: WatchState, cause: WatchTrouble | undefined): void {
    const from = this.state;
    const same = from === state && this.cause?.message === cause?.message && this.cause?.kind === cause?.kind;
    this.cause = cause;
    if (same) return;
    if (from !== state) {
      this.state = state;
      this.since = this.clock.now();
      this.logger.log('debug', 'Watch state changed', { from, to: state });
    }
    this.observer.onWatchState?.(
      this.watch,
      state,
      from,
      cause && { kind: cause.kind, verb: cause.verb, status: cause.status },
    );
    this.notify();
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}
