import type { FaultKind, StreamFault } from '../faults/fault.js';
import type { StreamSink } from './cluster-exchange.js';
import type { SimulatedTime } from './simulated-time.js';
import type { StreamBody } from './stream-body.js';

export interface WatchLineOptions {
  readonly time: SimulatedTime;
  readonly body: StreamBody;
  readonly fault: StreamFault | undefined;
  readonly latency: () => number;
  readonly ceased: () => boolean;
  readonly onFault: (kind: FaultKind) => void;
  /** The way is broken: the server need not send any more. */
  readonly onCut: () => void;
}

const gone = `${JSON.stringify({
  type: 'ERROR',
  object: {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'too old resource version: simulated',
    reason: 'Expired',
    code: 410,
  },
})}\n`;

/** The way of one watch's lines: they arrive in order, each after its time, unless the fault says something else. */
export class WatchLine implements StreamSink {
  /** When the last line arrives: none overtakes it. */
  #lastArrival = 0;
  #silent = false;
  #over = false;

  constructor(private readonly options: WatchLineOptions) {
    const { fault, time } = options;
    if (fault?.kind === 'cut' || fault?.kind === '410') time.after(fault.after, () => this.#strike(fault));
  }

  line(line: Buffer): void {
    if (this.#over) return;
    const { fault, time, body, ceased } = this.options;
    const slow = fault?.kind === 'delay' && !ceased() ? this.options.latency() * (fault.longest / 60) : 0;
    if (slow > 0) this.options.onFault('delay');
    const arrival = this.#arrival(slow);
    time.after(arrival - time.now, () => {
      if (this.#silent) return;
      body.push(line);
    });
    if (fault?.kind !== 'duplicate' || ceased() || this.#hash(line) >= fault.share) return;
    this.options.onFault('duplicate');
    time.after(arrival - time.now + fault.longest * this.#hash(line), () => {
      if (!this.#silent) body.push(line);
    });
  }

  end(): void {
    if (this.#over) return;
    this.#over = true;
    const { time, body } = this.options;
    time.after(this.#arrival(0) - time.now, () => body.end());
  }

  reset(): void {
    this.#over = true;
    this.options.body.end(broken());
  }

  #arrival(slow: number): number {
    const { time, latency } = this.options;
    this.#lastArrival = Math.max(this.#lastArrival, time.now + latency() + slow);
    return this.#lastArrival;
  }

  #strike(fault: Extract<StreamFault, { readonly after: number }>): void {
    const { body, onFault, onCut, ceased } = this.options;
    if (this.#over || body.over || ceased()) return;
    onFault(fault.kind);
    if (fault.kind === '410') {
      body.push(Buffer.from(gone));
      body.end();
    } else if (fault.how === 'silence') {
      this.#silent = true;
    } else {
      if (fault.how === 'midline') body.push(Buffer.from('{"type":"MODIFIED","object":{"kind":"'));
      body.end(fault.how === 'end' || fault.how === 'midline' ? undefined : broken());
    }
    this.#over = true;
    onCut();
  }

  /** A number from 0 to 1 that follows from the line alone. */
  #hash(line: Buffer): number {
    let hash = 7;
    for (let index = 0; index < line.length; index += 5) hash = (Math.imul(hash, 31) + (line[index] as number)) >>> 0;
    return (hash % 1_000) / 1_000;
  }
}

function broken(): Error {
  return Object.assign(new Error('The simulated connection broke'), { code: 'ECONNRESET' });
}
