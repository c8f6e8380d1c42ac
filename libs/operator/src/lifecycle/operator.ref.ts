import { Inject, Injectable } from '@nestjs/common';
import type { OperatorStatus } from '../engine/engine-types.js';
import { descriptionText } from '../engine/description/description-text.js';
import type { OperatorDescription } from '../engine/description/operator-description.js';
import type { OperatorHealth } from '../engine/health/operator-health.js';
import { OperatorLifecycle } from './operator-lifecycle.js';

/** The application's operator, for those who inject it and for `main.ts`. */
@Injectable()
export class OperatorRef {
  constructor(@Inject(OperatorLifecycle) private readonly lifecycle: OperatorLifecycle) {}

  /**
   * Resolves after a clean stop; rejects with the cause chain after an unrecoverable error. Unobserved, it never becomes
   * an unhandled rejection.
   */
  get done(): Promise<void> {
    return this.lifecycle.done;
  }

  /**
   * Runs the start-up handlers, then starts to look up and watch the resources. Resolves when the start-up handlers have
   * succeeded; it does not wait for the cluster, as `whenSynced()` does. Needed with `autoStart: false` only; further calls
   * join the first. Do not await it in a lifecycle hook: a start that fails closes the application, and that waits for the
   * hook until the deadline of the stop.
   *
   * @throws what made the start fail; the operator has stopped then
   */
  start(): Promise<void> {
    return this.lifecycle.start();
  }

  /**
   * Stops in good order and closes the application. Resolves at the end, in any state; what failed is told by `done`.
   * Do not await it in a lifecycle hook: closing the application waits for the hook.
   */
  stop(): Promise<void> {
    return this.lifecycle.stop();
  }

  /**
   * Holds the work: no handler of an object begins, due timers and retries wait, and daemons are told to end with the reason
   * `paused`. Watches, stores and indexes go on, so that nothing is missed. What has begun runs to its end; resolves when it
   * has, or after `shutdown.drain`, and a later `resume()` or stop ends the wait. Before `start()` the operator starts paused.
   * Idempotent, in any state; after a stop it does nothing. Do not await it in a handler: it waits for that handler.
   */
  pause(): Promise<void> {
    return this.lifecycle.pause();
  }

  /** Goes on after `pause()`: what has changed meanwhile is handled once, by its newest state. Idempotent, in any state. */
  resume(): void {
    this.lifecycle.resume();
  }

  getStatus(): OperatorStatus {
    return this.lifecycle.getStatus();
  }

  /**
   * Whether the operator is alive and ready, and why not; the state of each watch; what `@OnProbe` methods say. Takes no
   * longer than the longest timeout of a probe, and never rejects.
   */
  getHealth(): Promise<OperatorHealth> {
    return this.lifecycle.getHealth();
  }

  /**
   * What this operator watches, handles and may do, by what is known now: as an object that can be written as JSON, or as text.
   * Before the start it says what is declared.
   */
  describe(): OperatorDescription;
  describe(form: 'text'): string;
  describe(form?: 'text'): OperatorDescription | string {
    const description = this.lifecycle.describe();
    return form === 'text' ? descriptionText(description) : description;
  }

  /** The port on which health is served. `undefined`: option `health.port` is not given, or it is not served now. */
  get healthPort(): number | undefined {
    return this.lifecycle.healthPort;
  }

  /** Resolves when every watch is in sync and each object of the first lists has had its first cycle begun. */
  whenSynced(): Promise<void> {
    return this.lifecycle.whenSynced();
  }
}
