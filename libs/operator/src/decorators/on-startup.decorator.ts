import type { ActivityOptions } from './handler-options.js';
import { declareHandler } from './handler-declaration.js';

/** Called before anything is watched, one after the other. A step that fails for good ends the start, and the operator with it. */
export function OnStartup(options?: ActivityOptions): MethodDecorator {
  return declareHandler('OnStartup', 'startup', options);
}
