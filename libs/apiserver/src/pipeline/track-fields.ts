import { managerName } from '../fields/manager-name.js';
import type { KubeObject } from '../json.js';
import type { ManagedType } from './field-management.js';
import type { ServerContext } from './server-context.js';
import type { Steps } from './steps.js';
import type { WriteRequest } from './write-request.js';

/** Records who owns what a write changes. `type` is the kind of the objects. */
export function* trackFields(
  { fieldManagement }: ServerContext,
  { subresource, userAgent, options }: WriteRequest,
  type: ManagedType,
  live: KubeObject | undefined,
  next: KubeObject,
): Steps<void> {
  const manager = managerName(options.fieldManager, userAgent);
  yield* fieldManagement.update({ type, subresource, live, next, manager });
}
