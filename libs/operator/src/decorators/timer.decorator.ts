import { declareHandler } from './handler-declaration.js';
import type { TimerOptions } from './handler-options.js';

/**
 * Called on a schedule for each object that matches, until the object is being deleted. Never while another handler of the
 * object runs. What it returns is merged into the status.
 */
export function Timer(options: TimerOptions): MethodDecorator {
  return declareHandler('Timer', 'timer', options);
}
