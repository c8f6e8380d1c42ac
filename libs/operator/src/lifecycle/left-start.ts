import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<true>();

/**
 * Runs `create` so that an operator in the application that it makes does not start by itself at bootstrap: the caller
 * starts it once signals and errors of the process lead to it. A context is handed out only after its bootstrap, and a
 * signal between the two would end the process in the middle of the start.
 */
export function leavingStartToCaller<T>(create: () => Promise<T>): Promise<T> {
  return storage.run(true, create);
}

export function isStartLeftToCaller(): boolean {
  return storage.getStore() === true;
}
