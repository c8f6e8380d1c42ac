import { isObject, type KubeObject } from '../json.js';
import { invalidValue, keyCauses } from '../pipeline/metadata-validation.js';
import type { StatusCause } from '../status.js';

/** What is wrong with the finalizers and the phase of a Namespace. */
export function namespaceCauses({ metadata, spec, status }: KubeObject, previous?: KubeObject): StatusCause[] {
  const causes: StatusCause[] = [];
  const finalizers: unknown[] = isObject(spec) && Array.isArray(spec['finalizers']) ? spec['finalizers'] : [];
  for (const [at, finalizer] of finalizers.entries()) {
    if (typeof finalizer !== 'string') continue;
    // Only where they are taken away it is said which one it is.
    const field = previous === undefined ? 'spec.finalizers' : `spec.finalizers[${at}]`;
    causes.push(...keyCauses(finalizer, field));
    if (!finalizer.includes('/') && finalizer !== 'kubernetes') {
      causes.push(
        invalidValue(field, finalizer, 'name is neither a standard finalizer name nor is it fully qualified'),
      );
    }
  }
  const phase = isObject(status) ? status['phase'] : undefined;
  if (metadata.deletionTimestamp === undefined && phase !== undefined && phase !== 'Active') {
    causes.push(invalidValue('status.Phase', phase, "may only be 'Active' if `deletionTimestamp` is empty"));
  }
  return causes;
}
