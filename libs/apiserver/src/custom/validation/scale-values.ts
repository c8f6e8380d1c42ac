import { isObject, type KubeObject } from '../../json.js';
import { goPlain } from '../../schemas/go-format.js';
import type { StatusCause } from '../../status.js';
import type { CustomVersion } from '../custom-version.js';
import { goNumber } from './numbers.js';

const mostReplicas = 2 ** 31 - 1;

const invalid = (field: string, value: unknown, why: string): StatusCause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${JSON.stringify(value)}: ${why}`,
  field,
});

/** What is wrong with the replicas that the specification asks for. */
export function scaleSpecCauses(object: KubeObject, { scalePaths }: CustomVersion): StatusCause[] {
  return scalePaths === undefined ? [] : replicasCauses(object, scalePaths.spec);
}

/** What is wrong with the replicas and the selector of the status. */
export function scaleStatusCauses(object: KubeObject, { scalePaths }: CustomVersion): StatusCause[] {
  if (scalePaths === undefined) return [];
  const causes = replicasCauses(object, scalePaths.status);
  if (scalePaths.selector !== undefined) {
    const found = lookUp(object, scalePaths.selector, 'string');
    if ('problem' in found) causes.push(invalid(dotted(scalePaths.selector), '', found.problem));
  }
  return causes;
}

function replicasCauses(object: KubeObject, path: readonly string[]): StatusCause[] {
  const field = dotted(path);
  const found = lookUp(object, path, 'int64');
  if ('problem' in found) return [invalid(field, 0, found.problem)];
  if (found.value === undefined) return [];
  const { double } = goNumber(found.value)!;
  if (double < 0) return [invalid(field, found.value, 'should be a non-negative integer')];
  if (double > mostReplicas) return [invalid(field, found.value, `should be less than or equal to ${mostReplicas}`)];
  return [];
}

const dotted = (path: readonly string[]): string => `.${path.join('.')}`;

/** A value deep in an object, or why it cannot be had, in the words of the real server. */
function lookUp(
  object: KubeObject,
  path: readonly string[],
  wanted: 'string' | 'int64',
): { readonly value: unknown } | { readonly problem: string } {
  let value: unknown = object;
  for (const [index, part] of path.entries()) {
    if (value === null || value === undefined) return { value: undefined };
    if (!isObject(value)) return { problem: accessorError(path.slice(0, index + 1), value, 'map[string]interface{}') };
    value = value[part];
  }
  if (value === undefined) return { value };
  const fits = wanted === 'string' ? typeof value === 'string' : goNumber(value)?.isInteger === true;
  return fits ? { value } : { problem: accessorError(path, value, wanted) };
}

const accessorError = (path: readonly string[], value: unknown, wanted: string): string =>
  `${dotted(path)} accessor error: ${goPlain(value)} is of the type ${typeOf(value)}, expected ${wanted}`;

function typeOf(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  const number = goNumber(value);
  if (number !== undefined) return number.isInteger ? 'int64' : 'float64';
  return 'string';
}
