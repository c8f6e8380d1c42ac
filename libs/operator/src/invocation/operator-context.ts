import type { ArgumentsHost } from '@nestjs/common';
import { OPERATOR_CONTEXT_TYPE } from '../operator.constants.js';

/**
 * Whether a guard, pipe or interceptor runs for a handler of the operator. `host.getArgByIndex(0)` is its
 * {@link HandlerContext} then.
 */
export function isOperatorContext(host: ArgumentsHost): boolean {
  return host.getType<string>() === OPERATOR_CONTEXT_TYPE;
}
