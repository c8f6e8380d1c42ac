import { LeadershipLostError, type LeadershipLostBecause } from '../../errors/leadership-lost.error.js';
import type { ApiClient } from '../client/api-client.js';
import { wait } from '../client/wait.js';
import type { Clock, Logger, Random, Timer } from '../ports/index.js';
import { safeTime, type ElectionConfig } from './election-config.js';
import { checkTransition, type ElectionState } from './election-state.js';
import type { Lead } from './lead.js';
import { LeaseObservation } from './lease-observation.js';
import { LeaseStore } from './lease-store.js';
import type { LeadershipStatus } from './leadership-status.js';
import { microTime } from './micro-time.js';
import { OwnLease } from './own-lease.js';

export interface ElectorOptions {
  readonly client: ApiClient;
  readonly config: ElectionConfig;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** This replica begins to stand. Gives the lead that it stands for. */
  readonly onStanding: () => Lead;
  /** The lead begins. */
  readonly onGained: () => void;
  /** The lead is over. Must have told everything that runs under it to end when it returns. */
  readonly onLost: (error: LeadershipLostError) => void;
  /** Aborted when nothing new is to begin: who does not lead stands no longer. */
  readonly withdrawn: AbortSignal;
  /** With `onLost: 'standby'`: resolves when nothing of the lead runs any more. */
  readonly stepDown: (error: LeadershipLostError) => Promise<void>;
  /** After each change of the state. */
  readonly onState?: (state: ElectionState) => void;
}

/** A standby looks after this part of the retry period at least, and before it is over: sooner than a leader renews. */
const shortestLook = 0.5;
const longestLook = 0.9;
/** Part of the retry period before the next attempt in any case. */
const shortestPause = 0.25;

/**
 * Stands for the lead by a Lease, and holds it for as long as it can be renewed. What others hold is judged by
 * {@link LeaseObservation}, what is held itself by {@link OwnLease}.
 */
export class Elector {
  readonly #options: ElectorOptions;
  readonly #config: ElectionConfig;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #store: LeaseStore;
  readonly #observation: LeaseObservation;
  readonly #own: OwnLease;
  readonly #decided = Promise.withResolvers<void>();
  #state: ElectionState = 'idle';
  #since: number;
  #failing: { since: number; message: string } | undefined;
  #blockedBy: string | undefined;
  #term: { readonly lead: Lead; readonly over: AbortController; deadline: Timer | undefined } | undefined;

  constructor(options: ElectorOptions) {
    this.#options = options;
    this.#config = options.config;
    this.#clock = options.clock;
    this.#logger = options.logger.child('Elector', { lease: this.name });
    this.#store = new LeaseStore(options.client, options.config);
    this.#observation = new LeaseObservation(options.config.leaseDuration);
    this.#own = new OwnLease(this.#store, options.config, options.clock);
    this.#since = options.clock.now();
  }

  /** `namespace/name` of the lease. */
  get name(): string {
    return `${this.#config.namespace}/${this.#config.name}`;
  }

  get state(): ElectionState {
    return this.#state;
  }

  /** Whether work under the lead may go on now. */
  get isLeading(): boolean {
    return this.#state === 'leading' && this.#term?.lead.isLeading === true;
  }

  /** Resolves when it is known for the first time who leads. */
  get decided(): Promise<void> {
    return this.#decided.promise;
  }

  get status(): LeadershipStatus {
    const { identity } = this.#config;
    const holder = this.#state === 'leading' ? identity : this.#observation.holder;
    return { state: this.#state, since: this.#since, lease: this.name, identity, holder, failing: this.#failing };
  }

  /**
   * The task: stands for the lead and holds it, until the signal is aborted.
   *
   * @throws LeadershipLostError when the lead is lost, with `onLost: 'exit'`
   */
  async run(signal: AbortSignal): Promise<void> {
    this.#enter('standby');
    for (;;) {
      const lead = this.#options.onStanding();
      if (!(await this.#stand(signal))) return;
      const lost = await this.#lead(lead, signal);
      if (this.#config.onLost === 'exit') throw lost;
      this.#logger.log('warn', 'The lead is lost; this replica stands by', { because: lost.because }, lost);
      await this.#options.stepDown(lost);
      signal.throwIfAborted();
      this.#enter('standby');
    }
  }

  /**
   * After the task: gives the lease back when nothing works under it any more, else leaves it to run out.
   *
   * @throws what the request failed with; the lease runs out then
   */
  async leave(clean: boolean, signal: AbortSignal): Promise<void> {
    this.#term?.deadline?.cancel();
    if (!clean && this.#own.heldFrom !== undefined) {
      this.#logger.log('warn', 'The lease is left to run out: something may still work under it');
    }
    let released = false;
    try {
      released = clean && (await this.#own.release(signal));
    } finally {
      this.#enter(released ? 'released' : 'left');
    }
    if (released) this.#logger.log('info', 'The lease is released');
  }

  /** True: the lease is ours. False: this replica has withdrawn. */
  async #stand(signal: AbortSignal): Promise<boolean> {
    const { withdrawn } = this.#options;
    const until = AbortSignal.any([signal, withdrawn]);
    try {
      for (;;) {
        until.throwIfAborted();
        if (await this.#look(until)) return true;
        if (this.#state === 'acquiring') this.#enter('standby');
        await wait(this.#clock, this.#lookAfter(), until);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (withdrawn.aborted) return false;
      throw error;
    }
  }

  async #look(signal: AbortSignal): Promise<boolean> {
    try {
      const acquired = await this.#tryToAcquire(signal);
      this.#noteSuccess();
      return acquired;
    } catch (error) {
      signal.throwIfAborted();
      this.#noteFailure('The lease cannot be read or taken; trying again', error);
      return false;
    }
  }

  /** Milliseconds until the next look: in time for each renewal, and for the end of the holder's time. */
  #lookAfter(): number {
    const { retryPeriod } = this.#config;
    const pace = retryPeriod * (shortestLook + (longestLook - shortestLook) * this.#options.random.next());
    const untilFree = this.#observation.freeFrom - this.#clock.monotonic();
    return untilFree > 0 ? Math.min(pace, untilFree) : pace;
  }

  async #tryToAcquire(signal: AbortSignal): Promise<boolean> {
    const lease = await this.#store.read(signal);
    if (lease === undefined || !this.#own.isOwn(lease)) {
      const now = this.#clock.monotonic();
      this.#observation.see(lease === undefined ? undefined : (lease.spec ?? {}), now);
      if (this.#observation.freeFrom > now) {
        this.#tellBlocked();
        this.#decided.resolve();
        return false;
      }
    }
    this.#blockedBy = undefined;
    this.#enter('acquiring');
    // When somebody else was faster, the next look tells who.
    if (!(await this.#own.acquire(lease, signal))) return false;
    // An answer that came late leaves too little of the lease: it is taken once more.
    const { heldFrom = -Infinity } = this.#own;
    return this.#clock.monotonic() - heldFrom < safeTime(this.#config);
  }

  /** Holds the lead. Resolves with the reason when it is lost. */
  async #lead(lead: Lead, signal: AbortSignal): Promise<LeadershipLostError> {
    lead.onExpired(() => this.#lose('expired'));
    const over = new AbortController();
    this.#term = { lead, over, deadline: undefined };
    this.#extend();
    this.#enter('leading');
    this.#decided.resolve();
    this.#logger.log('info', 'This replica leads', {
      identity: this.#config.identity,
      transitions: this.#own.transitions,
    });
    this.#options.onGained();
    const until = AbortSignal.any([signal, over.signal]);
    try {
      for (let pause = this.#config.retryPeriod; ;) {
        await wait(this.#clock, pause, until);
        // After a blocked event loop this comes before the timer of the deadline.
        if (!lead.isLeading) this.#lose('expired');
        until.throwIfAborted();
        const begun = this.#clock.monotonic();
        const renewed = await this.#renew(until);
        const { retryPeriod } = this.#config;
        const rest = retryPeriod - (this.#clock.monotonic() - begun);
        pause = Math.max(renewed === 'again' ? 0 : rest, retryPeriod * shortestPause);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (over.signal.aborted) return over.signal.reason as LeadershipLostError;
      throw error;
    }
  }

  /** Whether the lease was renewed, has to be soon, or could not be. */
  async #renew(signal: AbortSignal): Promise<'renewed' | 'again' | 'failed'> {
    try {
      const renewed = await this.#own.renew(signal);
      if (!renewed) return await this.#afterConflict(signal);
      signal.throwIfAborted();
      this.#extend();
      this.#noteSuccess();
      return 'renewed';
    } catch (error) {
      signal.throwIfAborted();
      this.#noteFailure('The lease could not be renewed; trying again', error);
      return 'failed';
    }
  }

  /** Somebody has written the lease: us, by a request whose answer was lost; somebody who edits it; or another leader. */
  async #afterConflict(signal: AbortSignal): Promise<'renewed' | 'again'> {
    const lease = await this.#store.read(signal);
    if (lease === undefined) {
      if (!(await this.#own.recreate(signal))) return 'again';
      this.#logger.log('warn', 'The lease was deleted and has been created again');
      this.#extend();
      return 'renewed';
    }
    if (this.#own.adopt(lease)) this.#extend();
    else {
      this.#own.drop();
      this.#observation.see(lease.spec ?? {}, this.#clock.monotonic());
      this.#lose('taken');
      signal.throwIfAborted();
    }
    return 'again';
  }

  #extend(): void {
    const term = this.#term;
    const { heldFrom } = this.#own;
    if (term === undefined || heldFrom === undefined) return;
    term.lead.extend(heldFrom);
    term.deadline?.cancel();
    term.deadline = this.#clock.setTimer(Math.max(0, term.lead.left), () => this.#lose('expired'));
  }

  /** Synchronous: whoever finds the lead lost has it lost for all when this returns. */
  #lose(because: LeadershipLostBecause): void {
    const term = this.#term;
    if (term === undefined || this.#state !== 'leading') return;
    term.deadline?.cancel();
    const { holder } = this.#observation;
    const message =
      because === 'expired'
        ? `it was not renewed for ${this.#config.renewDeadline} ms (leaderElection.renewDeadline)${
            this.#failing === undefined ? '' : `; the last request failed: ${this.#failing.message}`
          }`
        : `it is held by ${holder === undefined ? 'nobody' : `"${holder}"`} now.`;
    const error = new LeadershipLostError(this.name, because, message);
    term.lead.end(error);
    this.#enter('losing');
    term.over.abort(error);
    this.#options.onLost(error);
  }

  #enter(state: ElectionState): void {
    const from = this.#state;
    if (from === state) return;
    checkTransition(from, state);
    this.#state = state;
    this.#since = this.#clock.now();
    this.#logger.log('debug', 'Election state changed', { from, to: state });
    this.#options.onState?.(state);
  }

  #tellBlocked(): void {
    const holder = this.#observation.holder ?? 'nobody';
    if (holder === this.#blockedBy) return;
    this.#blockedBy = holder;
    const milliseconds = Math.round(this.#observation.freeFrom - this.#clock.monotonic());
    this.#logger.log('info', 'Another replica leads; this one stands by', {
      holder,
      until: microTime(this.#clock.now() + milliseconds),
      milliseconds,
    });
  }

  #noteSuccess(): void {
    if (this.#failing === undefined) return;
    this.#logger.log('info', 'The lease can be had again', { milliseconds: this.#clock.now() - this.#failing.since });
    this.#failing = undefined;
  }

  /** The first failure of a row is a warning, the others are debug lines. */
  #noteFailure(message: string, error: unknown): void {
    const left = this.#state === 'leading' ? { left: Math.round(this.#term?.lead.left ?? 0) } : {};
    this.#logger.log(this.#failing === undefined ? 'warn' : 'debug', message, left, error);
    const text = error instanceof Error ? error.message : String(error);
    this.#failing = { since: this.#failing?.since ?? this.#clock.now(), message: text };
  }
}
