import { MalformedObjectError } from '../../errors/malformed-object.error.js';
import type { ApiClient } from '../client/api-client.js';
import { wait } from '../client/wait.js';
import { noObserver, type EngineObserver, type WatchFact } from '../engine-observer.js';
import { objectKey } from '../kube-object.js';
import type { StoredObject } from '../kube-object.js';
import type { OperatorConfig } from '../operator-config.js';
import { SystemPollPhase } from '../ports/index.js';
import type { Clock, Logger, PollPhase, Random } from '../ports/index.js';
import { resourceName } from '../resource.js';
import type { Resource } from '../resource.js';
import { Backoff } from './backoff.js';
import { catchUp } from './catch-up.js';
import { readList, readVersion } from './list-reader.js';
import type { ListSession, ObjectStore } from './object-store.js';
import type { ReflectorStep, StreamVerdict } from './reflector-step.js';
import { ResourceRequests } from './resource-requests.js';
import type { ListVersion, WatchDescriptor } from './resource-requests.js';
import { compareVersions, isIntegerVersion } from './resource-version.js';
import { parseFrame } from './watch-frame.js';
import { WatchHealthRecord } from './watch-health.js';
import type { WatchHealth } from './watch-health.js';
import { WatchJudge } from './watch-judge.js';
import type { KindPresence, WatchListSupport } from './watch-judge.js';
import { unlessMalformed } from './unless-malformed.js';
import { WatchProgress } from './watch-progress.js';
import { readStream } from './watch-stream.js';
import type { StreamEnd } from './watch-stream.js';

export type { KindPresence, WatchListSupport } from './watch-judge.js';

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
  /**
   * While the kind is gone: resolves when it may have come back; `undefined`: nobody tells, and discovery is asked again
   * and again.
   */
  readonly kindNews?: () => Promise<void> | undefined;
  readonly metadataOnly?: boolean;
  readonly watchListSupport?: WatchListSupport;
  readonly pollPhase?: PollPhase;
  readonly observer?: EngineObserver;
}

/** Discovery is asked at this pace, 1 to 2 times, while the kind is gone and nobody tells of its return. */
const kindPolling = { initial: 800, factor: 2, cap: 2_000 };
/** And after that long where somebody does. */
const kindLook = 60_000;
/** Seconds. A bookmark comes two before the end of a watch: this one brings it at once. */
const hurriedWatch = 3;
/** The mark of the end comes right after the last initial event: a bookmark without it, so long after one, tells of none. */
const initialEndDue = 30_000;

/** Lists and watches one resource in one namespace or in all, and keeps the store equal to the server. */
export class Reflector {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  /** Resolves when the first list was applied and a watch accepted. Stays pending when that never comes. */
  readonly synced: Promise<void>;
  private readonly requests: ResourceRequests;
  private readonly record: WatchHealthRecord;
  private readonly judge: WatchJudge;
  private readonly logger: Logger;
  private readonly pollPhase: PollPhase;
  private readonly observer: EngineObserver;
  private readonly fact: WatchFact;
  private resolveSynced: () => void = () => undefined;
  private started = false;
  private readonly progress: WatchProgress;
  /** Ends the stream of a watch, to go on with another step. */
  private interruption: ((next: ReflectorStep) => void) | undefined;

  constructor(private readonly options: ReflectorOptions) {
    this.resource = options.resource;
    this.namespace = options.namespace;
    const descriptor: WatchDescriptor = options;
    this.requests = new ResourceRequests(descriptor);
    this.observer = options.observer ?? noObserver;
    this.fact = { resource: resourceName(options.resource), namespace: options.namespace };
    this.logger = options.logger.child('Reflector', { ...this.fact });
    this.progress = new WatchProgress(this.logger);
    this.record = new WatchHealthRecord(options.clock, this.logger, this.fact, this.observer);
    this.judge = new WatchJudge({
      ...options,
      path: this.requests.path,
      logger: this.logger,
      record: this.record,
      watchListSupport: options.watchListSupport ?? { offered: true },
    });
    this.pollPhase = options.pollPhase ?? new SystemPollPhase();
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
   * Resolves when the store shows at least what the server had when this was called. Where no list or watch succeeds, it
   * resolves as well.
   */
  async catchUp(signal: AbortSignal): Promise<void> {
    await catchUp(
      {
        clock: this.options.clock,
        reached: () => this.progress.version,
        isFollowing: () => this.record.current === 'watching',
        lists: () => this.progress.lists,
        isTrying: () => this.isTrying,
        readVersion: (until) => readVersion({ client: this.options.client, requests: this.requests }, until),
        hurry: () => this.interruption?.({ do: 'watch', timeoutSeconds: hurriedWatch }),
        relist: () => this.interruption?.({ do: 'list', from: 'unset' }),
        onProgress: (listener) => {
          const ends = [this.progress.subscribe(listener), this.record.subscribe(listener)];
          return () => ends.forEach((end) => end());
        },
      },
      signal,
    );
  }

  /**
   * Runs until the signal is aborted; resolves then, and nothing more reaches the store. Can be called once.
   *
   * @throws WatchFailedError, CredentialsError, and what the store's listener throws: the watch
   * cannot go on.
   */
  async run(signal: AbortSignal): Promise<void> {
    if (this.started) throw new Error('A reflector runs once; make another one.');
    this.started = true;
    let step: ReflectorStep = { do: 'list', from: 'unset' };
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

  private perform(step: ReflectorStep, signal: AbortSignal): Promise<ReflectorStep> {
    switch (step.do) {
      case 'list':
        return this.list(step, signal);
      case 'watch':
        return this.watch(step, signal);
      case 'probe':
        return this.probe(signal);
      case 'wait':
        return wait(this.options.clock, step.delay, signal).then(() => step.next);
      case 'await-kind':
        return this.awaitKind(signal);
    }
  }

  private async list(step: ReflectorStep & { do: 'list' }, signal: AbortSignal): Promise<ReflectorStep> {
    if (this.record.current !== 'degraded') this.record.enter('listing');
    const { store, config, namespace, client } = this.options;
    const session = store.beginList(namespace, { repeated: step.repeated === true });
    const from: ListVersion =
      step.from === 'last' && this.progress.version !== undefined && isIntegerVersion(this.progress.version)
        ? { notOlderThan: this.progress.version }
        : 'unset';
    const again: ReflectorStep = { ...step, from: from === 'unset' ? 'unset' : step.from };
    if (this.judge.wantsWatchList && step.whole !== true) {
      return this.watchList(session, from, again, signal);
    }
    const limit = step.whole === true ? undefined : config.pageSize;
    const end = await readList({ client, requests: this.requests }, from, limit, signal);
    if (end.by !== 'items') return this.judge.afterFailedList(end, again, signal);
    this.record.answered('list', 200);
    const finished = unlessMalformed(() => session.finish(end.items, end.version));
    if (finished instanceof MalformedObjectError) return this.judge.afterMalformedList(finished);
    if (finished === 'ask-again') return this.judge.askAgain(end.version);
    this.progress.listed(end.version);
    this.judge.listed();
    this.record.enter('listing');
    return { do: 'watch' };
  }

  /** List and watch in one stream: nothing reaches the store before the list is whole. */
  private async watchList(
    session: ListSession,
    from: ListVersion,
    again: ReflectorStep,
    signal: AbortSignal,
  ): Promise<ReflectorStep> {
    const { clock } = this.options;
    const initial = new Map<unknown, StoredObject>();
    let whole = false;
    let progressAt = clock.monotonic();
    const end = await this.stream(
      this.requests.watchList(from, this.judge.timeoutSeconds()),
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
            return clock.monotonic() - progressAt >= initialEndDue ? { is: 'no-initial-end' } : undefined;
          }
          const finished = unlessMalformed(() => session.finish(initial.values(), version));
          if (finished instanceof MalformedObjectError) return { is: 'malformed', error: finished };
          if (finished === 'ask-again') return { is: 'regress', version };
          whole = true;
          initial.clear();
          this.progress.listed(version);
          this.judge.listed();
          this.reachSync();
          return undefined;
        },
      },
      signal,
    );
    if ('interrupted' in end) return end.interrupted;
    if (whole) return this.judge.afterStream(end, signal);
    return this.judge.afterHalfList(end, again, signal);
  }

  private async watch(step: ReflectorStep & { do: 'watch' }, signal: AbortSignal): Promise<ReflectorStep> {
    const { version } = this.progress;
    if (version === undefined) return { do: 'list', from: 'unset' };
    const end = await this.stream(
      this.requests.watch(version, step.timeoutSeconds ?? this.judge.timeoutSeconds()),
      {
        opened: () => this.reachSync(),
        event: (type, object) => this.apply(type, object),
        bookmark: (reached) => this.follow(reached),
      },
      signal,
    );
    return 'interrupted' in end ? end.interrupted : this.judge.afterStream(end, signal);
  }

  private async stream(
    request: ReturnType<ResourceRequests['watch']>,
    on: {
      readonly opened: () => void;
      readonly event: (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: StoredObject) => StreamVerdict | undefined;
      readonly bookmark: (version: string, endsInitial: boolean) => StreamVerdict | undefined;
    },
    signal: AbortSignal,
  ): Promise<StreamEnd<StreamVerdict> | { readonly interrupted: ReflectorStep }> {
    const { client, clock, config } = this.options;
    const reader = {
      onOpen: () => {
        this.record.answered('watch', 200);
        this.judge.opened();
        on.opened();
      },
      onFrame: (line: string): StreamVerdict | undefined => {
        this.record.lastFrameAt = clock.now();
        if (line.trim() === '') return undefined;
        const frame = parseFrame(line, this.requests.type, this.requests.path, clock);
        switch (frame.is) {
          case 'event':
            this.observer.onWatchEvent?.(this.fact, frame.type);
            return on.event(frame.type, frame.object);
          case 'bookmark':
            this.observer.onWatchEvent?.(this.fact, 'BOOKMARK');
            this.judge.sawBookmark();
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
    const over = new AbortController();
    let next: ReflectorStep | undefined;
    this.interruption = (step) => {
      next = step;
      over.abort(new Error('The watch goes on in another way.'));
    };
    try {
      return await readStream(options, request, reader, AbortSignal.any([signal, over.signal]));
    } catch (error) {
      if (next !== undefined && !signal.aborted) return { interrupted: next };
      throw error;
    } finally {
      this.interruption = undefined;
    }
  }

  private apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: StoredObject): StreamVerdict | undefined {
    const error = unlessMalformed(() => this.options.store.observe(type, object, this.namespace));
    if (error instanceof MalformedObjectError) return { is: 'malformed', error };
    this.progress.move(object.metadata.resourceVersion);
    return undefined;
  }

  private follow(version: string): undefined {
    this.options.store.advance(version, this.namespace);
    this.progress.move(version);
  }

  private get isTrying(): boolean {
    const { state, synced, cause } = this.record.read();
    // What the store holds of a watch that is refused cannot be brought up to date; what it never held comes by a list.
    if (state === 'degraded') return synced && cause?.kind !== 'refused';
    return state === 'listing' || state === 'idle';
  }

  private reachSync(): void {
    this.record.enter('watching');
    this.record.synced();
    this.resolveSynced();
  }

  /** Two streams in a row brought nothing: has the server's history been set back behind the version we watch from? */
  private async probe(signal: AbortSignal): Promise<ReflectorStep> {
    const { client } = this.options;
    const end = await readVersion({ client, requests: this.requests }, signal);
    if (end.by !== 'items') return this.judge.afterFailedList(end, { do: 'probe' }, signal);
    this.record.answered('list', 200);
    this.judge.probed();
    const order = this.progress.version === undefined ? undefined : compareVersions(end.version, this.progress.version);
    return order !== undefined && order >= 0 ? { do: 'watch' } : { do: 'list', from: 'unset' };
  }

  private async awaitKind(signal: AbortSignal): Promise<ReflectorStep> {
    const { random, store, namespace } = this.options;
    this.logger.log('info', 'The resource is no longer served, waiting for it');
    this.record.enter('kind-gone');
    this.progress.forget();
    store.dropScope(namespace);
    const pace = new Backoff(kindPolling, random);
    do {
      await this.kindMayBeBack(pace, signal);
    } while ((await this.judge.askKind(signal)) !== 'served');
    this.logger.log('info', 'The resource is served again');
    return { do: 'list', from: 'unset' };
  }

  private async kindMayBeBack(pace: Backoff, signal: AbortSignal): Promise<void> {
    const { clock, kindNews } = this.options;
    const news = kindNews?.();
    if (news === undefined) return wait(clock, pace.next(), signal);
    const over = new AbortController();
    try {
      await Promise.race([wait(clock, kindLook, AbortSignal.any([signal, over.signal])), news]);
    } finally {
      over.abort(new Error('There is news of definitions.'));
    }
    signal.throwIfAborted();
  }
}
