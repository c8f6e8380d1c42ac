import type { OnWatchEventOptions } from './handler-options.js';
import { declareHandler } from './handler-declaration.js';

/** Called for each seen state and for the end of an object, in order. Nothing is kept on the object, nothing is repeated. */
export function OnWatchEvent(options?: OnWatchEventOptions): MethodDecorator {
  return declareHandler('OnWatchEvent', 'event', options);
}
