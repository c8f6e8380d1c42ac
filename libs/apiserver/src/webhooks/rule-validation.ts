import type { JsonObject } from '../json.js';
import { invalidValue } from '../pipeline/metadata-validation.js';
import type { StatusCause } from '../status.js';
import { requiredValue, unsupported } from './value-causes.js';

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const scopes = ['*', 'Cluster', 'Namespaced'];

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** What is wrong with a rule of a webhook. */
export function ruleCauses(rule: JsonObject, path: string): StatusCause[] {
  const wanted = textsOf(rule['operations']);
  return [
    ...listCauses(wanted, `${path}.operations`, 'operations'),
    ...wanted.flatMap((operation, index) => unsupported(operation, operations, `${path}.operations[${index}]`)),
    ...listCauses(textsOf(rule['apiGroups']), `${path}.apiGroups`, 'API groups'),
    ...listCauses(textsOf(rule['apiVersions']), `${path}.apiVersions`, 'API versions'),
    ...textsOf(rule['apiVersions']).flatMap((version, index) =>
      version === '' ? [requiredValue(`${path}.apiVersions[${index}]`)] : [],
    ),
    ...resourceCauses(textsOf(rule['resources']), `${path}.resources`),
    ...unsupported(rule['scope'], scopes, `${path}.scope`),
  ];
}

function listCauses(list: readonly string[], field: string, what: string): StatusCause[] {
  if (list.length === 0) return [requiredValue(field)];
  return list.length > 1 && list.includes('*')
    ? [invalidValue(field, list, `if '*' is present, must not specify other ${what}`)]
    : [];
}

function resourceCauses(resources: readonly string[], field: string): StatusCause[] {
  if (resources.length === 0) return [requiredValue(field)];
  const causes: StatusCause[] = [];
  const allOf = new Set<string>();
  const ofAll = new Set<string>();
  resources.forEach((entry, index) => {
    const at = `${field}[${index}]`;
    if (entry === '') causes.push(requiredValue(at));
    const slash = entry.indexOf('/');
    if (slash < 0) return;
    const resource = entry.slice(0, slash);
    const subresource = entry.slice(slash + 1);
    if (allOf.has(resource)) {
      causes.push(invalidValue(at, entry, `if '${resource}/*' is present, must not specify ${entry}`));
    }
    if (ofAll.has(subresource)) {
      causes.push(invalidValue(at, entry, `if '*/${subresource}' is present, must not specify ${entry}`));
    }
    if (subresource === '*') allOf.add(resource);
    if (resource === '*') ofAll.add(subresource);
  });
  if (resources.length > 1 && resources.includes('*/*')) {
    causes.push(invalidValue(field, resources, "if '*/*' is present, must not specify other resources"));
  }
  if (resources.includes('*') && resources.some((entry) => entry !== '*' && !entry.includes('/'))) {
    causes.push(
      invalidValue(field, resources, "if '*' is present, must not specify other resources without subresources"),
    );
  }
  return causes;
}
