import type { OnResumeOptions } from './handler-options.js';
import { declareHandler } from './handler-declaration.js';

/**
 * Called once for each object that is there when the operator starts, handled before or not; not when the same method is called
 * for its creation or a change anyway.
 */
export function OnResume(options?: OnResumeOptions): MethodDecorator {
  return declareHandler('OnResume', 'resume', options);
}
