import { noObserver, type EngineObserver } from '../engine-observer.js';
import type { Logger } from '../ports/index.js';
import type { OperatorState } from './supervised.js';

/** A stop may begin in any state before it; the deadline may end it in any state after it began. */
const transitions: Readonly<Record<OperatorState, readonly OperatorState[]>> = {
  idle: ['starting', 'draining'],
  starting: ['running', 'draining'],
  running: ['draining'],
  draining: ['stopping', 'failed'],
  stopping: ['stopped', 'failed'],
  stopped: [],
  failed: [],
};

/** The operator's state: read by anyone, moved by the supervisor alone. */
export class Lifecycle {
  readonly #logger: Logger;
  readonly #observer: EngineObserver;
  #state: OperatorState = 'idle';

  constructor(logger: Logger, observer: EngineObserver = noObserver) {
    this.#logger = logger;
    this.#observer = observer;
  }

  get state(): OperatorState {
    return this.#state;
  }

  /** A stop has begun or is over. */
  get stopping(): boolean {
    return this.#state === 'draining' || this.#state === 'stopping' || this.final;
  }

  get final(): boolean {
    return this.#state === 'stopped' || this.#state === 'failed';
  }

  /** Moves to `next` if that is possible from here; tells whether it did. */
  move(next: OperatorState): boolean {
    const from = this.#state;
    if (!transitions[from].includes(next)) return false;
    this.#state = next;
    this.#logger.log('debug', 'Operator state changed', { from, to: next });
    this.#observer.onOperatorState?.(next, from);
    return true;
  }
}
