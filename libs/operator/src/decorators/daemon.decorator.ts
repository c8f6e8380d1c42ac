import { declareHandler } from './handler-declaration.js';
import type { DaemonOptions } from './handler-options.js';

/**
 * Called once for each object that matches, to run beside the other handlers for as long as the object is there. It ends
 * when `stopped` or `signal` of its context say so.
 */
export function Daemon(options?: DaemonOptions): MethodDecorator {
  return declareHandler('Daemon', 'daemon', options);
}
