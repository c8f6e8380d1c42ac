import type { Activity } from '../activity.js';

/**
 * Work of the in-process controllers: each key once, in order, after the request that caused it was answered. The
 * server counts as busy until the queue is empty.
 */
export class ControllerQueue {
  readonly #keys = new Set<string>();
  #done: (() => void) | undefined;
  #stopped = false;

  constructor(
    private readonly activity: Activity,
    private readonly work: (key: string) => void,
    private readonly onError: (error: unknown) => void,
  ) {}

  add(key: string): void {
    if (this.#stopped) return;
    this.#keys.add(key);
    if (this.#done !== undefined) return;
    this.#done = this.activity.begin();
    setImmediate(() => this.#drain());
  }

  stop(): void {
    this.#stopped = true;
    this.#keys.clear();
  }

  #drain(): void {
    for (const key of this.#keys) {
      this.#keys.delete(key);
      try {
        this.work(key);
      } catch (error) {
        this.onError(error);
      }
    }
    this.#done?.();
    this.#done = undefined;
  }
}
