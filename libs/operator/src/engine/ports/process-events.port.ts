/** Signals that ask a process to end. */
export type StopSignal = 'SIGTERM' | 'SIGINT';

/** Events of the process as a whole. Each `on…` returns a function that removes the listener. Tests replace it. */
export interface ProcessEvents {
  onSignal(signal: StopSignal, listener: (signal: StopSignal) => void): () => void;
  onUncaughtException(listener: (error: unknown) => void): () => void;
  onUnhandledRejection(listener: (reason: unknown) => void): () => void;
  listenerCount(event: 'uncaughtException' | 'unhandledRejection' | StopSignal): number;
  /** Throws `error` from the top of a fresh macrotask, so that it counts as uncaught. */
  raise(error: unknown): void;
}

export class NodeProcessEvents implements ProcessEvents {
  onSignal(signal: StopSignal, listener: (signal: StopSignal) => void): () => void {
    return listen(signal, () => listener(signal));
  }

  onUncaughtException(listener: (error: unknown) => void): () => void {
    return listen('uncaughtException', listener);
  }

  onUnhandledRejection(listener: (reason: unknown) => void): () => void {
    return listen('unhandledRejection', listener);
  }

  listenerCount(event: 'uncaughtException' | 'unhandledRejection' | StopSignal): number {
    return process.listenerCount(event);
  }

  raise(error: unknown): void {
    setImmediate(() => {
      throw error;
    });
  }
}

function listen(event: string, listener: (value: unknown) => void): () => void {
  process.on(event, listener);
  return () => {
    process.off(event, listener);
  };
}
