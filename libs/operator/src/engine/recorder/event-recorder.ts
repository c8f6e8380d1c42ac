import { ApiError } from '../../errors/api.error.js';
import type { ApiClient } from '../client/api-client.js';
import { collectionPath, objectPath } from '../client/api-path.js';
import type { EngineObserver, EventDropReason } from '../engine-observer.js';
import type { EventInput } from '../handling/handler-context.js';
import type { StoredObject } from '../kube-object.js';
import type { Clock, Logger, Random, Timer } from '../ports/index.js';
import type { EventSink } from '../processing/processing-environment.js';
import { eventContent, eventNamePrefix, microTime, reporterOf } from './event-body.js';
import { EventBudget } from './event-budget.js';
import { EventSeriesCache, type EventSeries } from './event-series.js';

const eventsResource = { group: 'events.k8s.io', version: 'v1', plural: 'events' } as const;
/** Waiting events beyond this number are dropped: events are a side matter. */
const mostWaiting = 1_000;
/** Failures are told again after a success, or once this long has passed; missing rights never. */
const tellAgain = 300_000;

export interface EventRecorderOptions {
  readonly client: ApiClient;
  /** The operator's name: the reporting controller. */
  readonly operator: string;
  readonly enabled: boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly observer?: EngineObserver;
}

/**
 * Posts Kubernetes events in the background, equal ones as one event with a count. Whatever goes wrong is logged and
 * counted, and stops nobody.
 */
export class EventRecorder implements EventSink {
  readonly #options: EventRecorderOptions;
  readonly #budget: EventBudget;
  readonly #series: EventSeriesCache;
  readonly #reporter: Readonly<Record<string, string>>;
  readonly #waiting: EventSeries[] = [];
  /** Repetitions that are sent once their object has a budget again. */
  readonly #later = new Set<EventSeries>();
  #laterAt = Infinity;
  #wake: (() => void) | undefined;
  #posting = false;
  #refusalTold = false;
  #failureToldAt = -Infinity;
  #lost = 0;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#budget = new EventBudget(options.clock);
    this.#series = new EventSeriesCache(options.clock);
    this.#reporter = reporterOf(options.operator);
  }

  /** Events that could not be posted, or were too many. */
  get lost(): number {
    return this.#lost;
  }

  /** Something waits to be posted, or is being posted. */
  get busy(): boolean {
    return this.#posting || this.#waiting.length > 0;
  }

  post(object: StoredObject, event: EventInput): void {
    if (!this.#options.enabled) return;
    const { uid, name, namespace = 'default' } = object.metadata;
    const series = this.#series.count({ uid, name, namespace }, eventContent(object, event));
    if (series.waiting) return;
    if (this.#waiting.length >= mostWaiting) this.#drop('full');
    else if (this.#budget.take(uid)) this.#enqueue(series);
    else if (series.name === undefined) this.#drop('budget');
    else this.#postpone(series);
  }

  /** Root task: posts one event after the other. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#takeUpPostponed();
      const next = this.#waiting.shift();
      if (next === undefined) await this.#something(signal);
      else await this.#send(next, signal);
    }
  }

  #drop(reason: EventDropReason): void {
    this.#lost += 1;
    this.#options.observer?.onEventDropped?.(reason);
  }

  #enqueue(series: EventSeries): void {
    series.waiting = true;
    this.#waiting.push(series);
    this.#wake?.();
  }

  #postpone(series: EventSeries): void {
    if (this.#later.size >= mostWaiting) {
      this.#drop('full');
      return;
    }
    series.waiting = true;
    this.#later.add(series);
    const at = this.#options.clock.monotonic() + this.#budget.wait(series.uid);
    if (at >= this.#laterAt) return;
    this.#laterAt = at;
    this.#wake?.();
  }

  #takeUpPostponed(): void {
    const now = this.#options.clock.monotonic();
    if (this.#laterAt > now) return;
    this.#laterAt = Infinity;
    for (const series of this.#later) {
      if (this.#budget.take(series.uid)) {
        this.#later.delete(series);
        this.#waiting.push(series);
      } else {
        this.#laterAt = Math.min(this.#laterAt, now + this.#budget.wait(series.uid));
      }
    }
  }

  #something(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => resolve();
    let timer: Timer | undefined;
    if (this.#laterAt < Infinity) {
      timer = clock.setTimer(this.#laterAt - clock.monotonic(), wake, { background: true });
    }
    this.#wake = wake;
    signal.addEventListener('abort', wake, { once: true });
    return promise.finally(() => {
      timer?.cancel();
      this.#wake = undefined;
      signal.removeEventListener('abort', wake);
    });
  }

  async #send(series: EventSeries, signal: AbortSignal): Promise<void> {
    this.#posting = true;
    series.waiting = false;
    try {
      if (series.name === undefined || !(await this.#repeat(series, series.name, signal))) {
        await this.#create(series, signal);
      }
      this.#failureToldAt = -Infinity;
      this.#options.observer?.onEventPosted?.();
    } catch (error) {
      if (signal.aborted) return;
      this.#drop('failed');
      this.#tell(series.namespace, error);
    } finally {
      this.#posting = false;
    }
  }

  async #create(series: EventSeries, signal: AbortSignal): Promise<void> {
    const { client, random } = this.#options;
    const { namespace, content, count, firstAt, lastAt } = series;
    const name = `${eventNamePrefix(series.objectName)}.${suffix(random)}`;
    const body = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name, namespace },
      eventTime: microTime(firstAt),
      ...content,
      ...this.#reporter,
      ...(count > 1 ? { series: { count, lastObservedTime: microTime(lastAt) } } : {}),
    };
    const path = collectionPath(eventsResource, namespace);
    try {
      await client.request({ verb: 'create', path, body, retry: 'write-once', signal });
    } catch (error) {
      // The name is ours alone: a repeated request finds what the first one made.
      if (!(error instanceof ApiError && error.isAlreadyExists)) throw error;
    }
    series.name = name;
  }

  /** False when the server has forgotten the event, as it does after an hour. */
  async #repeat({ namespace, count, lastAt }: EventSeries, name: string, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#options.client.request({
        verb: 'patch',
        patchType: 'merge',
        path: objectPath(eventsResource, { namespace, name }),
        body: { series: { count, lastObservedTime: microTime(lastAt) } },
        retry: 'write-once',
        signal,
      });
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.isNotFound) return false;
      throw error;
    }
  }

  #tell(namespace: string, error: unknown): void {
    const { clock, logger } = this.#options;
    const fields = { namespace, lost: this.#lost };
    const refused = error instanceof ApiError && error.isForbidden;
    const now = clock.monotonic();
    // Of a namespace on its way out nothing better can be expected.
    const known = refused ? this.#refusalTold || error.isNamespaceTerminating : now - this.#failureToldAt < tellAgain;
    if (!known && refused) this.#refusalTold = true;
    if (!known && !refused) this.#failureToldAt = now;
    logger.log(known ? 'debug' : 'warn', 'A Kubernetes event could not be posted', fields, error);
  }
}

/** 16 hexadecimal digits: names of events must not collide, also not with those of other replicas. */
function suffix(random: Random): string {
  return Array.from({ length: 4 }, () =>
    Math.floor(random.next() * 0x1_0000)
      .toString(16)
      .padStart(4, '0'),
  ).join('');
}
