import type { OnResumeOptions } from './handler-options.js';
import { declareHandler } from './handler-declaration.js';

/** Called at the first sight of an already handled object in this process or term of leadership. */
export function OnResume(options?: OnResumeOptions): MethodDecorator {
  return declareHandler('OnResume', 'resume', options);
}
