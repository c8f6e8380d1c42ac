import { Inject, Injectable } from '@nestjs/common';
import type { Observable, Subscriber } from 'rxjs';
import type { EngineObserver } from '../engine/engine-observer.js';
import type { LeadershipStatus } from '../engine/leaderelection/leadership-status.js';
import { ObserverHub } from '../engine/observing/observer-hub.js';
import type { Clock, Logger } from '../engine/ports/index.js';
import { OPERATOR_CLOCK, OPERATOR_LOGGER } from '../operator.constants.js';
import { GuardedObservable } from './guarded-observable.js';
import type { OperatorEvent } from './operator-event.js';

/** An event before it has its time. */
type News = OperatorEvent extends infer Event ? (Event extends OperatorEvent ? Omit<Event, 'at'> : never) : never;

/**
 * What happens in the operator, for applications and tests. Costs next to nothing while nobody is subscribed.
 */
@Injectable()
export class OperatorEvents {
  /**
   * The events from the subscription on, each told at once, within the operator's own work: subscribers are to be quick. One
   * that throws is logged and disturbs nobody. Completes when the operator has ended.
   */
  readonly stream: Observable<OperatorEvent>;
  readonly #subscribers = new Set<Subscriber<OperatorEvent>>();
  readonly #detail: EngineObserver;
  #leads = false;
  #over = false;
  #stopListening: (() => void) | undefined;

  constructor(
    @Inject(ObserverHub) private readonly hub: ObserverHub,
    @Inject(OPERATOR_CLOCK) private readonly clock: Clock,
    @Inject(OPERATOR_LOGGER) logger: Logger,
  ) {
    const log = logger.child('OperatorEvents');
    const onError = (error: unknown): void =>
      log.log('error', 'A subscriber of the operator events failed', undefined, error);
    this.stream = new GuardedObservable<OperatorEvent>(onError, (subscriber) => this.#subscribe(subscriber));
    this.#detail = this.#observeDetail();
    // What happens a few times in a life is followed in any case, so that who comes later finds the right state.
    hub.add('OperatorEvents', {
      onOperatorState: (state) => {
        if (state === 'running') this.#tell({ type: 'started' });
        if (state === 'draining') this.#tell({ type: 'stopping' });
        if (state === 'stopped' || state === 'failed') this.#end();
      },
      onSynced: () => this.#tell({ type: 'synced' }),
      onFailure: (error) => this.#tell({ type: 'failed', error }),
      onLeadership: (status) => this.#onLeadership(status),
    });
  }

  #subscribe(subscriber: Subscriber<OperatorEvent>): () => void {
    if (this.#over) {
      subscriber.complete();
      return () => undefined;
    }
    this.#subscribers.add(subscriber);
    this.#stopListening ??= this.hub.add('OperatorEvents', this.#detail);
    return () => {
      this.#subscribers.delete(subscriber);
      if (this.#subscribers.size > 0) return;
      this.#stopListening?.();
      this.#stopListening = undefined;
    };
  }

  #observeDetail(): EngineObserver {
    return {
      onHandlerEnd: (call, { outcome, duration, error, delay }) => {
        if (outcome === 'succeeded') this.#tell({ type: 'handlerSucceeded', ...call, duration });
        else if (outcome !== 'aborted') this.#tell({ type: 'handlerFailed', ...call, outcome, duration, error, delay });
      },
      onThrottled: (resource, key, delay, error) =>
        this.#tell({ type: 'objectThrottled', resource, key, delay, error }),
      onWatchState: (watch, state, previous, cause) => {
        if (state === 'degraded' && previous !== 'degraded') this.#tell({ type: 'watchDegraded', ...watch, cause });
      },
      onWatchRecovered: (watch, degradedFor) => this.#tell({ type: 'watchRecovered', ...watch, degradedFor }),
    };
  }

  #onLeadership({ state, lease, identity }: LeadershipStatus): void {
    const leads = state === 'leading';
    if (leads === this.#leads) return;
    this.#leads = leads;
    this.#tell({ type: leads ? 'leaderGained' : 'leaderLost', lease, identity });
  }

  #tell(news: News): void {
    if (this.#subscribers.size === 0) return;
    const event: OperatorEvent = { ...news, at: this.clock.now() };
    // Those who come meanwhile are told of the next one.
    const present = [...this.#subscribers];
    for (const subscriber of present) subscriber.next(event);
  }

  #end(): void {
    this.#over = true;
    for (const subscriber of this.#subscribers) subscriber.complete();
  }
}
