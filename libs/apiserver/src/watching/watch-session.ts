import type { Timer } from '../clock.js';
import type { KubeObject } from '../json.js';
import { parseWatchRevision, reachRevision, type ListOptions } from '../pipeline/list.js';
import type { ServerContext } from '../pipeline/server-context.js';
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

/** One open watch: from the first line to the end of the stream. */
export class WatchSession {
  #timers: Timer[] = [];
  #bookmarkTimer: Timer | undefined;
  #live = false;
  #ended = false;
  #position = 0;

  constructor(
    private readonly context: ServerContext,
    private readonly frames: WatchFrames,
    readonly request: WatchRequest,
    private readonly sink: WatchSink,
    private readonly bookmarkInterval: number,
    private readonly onEnd: () => void,
  ) {}

  get ended(): boolean {
    return this.#ended;
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
    const { options } = this.request;
    const { store } = this.context;
    const revision = WatchSession.revisionOf(options);
    this.#startTimers();
    const initial = options.sendInitialEvents ?? revision === 0;
    if (initial && revision > store.revision) {
      return reachRevision(this.context, revision).then(
        () => this.#begin(true, revision),
        (error: unknown) => this.#fail(error),
      );
    }
    this.#begin(initial, revision);
  }

  /** Tells of a store event. */
  event(event: StoreEvent): void {
    if (!this.#live || this.#ended || event.revision <= this.#position) return;
    this.#send(event);
  }

  /** Writes a line as it is. */
  inject(line: Buffer): void {
    if (!this.#ended) this.sink.write(line);
  }

  /** Says that the history from here on is gone, and ends. */
  expire(): void {
    this.#fail(new CompactedError(this.#position, this.context.store.revision));
  }

  /** Ends the stream cleanly. */
  end(): void {
    if (this.#ended) return;
    this.release();
    this.sink.end();
  }

  /** Lets go of everything without touching the stream, which is gone already. */
  release(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const timer of this.#timers) timer.cancel();
    this.#timers = [];
    this.#bookmarkTimer?.cancel();
    this.onEnd();
  }

  #begin(initial: boolean, revision: number): void {
    if (this.#ended) return;
    try {
      if (initial) this.#sendState();
      else this.#sendHistory(revision);
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#live = true;
  }

  #sendState(): void {
    const { store } = this.context;
    const { type, namespace, options, form, asOf } = this.request;
    this.#position = asOf ?? store.revision;
    const prefix = namespace === undefined ? '' : `${namespace}/`;
    for (const { key, object } of store.list(type.storage, asOf)) {
      if (!key.startsWith(prefix) || !(options.matches?.(object) ?? true)) continue;
      this.sink.write(eventLine('ADDED', form.render(type, object)));
    }
    if (options.allowWatchBookmarks) this.#bookmark(true);
    if (asOf !== undefined) for (const event of store.eventsSince(type.storage, asOf)) this.#send(event);
  }

  #sendHistory(revision: number): void {
    const { store } = this.context;
    this.#position = revision === 0 ? store.revision : revision;
    if (revision === 0) return;
    for (const event of store.eventsSince(this.request.type.storage, revision)) this.#send(event);
    this.#position = Math.max(revision, store.revision);
  }

  #fail(error: unknown): void {
    if (this.#ended) return;
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
      object !== undefined && (options.matches?.(object) ?? true);
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
        resourceVersion: String(this.#live ? Math.max(this.#position, this.context.store.revision) : this.#position),
        ...(endOfInitial ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
      },
    };
    this.sink.write(eventLine('BOOKMARK', form.bookmark(object)));
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
          if (!this.#ended) next();
        },
        { background: true },
      );
    };
    next();
  }

  #bookmarkIfLive(): void {
    if (this.#live && !this.#ended) this.#bookmark();
  }
}
