import type { Timer } from './clock.js';

/**
 * Says when the event loop has read what lay ready on its sockets. After a blocked loop, timers fire before bytes that
 * came in meanwhile are read: who judges a silence asks here first.
 */
export interface PollPhase {
  /** Calls `run` once the loop has gone through its next poll phase. */
  after(run: () => void): Timer;
}

export class SystemPollPhase implements PollPhase {
  after(run: () => void): Timer {
    const handle = setImmediate(run);
    return { cancel: () => clearImmediate(handle) };
  }
}
