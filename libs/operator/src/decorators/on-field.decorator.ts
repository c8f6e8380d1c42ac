import type { OnFieldOptions } from './handler-options.js';
import { declareHandler } from './handler-declaration.js';

/** Called at creation, if the field has a value, and at each change of the field. */
export function OnField(options: OnFieldOptions): MethodDecorator {
  return declareHandler('OnField', 'field', options);
}
