import type { OnProbeOptions } from './handler-options.js';
import { declareHandler } from './handler-declaration.js';

/**
 * Called when somebody asks for the operator's health: what it returns is shown there, as JSON; when it throws, `fails` says
 * what that means. Must change nothing.
 */
export function OnProbe(options?: OnProbeOptions): MethodDecorator {
  return declareHandler('OnProbe', 'probe', options);
}
