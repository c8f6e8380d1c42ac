import type { OnCreateOptions } from './handler-options.js';
import { declareHandler } from './handler-declaration.js';

/** Called for an object that this operator has not handled yet, with its newest state. */
export function OnCreate(options?: OnCreateOptions): MethodDecorator {
  return declareHandler('OnCreate', 'create', options);
}
