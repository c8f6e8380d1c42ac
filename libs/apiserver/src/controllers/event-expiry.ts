import type { Timer } from '../clock.js';
import type { ServerContext } from '../pipeline/server-context.js';

const storage = '/events';

/** Removes Events some time after they were last written. One timer, for the one that is due first. */
export class EventExpiry {
  /** Deadlines by key, the next one first: all lifetimes are the same, and a write moves its event to the end. */
  readonly #deadlines = new Map<string, number>();
  readonly #unsubscribe: (() => void)[];
  #timer: Timer | undefined;

  constructor(
    private readonly context: ServerContext,
    private readonly lifetime: number,
  ) {
    this.#unsubscribe = [
      context.store.subscribe(({ resource, key, type }) => {
        if (resource !== storage) return;
        this.#deadlines.delete(key);
        if (type !== 'DELETED') this.#deadlines.set(key, context.clock.now() + lifetime);
        this.#arm();
      }),
      context.store.onRestore(() => this.#reload()),
    ];
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#timer?.cancel();
  }

  #reload(): void {
    this.#deadlines.clear();
    const deadline = this.context.clock.now() + this.lifetime;
    for (const { key } of this.context.store.list(storage)) this.#deadlines.set(key, deadline);
    this.#arm();
  }

  #arm(): void {
    const next = this.#deadlines.values().next();
    if (next.done === true) {
      this.#timer?.cancel();
      this.#timer = undefined;
      return;
    }
    // A timer that fires too early only looks and arms itself again.
    this.#timer ??= this.context.clock.setTimer(next.value - this.context.clock.now(), () => this.#expire(), {
      background: true,
    });
  }

  #expire(): void {
    this.#timer = undefined;
    const now = this.context.clock.now();
    for (const [key, deadline] of this.#deadlines) {
      if (deadline > now) break;
      this.#deadlines.delete(key);
      if (this.context.store.get(storage, key) !== undefined) this.context.store.remove(storage, key);
    }
    this.#arm();
  }
}
