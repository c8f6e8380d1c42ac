import type { Timer } from '../../../src/engine/ports/index.js';

interface Pending {
  readonly due: number;
  readonly order: number;
  readonly fire: () => void;
  cancelled: boolean;
}

/** Begin of the simulated wall clock. */
const epoch = Date.UTC(2026, 0, 1);

/**
 * Time that moves from timer to timer, with every promise settled in between. Nothing here waits for the outside world, so
 * one turn of the event loop is enough to come to rest.
 */
export class SimulatedTime {
  readonly #heap: Pending[] = [];
  #order = 0;
  #now = 0;
  /** Work that goes on by itself in a later turn of the event loop. */
  readonly #isBusy: () => boolean;

  constructor(isBusy: () => boolean) {
    this.#isBusy = isBusy;
  }

  /** Milliseconds since the begin of the run. */
  get now(): number {
    return this.#now;
  }

  get wall(): number {
    return Math.floor(epoch + this.#now);
  }

  after(delay: number, fire: () => void): Timer {
    const pending: Pending = { due: this.#now + Math.max(0, delay), order: (this.#order += 1), fire, cancelled: false };
    this.#push(pending);
    return {
      cancel: () => {
        pending.cancelled = true;
      },
    };
  }

  wait(delay: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(delay, resolve);
    });
  }

  /** Lets time pass until `end`, or until the condition holds; it is looked at whenever all is at rest. Tells whether it held. */
  async runUntil(end: number, condition: () => boolean = () => false): Promise<boolean> {
    await this.#rest();
    while (!condition()) {
      const next = this.#peek();
      if (next === undefined || next.due > end) {
        this.#now = Math.max(this.#now, end);
        return condition();
      }
      this.#pop();
      this.#now = Math.max(this.#now, next.due);
      next.fire();
      await this.#rest();
    }
    return true;
  }

  async #rest(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.#isBusy());
  }

  #peek(): Pending | undefined {
    while (this.#heap[0]?.cancelled === true) this.#pop();
    return this.#heap[0];
  }

  #push(entry: Pending): void {
    const heap = this.#heap;
    let index = heap.push(entry) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(entry, heap[parent] as Pending)) break;
      heap[index] = heap[parent] as Pending;
      index = parent;
    }
    heap[index] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Pending, heap[child] as Pending)) child += 1;
      if (!isBefore(heap[child] as Pending, last)) break;
      heap[index] = heap[child] as Pending;
      index = child;
    }
    heap[index] = last;
  }
}

function isBefore(a: Pending, b: Pending): boolean {
  return a.due < b.due || (a.due === b.due && a.order < b.order);
}
