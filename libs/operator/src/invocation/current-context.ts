import { currentHandlerScope } from '../engine/supervision/handler-scope.js';

/** What runs in the current asynchronous context. */
export interface CurrentOperatorContext {
  /** `Class.method`. */
  readonly handler: string;
  /** `plural.version.group`; absent in start-up and clean-up steps and probes. */
  readonly resource?: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string;
  readonly name?: string;
  /** 1 for the first. */
  readonly attempt?: number;
}

/**
 * Which handler the calling code runs for, however deep below it, also in work that it has left running. `undefined` outside
 * of handlers. The lines of Nest's loggers carry the same.
 */
export function currentOperatorContext(): CurrentOperatorContext | undefined {
  const scope = currentHandlerScope();
  return scope && { handler: scope.handler, ...scope.facts };
}
