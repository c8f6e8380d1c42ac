import type { ActivityOptions } from './handler-options.js';
import { declareHandler } from './handler-declaration.js';

/**
 * Called when the operator stops, after the last handler has ended: if the class's own start-up steps have succeeded, or,
 * where it has none, the whole start-up.
 */
export function OnCleanup(options?: ActivityOptions): MethodDecorator {
  return declareHandler('OnCleanup', 'cleanup', options);
}
