import { ApiError } from '../../errors/api.error.js';
import { BrokenStreamError } from '../../errors/broken-stream.error.js';
import type { MalformedObjectError } from '../../errors/malformed-object.error.js';
import { WatchFailedError } from '../../errors/watch-failed.error.js';
import type { ApiVerb } from '../client/api-client.js';
import { unlessAborted } from '../client/wait.js';
import type { OperatorConfig } from '../operator-config.js';
import type { Clock, Logger, Random } from '../ports/index.js';
import { resourceName } from '../resource.js';
import type { Resource } from '../resource.js';
import { Backoff } from './backoff.js';
import type { ListEnd } from './list-reader.js';
import type { ReflectorStep, StreamVerdict } from './reflector-step.js';
import { failureKind } from './request-failure.js';
import type { WatchHealthRecord, WatchTroubleKind } from './watch-health.js';
import type { StreamEnd } from './watch-stream.js';

/** What discovery says of the resource. `unknown`: it could not be asked. */
export type KindPresence = 'served' | 'gone' | 'unknown';

/** Whether the server takes WatchList requests. Shared by the reflectors of one server, so that each need not find out. */
export interface WatchListSupport {
  offered: boolean;
}

export interface WatchJudgeOptions {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  /** Path of the requests, for messages. */
  readonly path: string;
  readonly config: OperatorConfig['watching'];
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly record: WatchHealthRecord;
  readonly resolveKind: (signal: AbortSignal) => Promise<KindPresence>;
  readonly watchListSupport: WatchListSupport;
}

/** A broken line or an ERROR event is met with a relist; that many of them within that time are too many. */
const brokenLimit = { count: 5, within: 120_000 };
/** Streams shorter than this do not count as health. */
const shortStream = 1_000;
/** So many short streams in a row are taken up again at once, the next one after a back-off. */
const shortStreamsAtOnce = 2;
/** A resource without bookmarks is silent when it is quiet: its streams end before the silence limit does. Seconds. */
const timeoutWithoutBookmarks = 60;
/** So many WatchList requests in a row that bring no whole list, and the next list is read in pages. */
const halfListsAtMost = 2;

/**
 * Decides how a watch goes on after each list and stream, from how it ended and from what came before: at once, after a
 * back-off, with a list, with a probe, or not at all.
 */
export class WatchJudge {
  private readonly backoff: Backoff;
  private healthySince: number | undefined;
  private brokenAt: number[] = [];
  private emptyStreams = 0;
  private shortStreams = 0;
  /** WatchList requests in a row that ended before their list was whole. */
  private halfLists = 0;
  private bookmarks: 'expected' | 'absent' = 'expected';

  constructor(private readonly options: WatchJudgeOptions) {
    this.backoff = new Backoff(options.config.backoff, options.random);
  }

  /** Whether the next list is to be asked for as part of a watch. */
  get wantsWatchList(): boolean {
    return this.options.config.watchList && this.options.watchListSupport.offered && this.halfLists < halfListsAtMost;
  }

  /** For the next stream. */
  timeoutSeconds(): number {
    const { timeout, silence } = this.options.config;
    const random = (timeout.min + this.options.random.next() * (timeout.max - timeout.min)) / 1_000;
    const longest = this.bookmarks === 'absent' ? Math.min(timeoutWithoutBookmarks, (silence / 1_000) * 0.8) : random;
    return Math.max(1, Math.round(Math.min(random, longest)));
  }

  /** A stream was accepted. */
  opened(): void {
    this.healthySince ??= this.options.clock.monotonic();
  }

  sawBookmark(): void {
    this.bookmarks = 'expected';
  }

  /** A whole list was applied. */
  listed(): void {
    this.halfLists = 0;
    this.emptyStreams = 0;
  }

  /** The server has reached the version that is watched from. */
  probed(): void {
    this.emptyStreams = 0;
  }

  /** A watch has ended. */
  afterStream(end: StreamEnd<StreamVerdict>, signal: AbortSignal): ReflectorStep | Promise<ReflectorStep> {
    if (end.by === 'refusal') return this.afterRefusal('watch', end.error, { do: 'watch' }, signal);
    this.emptyStreams = end.frames === 0 ? this.emptyStreams + 1 : 0;
    this.shortStreams = end.lasted < shortStream ? this.shortStreams + 1 : 0;
    // A watch from a version that the server has not reached is accepted, and silent for ever.
    const next: ReflectorStep = this.emptyStreams >= 2 ? { do: 'probe' } : { do: 'watch' };
    switch (end.by) {
      case 'end':
        if (end.lasted < shortStream && (end.frames === 0 || this.shortStreams > shortStreamsAtOnce)) {
          return this.retryLater('empty', 'watch', new Error('The stream ended as soon as it had begun'), next);
        }
        this.options.record.restarted('end');
        this.options.logger.log('debug', 'Watch stream ended', { frames: end.frames, milliseconds: end.lasted });
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

  /** A WatchList request has ended before its list was whole. `again` repeats it. */
  afterHalfList(
    end: StreamEnd<StreamVerdict>,
    again: ReflectorStep,
    signal: AbortSignal,
  ): ReflectorStep | Promise<ReflectorStep> {
    if (end.by === 'refusal') {
      if (failureKind(end.error) !== 'rejected') return this.afterRefusal('watch', end.error, again, signal);
      return this.fallBack(again, end.error);
    }
    if (end.by === 'reader') {
      const { verdict } = end;
      if (verdict.is === 'error-event' && failureKind(verdict.error) === 'rejected') {
        return this.fallBack(again, verdict.error);
      }
      if (verdict.is !== 'regress' && verdict.is !== 'no-initial-end') this.halfLists++;
      return this.afterVerdict(verdict, again);
    }
    // A server that only ever sends silence costs the silence limit each time: pages are tried next.
    this.halfLists += end.by === 'silence' ? halfListsAtMost : 1;
    if (end.by === 'silence')
      return this.retryLater('silent', 'watch', new Error('The list stream fell silent'), again);
    const error = end.by === 'cut' ? end.error : new Error('The list stream ended before its list was whole');
    return this.retryLater('cut', 'watch', error, again);
  }

  private fallBack(again: ReflectorStep, error: unknown): ReflectorStep {
    this.options.watchListSupport.offered = false;
    this.options.logger.log('info', 'The server does not offer WatchList, lists are read in pages', {}, error);
    return again;
  }

  /** The store has refused a list because it shows less than was seen. */
  askAgain(version: string): ReflectorStep {
    this.options.logger.log('info', 'The list is older than what was seen, it is asked for again', { listed: version });
    return { do: 'list', from: 'unset', repeated: true };
  }

  private afterVerdict(verdict: StreamVerdict, again: ReflectorStep): ReflectorStep {
    switch (verdict.is) {
      case 'regress':
        return this.askAgain(verdict.version);
      case 'no-initial-end':
        return this.fallBack(again, undefined);
      case 'broken':
        return this.afterBroken(new BrokenStreamError('watch', this.options.path, verdict.problem), 'watch');
      case 'malformed':
        return this.afterBroken(verdict.error, 'watch');
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
  private afterBroken(error: ApiError | BrokenStreamError | MalformedObjectError, verb: ApiVerb): ReflectorStep {
    const now = this.options.clock.monotonic();
    this.brokenAt = [...this.brokenAt.filter((at) => now - at < brokenLimit.within), now];
    if (this.brokenAt.length >= brokenLimit.count) {
      const problem = `it was broken ${brokenLimit.count} times within ${brokenLimit.within / 1_000} s`;
      throw new WatchFailedError(resourceName(this.options.resource), this.options.namespace, problem, error);
    }
    const kind = error instanceof ApiError ? 'error-event' : 'broken';
    return this.retryLater(kind, verb, error, { do: 'list', from: 'last' });
  }

  /** The request itself failed. `again` repeats it. */
  private async afterRefusal(
    verb: 'list' | 'watch',
    error: unknown,
    again: ReflectorStep,
    signal: AbortSignal,
  ): Promise<ReflectorStep> {
    const kind = failureKind(error);
    if (kind === undefined) throw error;
    this.options.record.answered(verb, error instanceof ApiError ? error.status : undefined);
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

  private async afterNotFound(
    verb: 'list' | 'watch',
    error: unknown,
    again: ReflectorStep,
    signal: AbortSignal,
  ): Promise<ReflectorStep> {
    const presence = await this.askKind(signal);
    if (presence === 'gone') {
      this.healthySince = undefined;
      return { do: 'await-kind' };
    }
    if (presence === 'unknown') return this.retryLater('not-found', verb, error, again);
    if (verb === 'watch' && again.do === 'list') {
      // Served, but not in this form: pages are tried next.
      this.halfLists = halfListsAtMost;
      return again;
    }
    return this.retryLater('refused', verb, error, again);
  }

  private retryLater(kind: WatchTroubleKind, verb: ApiVerb, error: unknown, next: ReflectorStep): ReflectorStep {
    const now = this.options.clock.monotonic();
    if (this.healthySince !== undefined && now - this.healthySince >= this.options.config.backoff.reset) {
      this.backoff.reset();
    }
    this.healthySince = undefined;
    const asked = error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
    const delay = Math.max(this.backoff.next(), asked);
    const status = error instanceof ApiError ? error.status : undefined;
    const message = error instanceof Error ? error.message : String(error);
    this.options.record.answered(verb, status);
    this.options.record.restarted(kind);
    this.options.record.degrade({ kind, verb, status, message }, error, delay);
    return { do: 'wait', delay, next };
  }

  /** A list or probe has failed. `again` repeats it. */
  afterFailedList(
    end: Exclude<ListEnd, { by: 'items' }>,
    again: ReflectorStep,
    signal: AbortSignal,
  ): ReflectorStep | Promise<ReflectorStep> {
    if (end.by === 'broken')
      return this.afterBroken(new BrokenStreamError('list', this.options.path, end.problem), 'list');
    if (end.expired) return this.retryLater('gone', 'list', end.error, { do: 'list', from: 'unset', whole: true });
    return this.afterRefusal('list', end.error, again, signal);
  }

  /** A whole list holds an object that cannot be identified. */
  afterMalformedList(error: MalformedObjectError): ReflectorStep {
    return this.afterBroken(error, 'list');
  }

  /** What discovery says of the kind now. */
  async askKind(signal: AbortSignal): Promise<KindPresence> {
    try {
      return await unlessAborted(this.options.resolveKind(signal), signal);
    } catch (error) {
      signal.throwIfAborted();
      this.options.logger.log('debug', 'Discovery could not be asked', {}, error);
      return 'unknown';
    }
  }
}
