import type { ArgumentsHost } from '@nestjs/common';
import type { HandlerContext } from '../engine/handling/handler-context.js';
import type { StoredObject } from '../engine/kube-object.js';
import { OPERATOR_CONTEXT_TYPE } from '../operator.constants.js';

/**
 * Whether a guard, pipe, interceptor or exception filter runs for a handler of the operator, and not for a request: then
 * `host.getType()` is `'operator'`, and its only argument is the context that the handler gets.
 */
export function isOperatorContext(host: ArgumentsHost): boolean {
  return host.getType<string>() === OPERATOR_CONTEXT_TYPE;
}

/**
 * The context of the handler that an enhancer runs for. `undefined` for requests, and for start-up and clean-up steps and
 * probes, which handle no object.
 */
export function handlerContextOf<T = StoredObject>(host: ArgumentsHost): HandlerContext<T> | undefined {
  if (!isOperatorContext(host)) return undefined;
  const context = host.getArgByIndex<object>(0);
  return 'object' in context ? (context as HandlerContext<T>) : undefined;
}
