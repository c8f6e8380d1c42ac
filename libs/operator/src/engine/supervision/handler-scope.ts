import { AsyncLocalStorage } from 'node:async_hooks';
import type { WritePermit } from '../leaderelection/write-permit.js';

/** The object and the attempt that a call is about. */
export interface CallFacts {
  /** `plural.version.group`; absent where no object is handled. */
  readonly resource?: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string;
  readonly name?: string;
  /** 1 for the first. */
  readonly attempt: number;
}

/** Which handler the current asynchronous context belongs to. */
export interface HandlerScope {
  readonly handler: string;
  /** Resource and key of the object: `widgets.v1.demo.example team-a/one`. */
  readonly key: string;
  readonly facts?: CallFacts | undefined;
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
