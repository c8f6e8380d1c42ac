import type { ActivityOptions } from './handler-options.js';
import { declareHandler } from './handler-declaration.js';

/** Called before anything is watched. A start-up step that fails for good ends the start. */
export function OnStartup(options?: ActivityOptions): MethodDecorator {
  return declareHandler('OnStartup', 'startup', options);
}
