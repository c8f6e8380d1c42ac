import type { OnUpdateOptions } from './handler-options.js';
import { declareHandler } from './handler-declaration.js';

/** Called when what the handler watches (the essence, or `field`) differs from what it handled last. */
export function OnUpdate(options?: OnUpdateOptions): MethodDecorator {
  return declareHandler('OnUpdate', 'update', options);
}
