import type { ServerResponse } from 'node:http';
import type { Activity } from '../activity.js';
import type { Clock, Timer } from '../clock.js';
import type { FaultAction } from '../faults/fault.js';

interface Effects {
  cutAfter: number | undefined;
  rechunk: number | undefined;
  resetAfterHeaders: boolean;
  delayEvents: number;
  stallAfter: number | undefined;
  endAfter: number | undefined;
  slowReader: number | undefined;
}

function effectsOf(actions: readonly FaultAction[]): Effects {
  const effects: Effects = {
    cutAfter: undefined,
    rechunk: undefined,
    resetAfterHeaders: false,
    delayEvents: 0,
    stallAfter: undefined,
    endAfter: undefined,
    slowReader: undefined,
  };
  for (const action of actions) {
    if (action.action === 'cut') effects.cutAfter = action.afterBytes;
    else if (action.action === 'rechunk') effects.rechunk = action.bytes;
    else if (action.action === 'reset') effects.resetAfterHeaders = action.when === 'afterHeaders';
    else if (action.action === 'delayEvents') effects.delayEvents += action.ms;
    else if (action.action === 'stall') effects.stallAfter = action.afterEvents ?? 0;
    else if (action.action === 'endStream') effects.endAfter = action.afterEvents ?? 0;
    else if (action.action === 'endSlowReader') effects.slowReader = action.bytes;
  }
  return effects;
}

/** The body of one answer on its way out, with the faults that were asked for. */
export class AnswerStream {
  readonly #effects: Effects;
  #bytes = 0;
  #lines = 0;
  #stalled = false;
  #over = false;
  #delayed = new Set<Timer>();

  constructor(
    private readonly response: ServerResponse,
    actions: readonly FaultAction[],
    private readonly clock: Clock,
    private readonly activity: Activity,
    private readonly bufferLimit: number,
    private readonly onOver: () => void,
  ) {
    this.#effects = effectsOf(actions);
    response.once('close', () => this.#finished());
  }

  /** Bytes of the body that were sent. */
  get bytes(): number {
    return this.#bytes;
  }

  get over(): boolean {
    return this.#over;
  }

  head(status: number, headers: Record<string, string | string[]>): void {
    if (this.#over) return;
    this.response.writeHead(status, headers);
    if (this.#effects.resetAfterHeaders) {
      this.response.flushHeaders();
      this.#breakOff();
    }
  }

  /** Starts a stream: headers go out at once. */
  open(status: number, headers: Record<string, string>): void {
    this.head(status, headers);
    if (this.#over) return;
    this.response.flushHeaders();
    this.#afterLine();
  }

  /** A whole body. */
  finish(body: string | Buffer): void {
    this.#send(typeof body === 'string' ? Buffer.from(body) : body);
    if (!this.#over && !this.#stalled) this.response.end();
  }

  /** A line of a watch. */
  line(line: Buffer): void {
    if (this.#over || this.#stalled) return;
    if (this.#effects.delayEvents > 0) {
      const timer: Timer = this.clock.setTimer(
        this.#effects.delayEvents,
        () => {
          this.#delayed.delete(timer);
          this.#line(line);
        },
        { background: true },
      );
      this.#delayed.add(timer);
    } else {
      this.#line(line);
    }
  }

  /** Ends the stream cleanly. */
  end(): void {
    if (this.#over || this.#stalled) return;
    // Lines that a fault holds back are part of what was sent before the end.
    if (this.#delayed.size > 0) {
      const timer: Timer = this.clock.setTimer(
        this.#effects.delayEvents,
        () => {
          this.#delayed.delete(timer);
          if (!this.#over && !this.#stalled) this.response.end();
        },
        { background: true },
      );
      this.#delayed.add(timer);
      return;
    }
    this.response.end();
  }

  /** Resets the connection. */
  reset(): void {
    const { socket } = this.response;
    if (socket === null) this.response.destroy();
    else socket.resetAndDestroy();
    this.#finished();
  }

  /** From now on nothing goes in or out, but the connection stays. */
  stall(): void {
    this.#stalled = true;
    this.response.socket?.pause();
    for (const timer of this.#delayed) timer.cancel();
    this.#delayed.clear();
  }

  #line(line: Buffer): void {
    if (this.#over || this.#stalled) return;
    this.#lines++;
    this.#send(line);
    const limit = Math.min(this.#effects.slowReader ?? Infinity, this.bufferLimit);
    if (!this.#over && this.response.writableLength > limit) {
      this.reset();
      return;
    }
    this.#afterLine();
  }

  #afterLine(): void {
    if (this.#over) return;
    const { stallAfter, endAfter } = this.#effects;
    if (stallAfter !== undefined && this.#lines >= stallAfter) this.stall();
    else if (endAfter !== undefined && this.#lines >= endAfter) this.response.end();
  }

  #send(data: Buffer): void {
    if (this.#over || this.#stalled || data.length === 0) return;
    const { cutAfter, rechunk } = this.#effects;
    const allowed = cutAfter === undefined ? data : data.subarray(0, Math.max(0, cutAfter - this.#bytes));
    this.#bytes += allowed.length;
    // A write reaches the socket in this turn of the loop at the latest; until then the server is not idle.
    const done = this.activity.begin();
    setImmediate(done);
    const step = rechunk ?? allowed.length;
    for (let at = 0; at < allowed.length; at += step) this.response.write(allowed.subarray(at, at + step));
    if (allowed.length < data.length || (cutAfter !== undefined && this.#bytes >= cutAfter)) {
      this.#breakOff();
    }
  }

  /** Sends nothing more, and resets the connection once what was written has left. */
  #breakOff(): void {
    this.#stalled = true;
    const done = this.activity.begin();
    setImmediate(() => {
      this.reset();
      done();
    });
  }

  #finished(): void {
    if (this.#over) return;
    this.#over = true;
    for (const timer of this.#delayed) timer.cancel();
    this.#delayed.clear();
    this.onOver();
  }
}
