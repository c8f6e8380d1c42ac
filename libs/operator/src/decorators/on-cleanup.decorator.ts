import type { ActivityOptions } from './handler-options.js';
import { declareHandler } from './handler-declaration.js';

/** Called when the operator stops, after the last handler has ended. */
export function OnCleanup(options?: ActivityOptions): MethodDecorator {
  return declareHandler('OnCleanup', 'cleanup', options);
}
