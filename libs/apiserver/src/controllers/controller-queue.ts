import type { Activity } from '../activity.js';
import { pause, type Clock } from '../clock.js';
import { ApiError } from '../status.js';

const firstRetry = 5;
const longestRetry = 1_000_000;

/**
 * Work of the in-process controllers: each key once, in order, after the request that caused it was answered. The
 * server counts as busy until the queue is empty, but not while work waits for others. Work that the server refuses is
 * tried again later, as webhooks may refuse it.
 */
export class ControllerQueue {
  readonly #keys = new Set<string>();
  #done: (() => void) | undefined;
  readonly #running = new Set<string>();
  readonly #refusals = new Map<string, number>();
  readonly #stopped = new AbortController();

  constructor(
    private readonly activity: Activity,
    private readonly clock: Clock,
    private readonly work: (key: string) => void | Promise<void>,
    private readonly onError: (error: unknown) => void,
  ) {}

  add(key: string): void {
    if (this.#stopped.signal.aborted) return;
    this.#keys.add(key);
    if (this.#running.has(key)) return;
    if (this.#done !== undefined) return;
    this.#done = this.activity.begin();
    setImmediate(() => this.#drain());
  }

  stop(): void {
    this.#stopped.abort();
    this.#keys.clear();
  }

  #drain(): void {
    for (const key of this.#keys) {
      if (this.#running.has(key)) continue;
      this.#keys.delete(key);
      try {
        const pending = this.work(key);
        if (pending !== undefined) this.#follow(key, pending);
        else this.#refusals.delete(key);
      } catch (error) {
        this.#failed(key, error);
      }
    }
    this.#done?.();
    this.#done = undefined;
  }

  #follow(key: string, pending: Promise<void>): void {
    this.#running.add(key);
    const ended = (): void => {
      this.#running.delete(key);
      if (this.#keys.has(key)) this.add(key);
    };
    pending.then(
      () => {
        this.#refusals.delete(key);
        ended();
      },
      (error: unknown) => {
        ended();
        this.#failed(key, error);
      },
    );
  }

  #failed(key: string, error: unknown): void {
    if (!(error instanceof ApiError)) {
      this.onError(error);
      return;
    }
    if (this.#stopped.signal.aborted) return;
    const refusals = this.#refusals.get(key) ?? 0;
    this.#refusals.set(key, refusals + 1);
    const delay = Math.min(firstRetry * 2 ** refusals, longestRetry);
    pause(this.clock, delay, this.#stopped.signal).then(() => this.add(key), this.onError);
  }
}
