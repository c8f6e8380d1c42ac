import { isObject, type KubeObject } from '../json.js';
import { invalidValue } from '../pipeline/metadata-validation.js';
import type { StatusCause } from '../status.js';

/** Leaves out what belongs to coordinated leader election, which is switched off. */
export function prepareLease(lease: KubeObject, previous: KubeObject | undefined): void {
  const spec = lease['spec'];
  const before = previous?.['spec'];
  if (!isObject(spec)) return;
  for (const field of ['strategy', 'preferredHolder']) {
    if (!isObject(before) || before[field] === undefined) delete spec[field];
  }
}

/** What is wrong with a Lease. */
export function leaseCauses({ spec }: KubeObject): StatusCause[] {
  if (!isObject(spec)) return [];
  const { leaseDurationSeconds: duration, leaseTransitions: transitions } = spec;
  const causes: StatusCause[] = [];
  if (typeof duration === 'number' && duration <= 0) {
    causes.push(invalidValue('spec.leaseDurationSeconds', duration, 'must be greater than 0'));
  }
  if (typeof transitions === 'number' && transitions < 0) {
    causes.push(invalidValue('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'));
  }
  return causes;
}
