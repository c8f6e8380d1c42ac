import { ApiError } from '../../errors/api.error.js';
import { BrokenStreamError } from '../../errors/broken-stream.error.js';
import { WatchFailedError } from '../../errors/watch-failed.error.js';
import type { ApiClient, ApiVerb } from '../client/api-client.js';
import { unlessAborted, wait } from '../client/wait.js';
import { objectKey } from '../kube-object.js';
import type { StoredObject } from '../kube-object.js';
import type { OperatorConfig } from '../operator-config.js';
import { SystemPollPhase } from '../ports/index.js';
import type { Clock, Logger, PollPhase, Random } from '../ports/index.js';
import { resourceName } from '../resource.js';
import type { Resource } from '../resource.js';
import { Backoff } from './backoff.js';
import { readList, readVersion } from './list-reader.js';
import type { ListEnd } from './list-reader.js';
import type { ListSession, ObjectStore } from './object-store.js';
import { failureKind } from './request-failure.js';
import { ResourceRequests } from './resource-requests.js';
import type { ListVersion, WatchDescriptor } from './resource-requests.js';
import { compareVersions, isIntegerVersion } from './resource-version.js';
import { parseFrame } from './watch-frame.js';
import { WatchHealthRecord } from './watch-health.js';
import type { WatchHealth, WatchTroubleKind } from './watch-health.js';
import { readStream } from './watch-stream.js';
import type { StreamEnd } from './watch-stream.js';

/** What discovery says of the resource. `unknown`: it could not be asked. */
export type KindPresence = 'served' | 'gone' | 'unknown';

/** Whether the server takes WatchList requests. Shared by the reflectors of one server, so that each need not find out. */
export interface WatchListSupport {
  offered: boolean;
}

export interface ReflectorOptions {
  readonly client: ApiClient;
  readonly resource: Resource;
  /** `undefined`: all namespaces, or a cluster-scoped resource. */
  readonly namespace: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly store: ObjectStore;
  readonly config: OperatorConfig['watching'];
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Asked after a 404, and while the kind is gone. A rejection counts as `unknown`. */
  readonly resolveKind: (signal: AbortSignal) => Promise<KindPresence>;
  readonly watchListSupport?: WatchListSupport;
  readonly pollPhase?: PollPhase;
}

/**
 * What the reflector does next. It does one thing at a time, so it never has two streams.
 *
 * - `list`: ask for the whole state. `repeated`: the list before showed less than was known. `whole`: without pages.
 * - `watch`: follow from the last version.
 * - `probe`: see whether that version is one the server has reached.
 * - `wait`: let a back-off pass, then go on with `next`.
 * - `await-kind`: ask discovery until the kind is served.
 */
type Step =
  | { readonly do: 'list'; readonly from: 'unset' | 'last'; readonly repeated?: boolean; readonly whole?: boolean }
  | { readonly do: 'watch' }
  | { readonly do: 'probe' }
  | { readonly do: 'wait'; readonly delay: number; readonly next: Step }
  | { readonly do: 'await-kind' };

/** Why the reader of a stream had enough of it. */
type Verdict =
  | { readonly is: 'error-event'; readonly error: ApiError }
  | { readonly is: 'broken'; readonly problem: string }
  | { readonly is: 'regress'; readonly version: string }
  | { readonly is: 'no-initial-end' };

/** A broken line or an ERROR event is met with a relist; that many of them within that time are too many. */
const brokenLimit = { count: 5, within: 120_000 };
/** Streams shorter than this do not count as health. */
const shortStream = 1_000;
/** So many short streams in a row are taken up again at once, the next one after a back-off. */
const shortStreamsAtOnce = 2;
/** A resource without bookmarks is silent when it is quiet: its streams end before the silence limit does. Seconds. */
const timeoutWithoutBookmarks = 60;
/** Discovery is asked at this pace, 1 to 2 times, while the kind is gone: a kind that returns is served within 5 s. */
const kindPolling = { initial: 800, factor: 2, cap: 2_000 };

/** Lists and watches one resource in one namespace or in all, and keeps the store equal to the server. */
export class Reflector {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  /** Resolves when the first list was applied and a watch accepted. Stays pending when that never comes. */
  readonly synced: Promise<void>;
  private readonly requests: ResourceRequests;
  private readonly record: WatchHealthRecord;
  private readonly backoff: Backoff;
  private readonly logger: Logger;
  private readonly pollPhase: PollPhase;
  private readonly watchListSupport: WatchListSupport;
  private resolveSynced: () => void = () => undefined;
  private started = false;
  /** Where a watch goes on. `undefined` until a list was applied. */
  private version: string | undefined;
  private healthySince: number | undefined;
  private brokenAt: number[] = [];
  private emptyStreams = 0;
  private shortStreams = 0;
  /** WatchList requests in a row that ended before their list was whole. */
  private halfLists = 0;
  private bookmarks: 'expected' | 'absent' = 'expected';

  constructor(private readonly options: ReflectorOptions) {
    this.resource = options.resource;
    this.namespace = options.namespace;
    const descriptor: WatchDescriptor = options;
    this.requests = new ResourceRequests(descriptor);
    this.logger = options.logger.child('Reflector', {
      resource: resourceName(options.resource),
      namespace: options.namespace,
    });
    this.record = new WatchHealthRecord(options.clock, this.logger);
    this.backoff = new Backoff(options.config.backoff, options.random);
    this.pollPhase = options.pollPhase ?? new SystemPollPhase();
    this.watchListSupport = options.watchListSupport ?? { offered: true };
    this.synced = new Promise((resolve) => {
      this.resolveSynced = resolve;
    });
  }

  get health(): WatchHealth {
    return this.record.read();
  }

  /** Calls the listener after each change of state, cause or `synced`. Returns what ends that. */
  onHealthChange(listener: () => void): () => void {
    return this.record.subscribe(listener);
  }

  /**
   * Runs until the signal is aborted; resolves then, and nothing more reaches the store. Can be called once.
   *
   * @throws WatchFailedError, MalformedObjectError, CredentialsError, and what the store's listener throws: the watch
   * cannot go on.
   */
  async run(signal: AbortSignal): Promise<void> {
    if (this.started) throw new Error('A reflector runs once; make another one.');
    this.started = true;
    let step: Step = { do: 'list', from: 'unset' };
    try {
      for (;;) {
        signal.throwIfAborted();
        step = await this.perform(step, signal);
      }
    } catch (error) {
      const inOrder = signal.aborted && error === signal.reason;
      this.record.enter(inOrder ? 'stopped' : 'failed');
      if (!inOrder) throw error;
    }
  }

  private perform(step: Step, signal: AbortSignal): Promise<Step> {
    switch (step.do) {
      case 'list':
        return this.list(step, signal);
      case 'watch':
        return this.watch(signal);
      case 'probe':
        return this.probe(signal);
      case 'wait':
        return wait(this.options.clock, step.delay, signal).then(() => step.next);
      case 'await-kind':
        return this.awaitKind(signal);
    }
  }

  private async list(step: Step & { do: 'list' }, signal: AbortSignal): Promise<Step> {
    if (this.record.current !== 'degraded') this.record.enter('listing');
    const { store, config, namespace, client, resource } = this.options;
    const session = store.beginList(namespace, { repeated: step.repeated === true });
    const from: ListVersion =
      step.from === 'last' && this.version !== undefined && isIntegerVersion(this.version)
        ? { notOlderThan: this.version }
        : 'unset';
    const again: Step = { ...step, from: from === 'unset' ? 'unset' : step.from };
    if (config.watchList && this.watchListSupport.offered && this.halfLists < 2 && step.whole !== true) {
      return this.watchList(session, from, again, signal);
    }
    const limit = step.whole === true ? undefined : config.pageSize;
    const end = await readList({ client, requests: this.requests, resource }, from, limit, signal);
    if (end.by !== 'items') return this.afterFailedList(end, again, signal);
    this.record.answered('list', 200);
    this.halfLists = 0;
    if (session.finish(end.items, end.version) === 'ask-again') return this.askAgain(end.version);
    this.version = end.version;
    this.emptyStreams = 0;
    this.record.enter('listing');
    return { do: 'watch' };
  }

  private afterFailedList(
    end: Exclude<ListEnd, { by: 'items' }>,
    again: Step,
    signal: AbortSignal,
  ): Step | Promise<Step> {
    if (end.by === 'broken')
      return this.afterBroken(new BrokenStreamError('list', this.requests.path, end.problem), 'list');
    if (end.expired) return this.retryLater('gone', 'list', end.error, { do: 'list', from: 'unset', whole: true });
    return this.afterRefusal('list', end.error, again, signal);
  }

  /** List and watch in one stream: nothing reaches the store before the list is whole. */
  private async watchList(session: ListSession, from: ListVersion, again: Step, signal: AbortSignal): Promise<Step> {
    const { clock, config } = this.options;
    const initial = new Map<unknown, StoredObject>();
    let whole = false;
    let progressAt = clock.monotonic();
    const end = await this.stream(
      this.requests.watchList(from, this.timeoutSeconds()),
      {
        opened: () => {
          this.record.enter('listing');
          progressAt = clock.monotonic();
        },
        event: (type, object) => {
          if (whole) return this.apply(type, object);
          progressAt = clock.monotonic();
          // What has no name fails the list when it is whole; until then it must not hide another such object.
          const key = typeof object.metadata?.name === 'string' ? objectKey(object) : object;
          if (type === 'DELETED') initial.delete(key);
          else initial.set(key, object);
          return undefined;
        },
        bookmark: (version, endsInitial) => {
          if (whole) return this.follow(version);
          if (!endsInitial) {
            // A server that does not know the request sends bookmarks for ever, but never this one.
            return clock.monotonic() - progressAt >= config.silence ? { is: 'no-initial-end' } : undefined;
          }
          if (session.finish(initial.values(), version) === 'ask-again') return { is: 'regress', version };
          whole = true;
          initial.clear();
          this.version = version;
          this.halfLists = 0;
          this.reachSync();
          return undefined;
        },
      },
      signal,
    );
    if (whole) return this.afterStream(end, signal);
    return this.afterHalfList(end, again, signal);
  }

  private async watch(signal: AbortSignal): Promise<Step> {
    const { version } = this;
    if (version === undefined) return { do: 'list', from: 'unset' };
    const end = await this.stream(
      this.requests.watch(version, this.timeoutSeconds()),
      {
        opened: () => this.reachSync(),
        event: (type, object) => this.apply(type, object),
        bookmark: (reached) => this.follow(reached),
      },
      signal,
    );
    return this.afterStream(end, signal);
  }

  private stream(
    request: ReturnType<ResourceRequests['watch']>,
    on: {
      readonly opened: () => void;
      readonly event: (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: StoredObject) => Verdict | undefined;
      readonly bookmark: (version: string, endsInitial: boolean) => Verdict | undefined;
    },
    signal: AbortSignal,
  ): Promise<StreamEnd<Verdict>> {
    const { client, clock, config, resource } = this.options;
    const reader = {
      onOpen: () => {
        this.record.answered('watch', 200);
        this.healthySince ??= clock.monotonic();
        on.opened();
      },
      onFrame: (line: string): Verdict | undefined => {
        this.record.lastFrameAt = clock.now();
        if (line.trim() === '') return undefined;
        const frame = parseFrame(line, resource, this.requests.path, clock);
        switch (frame.is) {
          case 'event':
            return on.event(frame.type, frame.object);
          case 'bookmark':
            this.bookmarks = 'expected';
            return on.bookmark(frame.version, frame.endsInitial);
          case 'error':
            return { is: 'error-event', error: frame.error };
          case 'foreign':
            this.logger.log('warn', 'Event of another kind ignored', { kind: frame.kind });
            return undefined;
          case 'broken':
            return frame;
        }
      },
    };
    const options = { client, clock, pollPhase: this.pollPhase, silence: config.silence };
    return readStream(options, request, reader, signal);
  }

  private apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: StoredObject): undefined {
    this.options.store.observe(type, object, this.namespace);
    this.progress(object.metadata.resourceVersion);
  }

  private follow(version: string): undefined {
    this.options.store.advance(version, this.namespace);
    this.progress(version);
  }

  /** The resume point never goes back: an event behind a bookmark is an oddity of the server. */
  private progress(version: string): void {
    const order = this.version === undefined ? undefined : compareVersions(version, this.version);
    if (order !== undefined && order < 0) {
      this.logger.log('debug', 'Event behind the version already reached', { version, reached: this.version });
      return;
    }
    this.version = version;
  }

  private reachSync(): void {
    this.record.enter('watching');
    this.record.synced();
    this.resolveSynced();
  }

  private afterStream(end: StreamEnd<Verdict>, signal: AbortSignal): Step | Promise<Step> {
    if (end.by === 'refusal') return this.afterRefusal('watch', end.error, { do: 'watch' }, signal);
    this.emptyStreams = end.frames === 0 ? this.emptyStreams + 1 : 0;
    this.shortStreams = end.lasted < shortStream ? this.shortStreams + 1 : 0;
    // A watch from a version that the server has not reached is accepted, and silent for ever.
    const next: Step = this.emptyStreams >= 2 ? { do: 'probe' } : { do: 'watch' };
    switch (end.by) {
      case 'end':
        if (end.lasted < shortStream && (end.frames === 0 || this.shortStreams > shortStreamsAtOnce)) {
          return this.retryLater('empty', 'watch', new Error('The stream ended as soon as it had begun'), next);
        }
        this.record.restarted('end');
        this.logger.log('debug', 'Watch stream ended', { frames: end.frames, milliseconds: end.lasted });
        return next;
      case 'cut':
        return this.retryLater('cut', 'watch', end.error, next);
      case 'silence':
        this.bookmarks = 'absent';
        return this.retryLater('silent', 'watch', new Error('The stream fell silent'), next);
      case 'reader':
        return this.afterVerdict(end.verdict, { do: 'watch' });
    }
  }

  private afterHalfList(end: StreamEnd<Verdict>, again: Step, signal: AbortSignal): Step | Promise<Step> {
    if (end.by === 'refusal') {
      if (failureKind(end.error) !== 'rejected') return this.afterRefusal('watch', end.error, again, signal);
      return this.fallBack(again, end.error);
    }
    if (end.by === 'reader') {
      const { verdict } = end;
      if (verdict.is === 'error-event' && failureKind(verdict.error) === 'rejected') {
        return this.fallBack(again, verdict.error);
      }
      if (verdict.is === 'error-event' || verdict.is === 'broken') this.halfLists++;
      return this.afterVerdict(verdict, again);
    }
    // A server that only ever sends silence costs the silence limit each time: pages are tried next.
    this.halfLists += end.by === 'silence' ? 2 : 1;
    if (end.by === 'silence')
      return this.retryLater('silent', 'watch', new Error('The list stream fell silent'), again);
    const error = end.by === 'cut' ? end.error : new Error('The list stream ended before its list was whole');
    return this.retryLater('cut', 'watch', error, again);
  }

  private fallBack(again: Step, error: unknown): Step {
    this.watchListSupport.offered = false;
    this.logger.log('info', 'The server does not offer WatchList, lists are read in pages', {}, error);
    return again;
  }

  private askAgain(version: string): Step {
    this.logger.log('info', 'The list is older than what was seen, it is asked for again', { listed: version });
    return { do: 'list', from: 'unset', repeated: true };
  }

  private afterVerdict(verdict: Verdict, again: Step): Step {
    switch (verdict.is) {
      case 'regress':
        return this.askAgain(verdict.version);
      case 'no-initial-end':
        return this.fallBack(again, undefined);
      case 'broken':
        return this.afterBroken(new BrokenStreamError('watch', this.requests.path, verdict.problem), 'watch');
      case 'error-event':
        break;
    }
    const { error } = verdict;
    if (error.status === 410 || error.isGone) {
      return this.retryLater('gone', 'watch', error, { do: 'list', from: again.do === 'list' ? 'unset' : 'last' });
    }
    if (error.status === 429) return this.retryLater('throttled', 'watch', error, again);
    if (error.status === 504) return this.retryLater('too-large', 'watch', error, { do: 'list', from: 'unset' });
    return this.afterBroken(error, 'watch');
  }

  /** A broken line, or an ERROR event that says nothing on how to go on: the state is asked for anew, up to a limit. */
  private afterBroken(error: ApiError | BrokenStreamError, verb: ApiVerb): Step {
    const now = this.options.clock.monotonic();
    this.brokenAt = [...this.brokenAt.filter((at) => now - at < brokenLimit.within), now];
    if (this.brokenAt.length >= brokenLimit.count) {
      const problem = `it was broken ${brokenLimit.count} times within ${brokenLimit.within / 1_000} s`;
      throw new WatchFailedError(resourceName(this.resource), this.namespace, problem, error);
    }
    const kind = error instanceof ApiError ? 'error-event' : 'broken';
    return this.retryLater(kind, verb, error, { do: 'list', from: 'last' });
  }

  /** The request itself failed. `again` repeats it. */
  private async afterRefusal(verb: 'list' | 'watch', error: unknown, again: Step, signal: AbortSignal): Promise<Step> {
    const kind = failureKind(error);
    if (kind === undefined) throw error;
    this.record.answered(verb, error instanceof ApiError ? error.status : undefined);
    switch (kind) {
      case 'gone':
        return this.retryLater(kind, verb, error, { do: 'list', from: again.do === 'watch' ? 'last' : 'unset' });
      case 'too-large':
        return this.retryLater(kind, verb, error, { do: 'list', from: 'unset' });
      case 'rejected':
        // Whatever was wrong with the request, the plainest form of it is the one most likely to be taken.
        return this.retryLater(kind, verb, error, { do: 'list', from: 'unset' });
      case 'not-found':
        return this.afterNotFound(verb, error, again, signal);
      case 'server':
      case 'throttled':
      case 'refused':
      case 'network':
        return this.retryLater(kind, verb, error, again);
    }
  }

  private async afterNotFound(verb: 'list' | 'watch', error: unknown, again: Step, signal: AbortSignal): Promise<Step> {
    const presence = await this.askKind(signal);
    if (presence === 'gone') return { do: 'await-kind' };
    if (presence === 'unknown') return this.retryLater('not-found', verb, error, again);
    if (verb === 'watch' && again.do === 'list') {
      // Served, but not in this form: pages are tried next.
      this.halfLists = 2;
      return again;
    }
    return this.retryLater('refused', verb, error, again);
  }

  private retryLater(kind: WatchTroubleKind, verb: ApiVerb, error: unknown, next: Step): Step {
    const now = this.options.clock.monotonic();
    if (this.healthySince !== undefined && now - this.healthySince >= this.options.config.backoff.reset) {
      this.backoff.reset();
    }
    this.healthySince = undefined;
    const asked = error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
    const delay = Math.max(this.backoff.next(), asked);
    const status = error instanceof ApiError ? error.status : undefined;
    const message = error instanceof Error ? error.message : String(error);
    this.record.answered(verb, status);
    this.record.restarted(kind);
    this.record.degrade({ kind, verb, status, message }, error, delay);
    return { do: 'wait', delay, next };
  }

  /** Two streams in a row brought nothing: has the server's history been set back behind the version we watch from? */
  private async probe(signal: AbortSignal): Promise<Step> {
    const { client, resource } = this.options;
    const end = await readVersion({ client, requests: this.requests, resource }, signal);
    if (end.by !== 'items') return this.afterFailedList(end, { do: 'probe' }, signal);
    this.record.answered('list', 200);
    this.emptyStreams = 0;
    const order = this.version === undefined ? undefined : compareVersions(end.version, this.version);
    return order !== undefined && order >= 0 ? { do: 'watch' } : { do: 'list', from: 'unset' };
  }

  private async awaitKind(signal: AbortSignal): Promise<Step> {
    const { clock, random, store, namespace } = this.options;
    this.logger.log('info', 'The resource is no longer served, waiting for it');
    this.record.enter('kind-gone');
    this.version = undefined;
    this.healthySince = undefined;
    store.dropScope(namespace);
    const pace = new Backoff(kindPolling, random);
    do {
      await wait(clock, pace.next(), signal);
    } while ((await this.askKind(signal)) !== 'served');
    this.logger.log('info', 'The resource is served again');
    return { do: 'list', from: 'unset' };
  }

  private async askKind(signal: AbortSignal): Promise<KindPresence> {
    try {
      return await unlessAborted(this.options.resolveKind(signal), signal);
    } catch (error) {
      signal.throwIfAborted();
      this.logger.log('debug', 'Discovery could not be asked', {}, error);
      return 'unknown';
    }
  }

  private timeoutSeconds(): number {
    const { timeout, silence } = this.options.config;
    const random = (timeout.min + this.options.random.next() * (timeout.max - timeout.min)) / 1_000;
    const longest = this.bookmarks === 'absent' ? Math.min(timeoutWithoutBookmarks, (silence / 1_000) * 0.8) : random;
    return Math.max(1, Math.round(Math.min(random, longest)));
  }
}
