import type { QueueState } from '../engine/engine-observer.js';
import type { ObjectKey } from '../engine/kube-object.js';
import type { Clock } from '../engine/ports/index.js';

type TimedState = Extract<QueueState, 'ready' | 'running'>;

interface Stay {
  readonly state: TimedState;
  readonly since: number;
}

/** Since when keys are due, or processed. Holds none that has nothing to do now. */
export class WorkTimes {
  readonly #stays = new Map<string, Map<ObjectKey, Stay>>();

  constructor(private readonly clock: Clock) {}

  get resources(): Iterable<string> {
    return this.#stays.keys();
  }

  /** It may have been served, and have left, before. */
  serve(resource: string): void {
    this.#stays.set(resource, new Map());
  }

  leave(resource: string): void {
    this.#stays.delete(resource);
  }

  /** Returns the state that this ends, with the milliseconds that it took. */
  enter(
    resource: string,
    key: ObjectKey,
    state: QueueState,
  ): { readonly state: TimedState; readonly duration: number } | undefined {
    const stays = this.#stays.get(resource);
    if (stays === undefined) return undefined;
    const now = this.clock.monotonic();
    const former = stays.get(key);
    if (state === 'ready' || state === 'running') stays.set(key, { state, since: now });
    else stays.delete(key);
    return former && { state: former.state, duration: now - former.since };
  }

  ready(resource: string): number {
    return this.#of(resource).filter(({ state }) => state === 'ready').length;
  }

  /** For how many milliseconds each key that is processed has been so. */
  running(resource: string): number[] {
    const now = this.clock.monotonic();
    return this.#of(resource)
      .filter(({ state }) => state === 'running')
      .map(({ since }) => now - since);
  }

  #of(resource: string): Stay[] {
    return [...(this.#stays.get(resource)?.values() ?? [])];
  }
}
