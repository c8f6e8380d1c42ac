import { pause, type Timer } from '../clock.js';
import type { KubeObject } from '../json.js';
import { isSelected, parseWatchRevision, reachRevision, type ListOptions } from '../pipeline/list.js';
import type { ServerContext } from '../pipeline/server-context.js';
import { run, wait, type Steps } from '../pipeline/steps.js';
import { groupVersion, type ResourceType } from '../resources/resource-type.js';
import { ApiError, errors } from '../status.js';
import { CompactedError, type StoreEvent } from '../store/store.js';
import { eventLine, type WatchForm, type WatchFrames } from './watch-frames.js';

/** Where a watch writes to. */
export interface WatchSink {
  write(line: Buffer): void;
  end(): void;
}

export interface WatchRequest {
  readonly type: ResourceType;
  readonly namespace: string | undefined;
  readonly options: ListOptions;
  readonly form: WatchForm;
  /** Begin with the state of this older revision. */
  readonly asOf: number | undefined;
}

const shortestDefault = 30 * 60;
const bookmarkLead = 2000;
/** How long a watch waits before it has objects converted again, in milliseconds; doubled each time. */
const firstRetry = 800;
const longestRetry = 30_000;

/**
 * `starting`: nothing was sent yet, and events are of no interest. `catchingUp`: events wait for what has to be sent
 * before them. `live`: events are sent as they come.
 */
type State = 'starting' | 'catchingUp' | 'live' | 'ended';

/** One open watch: from the first line to the end of the stream. */
export class WatchSession {
  #timers: Timer[] = [];
  #bookmarkTimer: Timer | undefined;
  #state: State = 'starting';
  #position = 0;
  /** Revision of the last event that was sent or waits. */
  #taken = 0;
  #backlog: StoreEvent[] = [];
  readonly #over = new AbortController();

  constructor(
    private readonly context: ServerContext,
    private readonly frames: WatchFrames,
    readonly request: WatchRequest,
    private readonly sink: WatchSink,
    private readonly bookmarkInterval: number,
    private readonly onEnd: () => void,
  ) {}

  get ended(): boolean {
    return this.#state === 'ended';
  }

  /** Revision up to which everything has been sent. */
  get position(): number {
    return this.#position;
  }

  /** Where the stream starts; throws what must be answered before the stream begins. */
  static revisionOf(options: ListOptions): number {
    return options.resourceVersion === '' ? 0 : parseWatchRevision(options.resourceVersion);
  }

  /** Sends what the client has to see first, then follows the store. Resolves when the watch is live or over. */
  start(): void | Promise<void> {
    this.#startTimers();
    return run(this.#begin());
  }

  /** Tells of a store event. Answers a promise while the event waits for others; its failure is a bug. */
  event(event: StoreEvent): void | Promise<void> {
    if (event.revision <= this.#taken) return;
    if (this.#state === 'live') {
      if (this.frames.ready(this.request.type, [event], this.#looksBack)) {
        this.#taken = event.revision;
        this.#send(event);
        return;
      }
      this.#state = 'catchingUp';
      this.#take([event]);
      return run(this.#catchUp());
    }
    if (this.#state === 'catchingUp') this.#take([event]);
  }

  /** Writes a line as it is. */
  inject(line: Buffer): void {
    if (!this.ended) this.sink.write(line);
  }

  /** Says that the history from here on is gone, and ends. */
  expire(): void {
    this.#fail(new CompactedError(this.#position, this.context.store.revision));
  }

  /** Ends the stream cleanly. */
  end(): void {
    if (this.ended) return;
    this.release();
    this.sink.end();
  }

  /** Lets go of everything without touching the stream, which is gone already. */
  release(): void {
    if (this.ended) return;
    this.#state = 'ended';
    this.#over.abort();
    this.#backlog = [];
    for (const timer of this.#timers) timer.cancel();
    this.#timers = [];
    this.#bookmarkTimer?.cancel();
    this.onEnd();
  }

  /** Whether the state before a change decides what is told of it. */
  get #looksBack(): boolean {
    return this.request.options.matches !== undefined;
  }

  *#begin(): Steps<void> {
    const { options } = this.request;
    const { store } = this.context;
    const revision = WatchSession.revisionOf(options);
    const initial = options.sendInitialEvents ?? revision === 0;
    try {
      if (initial && revision > store.revision) yield* wait(reachRevision(this.context, revision));
      if (this.ended) return;
      this.#state = 'catchingUp';
      if (initial) yield* this.#sendState();
      else this.#takeHistory(revision);
    } catch (error) {
      this.#fail(error);
      return;
    }
    yield* this.#catchUp();
  }

  *#sendState(): Steps<void> {
    const { store } = this.context;
    const { type, namespace, options, form, asOf } = this.request;
    this.#position = asOf ?? store.revision;
    this.#taken = this.#position;
    const prefix = namespace === undefined ? '' : `${namespace}/`;
    const objects = store.list(type.storage, asOf).filter(({ key }) => key.startsWith(prefix));
    if (asOf !== undefined) this.#take(store.eventsSince(type.storage, asOf));
    const shown = objects.map(({ object }) => object);
    yield* this.#converted(() => this.context.representations.fetch(type, shown));
    if (this.ended) return;
    for (const { object } of objects) {
      if (isSelected(this.context, type, options, object))
        this.sink.write(eventLine('ADDED', form.render(type, object)));
    }
    if (options.allowWatchBookmarks) this.#bookmark(true);
  }

  /** Waits until objects are converted. While that fails the watch is silent, as with the real server. */
  *#converted(fetch: () => Promise<void> | undefined): Steps<void> {
    for (let delay = firstRetry; !this.ended; delay = Math.min(2 * delay, longestRetry)) {
      try {
        const pending = fetch();
        if (pending !== undefined) yield* wait(pending);
        return;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        yield* wait(pause(this.context.clock, delay, this.#over.signal));
      }
    }
  }

  #takeHistory(revision: number): void {
    const { store } = this.context;
    this.#position = revision === 0 ? store.revision : revision;
    this.#taken = Math.max(revision, store.revision);
    if (revision > 0) this.#backlog.push(...store.eventsSince(this.request.type.storage, revision));
  }

  #take(events: readonly StoreEvent[]): void {
    for (const event of events) {
      this.#backlog.push(event);
      this.#taken = Math.max(this.#taken, event.revision);
    }
  }

  /** Sends the events that wait, and those that come meanwhile. */
  *#catchUp(): Steps<void> {
    try {
      while (this.#backlog.length > 0) {
        const events = this.#backlog;
        this.#backlog = [];
        yield* this.#converted(() => this.frames.fetch(this.request.type, events, this.#looksBack));
        for (const event of events) if (!this.ended) this.#send(event);
      }
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (this.ended) return;
    this.#position = Math.max(this.#position, this.#taken);
    this.#state = 'live';
  }

  #fail(error: unknown): void {
    if (this.ended) return;
    let answer: ApiError;
    if (error instanceof CompactedError) {
      answer = errors.expired(`too old resource version: ${error.requested} (${error.compacted})`);
    } else if (error instanceof ApiError) {
      answer = error;
    } else {
      throw error;
    }
    this.sink.write(eventLine('ERROR', JSON.stringify(answer.status)));
    this.end();
  }

  #send(event: StoreEvent): void {
    const { type, namespace, options, form } = this.request;
    this.#position = Math.max(this.#position, event.revision);
    if (namespace !== undefined && !event.key.startsWith(`${namespace}/`)) return;
    const matches = (object: KubeObject | undefined): boolean =>
      object !== undefined && isSelected(this.context, type, options, object);
    const before = matches(event.previous);
    const after = event.type !== 'DELETED' && matches(event.object);
    if (!before && !after) return;
    const kind = !after ? 'DELETED' : before ? 'MODIFIED' : 'ADDED';
    this.sink.write(this.frames.line(event, kind, type, form));
  }

  #bookmark(endOfInitial = false): void {
    const { type, form } = this.request;
    const object = {
      kind: type.kind,
      apiVersion: groupVersion(type),
      metadata: {
        resourceVersion: String(
          this.#state === 'live' ? Math.max(this.#position, this.context.store.revision) : this.#position,
        ),
        ...(endOfInitial ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
      },
    };
    this.sink.write(eventLine('BOOKMARK', form.bookmark(type, object)));
  }

  #startTimers(): void {
    const { clock, random } = this.context;
    const { options } = this.request;
    const seconds = options.timeoutSeconds ?? 0;
    const life = (seconds > 0 ? seconds : shortestDefault * (1 + random())) * 1000;
    this.#timers.push(clock.setTimer(life, () => this.end(), { background: true }));
    if (!options.allowWatchBookmarks) return;
    if (life > bookmarkLead) {
      this.#timers.push(clock.setTimer(life - bookmarkLead, () => this.#bookmarkIfLive(), { background: true }));
    }
    const next = (): void => {
      this.#bookmarkTimer = clock.setTimer(
        this.bookmarkInterval,
        () => {
          this.#bookmarkIfLive();
          if (!this.ended) next();
        },
        { background: true },
      );
    };
    next();
  }

  #bookmarkIfLive(): void {
    if (this.#state === 'live') this.#bookmark();
  }
}
