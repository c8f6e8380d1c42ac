import type { OnReconcileOptions } from './handler-options.js';
import { declareHandler } from './handler-declaration.js';

/** Called when the object changes, also while it is being deleted, until it is as it should be. Returns nothing, or a {@link ReconcileResult}. */
export function OnReconcile(options?: OnReconcileOptions): MethodDecorator {
  return declareHandler('OnReconcile', 'reconcile', options);
}
