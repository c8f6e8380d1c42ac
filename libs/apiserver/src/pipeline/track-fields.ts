import { managerName } from '../fields/manager-name.js';
import type { KubeObject } from '../json.js';
import type { ManagedFields, ManagedType } from './field-management.js';
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

/** Gives an object back the managed fields from before the mutating webhooks, where these left what cannot be read. */
export function restoreManagedFields(
  { fieldManagement }: ServerContext,
  object: KubeObject,
  before: ManagedFields,
  warnings: string[],
): void {
  const problem = fieldManagement.problemOf(object.metadata.managedFields);
  if (problem === undefined) return;
  if (before === undefined) delete object.metadata.managedFields;
  else object.metadata.managedFields = before;
  warnings.push(
    `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${problem}`,
  );
}
