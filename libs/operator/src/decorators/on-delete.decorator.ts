import type { OnDeleteOptions } from './handler-options.js';
import { declareHandler } from './handler-declaration.js';

/** Called when the object is being deleted. Keeps a finalizer on the object until it succeeded or failed for good. */
export function OnDelete(options?: OnDeleteOptions): MethodDecorator {
  return declareHandler('OnDelete', 'delete', options);
}
