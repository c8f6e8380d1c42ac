import { HandlerTimeoutError } from '../../errors/handler-timeout.error.js';
import { ObjectSupersededError } from '../../errors/object-superseded.error.js';
import { parseDuration } from '../../duration.js';
import type { Stopped, StopReason } from './stopped.js';
import type { Clock } from '../ports/index.js';

/** A {@link Stopped} over an AbortSignal. */
export class StopNotice implements Stopped {
  constructor(
    readonly signal: AbortSignal,
    private readonly clock: Clock,
  ) {}

  get requested(): boolean {
    return this.signal.aborted;
  }

  get reason(): StopReason | undefined {
    if (!this.signal.aborted) return undefined;
    const reason: unknown = this.signal.reason;
    if (reason instanceof ObjectSupersededError) return reason.because;
    return reason instanceof HandlerTimeoutError ? 'timeout' : 'exiting';
  }

  async wait(time?: number | string): Promise<boolean> {
    const delay = time === undefined ? undefined : parseDuration(time);
    if (this.signal.aborted) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = delay === undefined ? undefined : this.clock.setTimer(delay, () => resolve(false));
    const stop = (): void => resolve(true);
    this.signal.addEventListener('abort', stop, { once: true });
    try {
      return await promise;
    } finally {
      timer?.cancel();
      this.signal.removeEventListener('abort', stop);
    }
  }
}
