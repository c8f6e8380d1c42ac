import type { ServerResponse } from 'node:http';
import type { Activity } from '../activity.js';
import type { Clock, Timer } from '../clock.js';
import { effectsOf, type AnswerEffects } from '../faults/answer-effects.js';
import { EventFaults } from '../faults/event-faults.js';
import type { RequestFaults } from '../faults/request-faults.js';
import { writeChunk } from './chunk-writer.js';

/**
 * `open`: bytes go out. `held`: they wait until a stall is over. `silent`: they go nowhere, and the connection stays.
 * `ended`: nothing follows any more. `over`: the connection has let go of the answer.
 */
type State = 'open' | 'held' | 'silent' | 'ended' | 'over';

/** The body of one answer on its way out, with the faults that were asked for. */
export class AnswerStream {
  /** Called when a fault wants the watch to say that its version is too old. */
  onExpire: (() => void) | undefined;
  readonly #effects: AnswerEffects;
  readonly #events: EventFaults | undefined;
  #state: State = 'open';
  #bytes = 0;
  #lines = 0;
  #stallDone = false;
  #expired = false;
  #waiting: (() => void)[] = [];
  readonly #timers = new Set<Timer>();

  constructor(
    private readonly response: ServerResponse,
    faults: RequestFaults,
    private readonly clock: Clock,
    private readonly activity: Activity,
    private readonly bufferLimit: number,
    private readonly onOver: () => void,
  ) {
    this.#effects = effectsOf(faults);
    this.#events = faults.empty ? undefined : new EventFaults(faults);
    response.once('close', () => this.#finished());
  }

  /** Bytes of the body that were sent. */
  get bytes(): number {
    return this.#bytes;
  }

  get over(): boolean {
    return this.#state === 'over';
  }

  head(status: number, headers: Record<string, string | string[]>): void {
    if (this.#state === 'over') return;
    this.response.writeHead(status, headers);
    if (this.#effects.resetAfterHeaders) {
      this.response.flushHeaders();
      this.#breakOff('reset');
    }
  }

  /** Starts a stream: headers go out at once. */
  open(status: number, headers: Record<string, string | string[]>): void {
    this.head(status, headers);
    if (this.#state !== 'open') return;
    // Not `flushHeaders`, which encodes bytes beyond ASCII once more.
    this.response.write(Buffer.alloc(0));
    this.#afterLine();
    for (const line of this.#events?.begin() ?? []) this.#queue(line);
  }

  /** A whole body. */
  finish(body: string | Buffer): void {
    if (this.#events === undefined) {
      // Headers and body leave in one piece. The answer counts until it is closed.
      this.#bytes = Buffer.byteLength(body);
      this.#state = 'ended';
      this.response.end(body);
      return;
    }
    this.#send(typeof body === 'string' ? Buffer.from(body) : body);
    this.#end();
  }

  /** A line of a watch. */
  line(line: Buffer): void {
    if (this.#events === undefined) this.#direct(line);
    else for (const each of this.#events.take(line)) this.#queue(each);
  }

  /** Ends the stream cleanly. */
  end(): void {
    for (const line of this.#events?.rest() ?? []) this.#queue(line);
    // Lines that a fault holds back are part of what was sent before the end.
    if (this.#effects.delayEvents > 0) this.#later(this.#effects.delayEvents, () => this.#end());
    else this.#end();
  }

  /** Resets the connection. */
  reset(): void {
    const { socket } = this.response;
    if (socket === null) this.response.destroy();
    else socket.resetAndDestroy();
    this.#finished();
  }

  /** Nothing goes in or out, but the connection stays: for so many milliseconds, or from now on. */
  stall(ms?: number): void {
    if (this.#state !== 'open' && this.#state !== 'held') return;
    this.response.socket?.pause();
    if (ms === undefined) {
      this.#state = 'silent';
      this.#cancelTimers();
      return;
    }
    this.#state = 'held';
    this.#later(ms, () => {
      this.#state = 'open';
      this.response.socket?.resume();
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const step of waiting) step();
    });
  }

  /** A line that no fault does anything to. */
  #direct(line: Buffer): void {
    if (this.#state !== 'open') return this.#defer(() => this.#direct(line));
    this.#bytes += line.length;
    this.activity.untilNextTurn();
    writeChunk(this.response, line);
    if (this.response.writableLength > this.bufferLimit) this.reset();
  }

  #queue(line: Buffer): void {
    if (this.#effects.delayEvents > 0) this.#later(this.#effects.delayEvents, () => this.#line(line));
    else this.#line(line);
  }

  #line(line: Buffer): void {
    if (this.#state !== 'open') return this.#defer(() => this.#line(line));
    this.#lines++;
    this.#send(line);
    const limit = Math.min(this.#effects.slowReader ?? Infinity, this.bufferLimit);
    if (this.#state === 'open' && this.response.writableLength > limit) this.reset();
    else this.#afterLine();
  }

  #afterLine(): void {
    if (this.#state !== 'open') return;
    const { stall, endAfter, expireAfter } = this.#effects;
    if (expireAfter !== undefined && this.#lines >= expireAfter && !this.#expired) {
      this.#expired = true;
      // What is in the middle of writing a line has to come to its end first.
      const done = this.activity.begin();
      setImmediate(() => {
        this.onExpire?.();
        done();
      });
    } else if (stall !== undefined && stall.afterBytes === undefined && this.#lines >= (stall.afterEvents ?? 0)) {
      this.#stallOnce(stall.ms);
    } else if (endAfter !== undefined && this.#lines >= endAfter) {
      this.#end();
    }
  }

  #stallOnce(ms: number | undefined): void {
    if (this.#stallDone) return;
    this.#stallDone = true;
    this.stall(ms);
  }

  #end(): void {
    if (this.#state !== 'open') return this.#defer(() => this.#end());
    this.#state = 'ended';
    this.response.end();
  }

  /** A step that cannot be done now is done when the stall is over, if that will ever be. */
  #defer(step: () => void): void {
    if (this.#state === 'held') this.#waiting.push(step);
  }

  #send(data: Buffer): void {
    if (data.length === 0) return;
    if (this.#state !== 'open') return this.#defer(() => this.#send(data));
    const { cut, stall } = this.#effects;
    const limit = cut === undefined ? Infinity : cut.afterBytes;
    const pauseAt = this.#stallDone ? Infinity : (stall?.afterBytes ?? Infinity);
    const allowed = Math.min(data.length, limit - this.#bytes, pauseAt - this.#bytes);
    this.#write(data.subarray(0, Math.max(0, allowed)));
    if (cut !== undefined && this.#bytes >= cut.afterBytes) this.#breakOff(cut.how);
    else if (this.#bytes >= pauseAt) {
      this.#stallOnce(stall?.ms);
      this.#send(data.subarray(allowed));
    }
  }

  #write(data: Buffer): void {
    if (data.length === 0) return;
    this.#bytes += data.length;
    this.activity.untilNextTurn();
    const step = this.#effects.rechunk ?? data.length;
    for (let at = 0; at < data.length; at += step) this.response.write(data.subarray(at, at + step));
  }

  /** Sends nothing more, and breaks the connection once what was written has left. */
  #breakOff(how: 'reset' | 'close'): void {
    this.#state = 'ended';
    const done = this.activity.begin();
    setImmediate(() => {
      if (how === 'reset') this.reset();
      else this.response.socket?.destroySoon();
      done();
    });
  }

  #later(ms: number, step: () => void): void {
    if (this.#state === 'over' || this.#state === 'silent') return;
    const timer: Timer = this.clock.setTimer(
      ms,
      () => {
        this.#timers.delete(timer);
        step();
      },
      { background: true },
    );
    this.#timers.add(timer);
  }

  #cancelTimers(): void {
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    this.#waiting = [];
  }

  #finished(): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    this.#cancelTimers();
    this.onOver();
  }
}
