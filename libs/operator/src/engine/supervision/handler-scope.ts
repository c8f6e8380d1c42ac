import { AsyncLocalStorage } from 'node:async_hooks';
import type { WritePermit } from '../leaderelection/write-permit.js';

/** Which handler the current asynchronous context belongs to. */
export interface HandlerScope {
  readonly handler: string;
  /** Resource and key of the object: `widgets.v1.demo.example team-a/one`. */
  readonly key: string;
  /** What its writes need; `undefined`: nothing. */
  readonly permit?: WritePermit;
}

const storage = new AsyncLocalStorage<HandlerScope>();

/** Runs `fn` so that whatever it starts, detached work included, is attributed to the handler. */
export function runInHandlerScope<T>(scope: HandlerScope, fn: () => T): T {
  return storage.run(scope, fn);
}

export function currentHandlerScope(): HandlerScope | undefined {
  return storage.getStore();
}
