import { goQuote } from '../cel/library/go-quote.js';
import { deepEqual, isObject, type JsonObject, type KubeObject } from '../json.js';
import { pathNameProblems, subdomainRule } from '../name-rules.js';
import { invalidValue } from '../pipeline/metadata-validation.js';
import { labelSelectorCauses } from '../selectors/selector-validation.js';
import type { StatusCause } from '../status.js';

const rbacGroup = 'rbac.authorization.k8s.io';

const required = (field: string, why = ''): StatusCause => ({
  reason: 'FieldValueRequired',
  message: why === '' ? 'Required value' : `Required value: ${why}`,
  field,
});

const notSupported = (field: string, value: string, supported: readonly string[]): StatusCause => ({
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: ${goQuote(value)}: supported values: ${supported.map((name) => JSON.stringify(name)).join(', ')}`,
  field,
});

const objectsIn = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
const isEmpty = (value: unknown): boolean => !Array.isArray(value) || value.length === 0;

/** What is wrong with a Role or ClusterRole. */
export function roleCauses(role: KubeObject): StatusCause[] {
  const namespaced = role.kind === 'Role';
  const causes = objectsIn(role['rules']).flatMap((rule, index) => ruleCauses(rule, namespaced, `rules[${index}]`));
  const aggregation = role['aggregationRule'];
  if (!isObject(aggregation)) return causes;
  const field = 'aggregationRule.clusterRoleSelectors';
  const selectors = objectsIn(aggregation['clusterRoleSelectors']);
  if (selectors.length === 0) {
    causes.push(required(field, 'at least one clusterRoleSelector required if aggregationRule is non-nil'));
  }
  selectors.forEach((selector, index) => {
    const found = labelSelectorCauses(selector, `${field}[${index}]`);
    causes.push(...found);
    if (found.length > 0) causes.push(invalidValue(`${field}[${index}]`, null, 'invalid label selector.'));
  });
  return causes;
}

function ruleCauses(rule: JsonObject, namespaced: boolean, field: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
  if (isEmpty(verbs)) causes.push(required(`${field}.verbs`, 'verbs must contain at least one value'));
  if (isEmpty(nonResourceURLs)) {
    if (isEmpty(apiGroups)) {
      causes.push(required(`${field}.apiGroups`, 'resource rules must supply at least one api group'));
    }
    if (isEmpty(resources)) {
      causes.push(required(`${field}.resources`, 'resource rules must supply at least one resource'));
    }
    return causes;
  }
  const refuse = (why: string): void =>
    void causes.push(invalidValue(`${field}.nonResourceURLs`, nonResourceURLs, why));
  if (namespaced) refuse('namespaced rules cannot apply to non-resource URLs');
  if (![apiGroups, resources, resourceNames].every(isEmpty)) {
    refuse('rules cannot apply to both regular resources and non-resource URLs');
  }
  return causes;
}

/** Fills in the API groups that a binding leaves out. */
export function prepareBinding(binding: KubeObject): void {
  const reference = binding['roleRef'];
  if (isObject(reference) && textIn(reference['apiGroup']) === '') reference['apiGroup'] = rbacGroup;
  for (const subject of objectsIn(binding['subjects'])) {
    const account = subject['kind'] === 'User' || subject['kind'] === 'Group';
    if (account && textIn(subject['apiGroup']) === '') subject['apiGroup'] = rbacGroup;
  }
}

/** What is wrong with a RoleBinding or ClusterRoleBinding. */
export function bindingCauses(binding: KubeObject, previous: KubeObject | undefined): StatusCause[] {
  const namespaced = binding.kind === 'RoleBinding';
  const reference = isObject(binding['roleRef']) ? binding['roleRef'] : {};
  const [apiGroup, kind, name] = [reference['apiGroup'], reference['kind'], reference['name']].map(textIn) as [
    string,
    string,
    string,
  ];
  const causes: StatusCause[] = [];
  if (apiGroup !== rbacGroup) causes.push(notSupported('roleRef.apiGroup', apiGroup, [rbacGroup]));
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  if (!kinds.includes(kind)) causes.push(notSupported('roleRef.kind', kind, kinds));
  if (name === '') causes.push(required('roleRef.name'));
  else causes.push(...pathNameProblems(name).map((why) => invalidValue('roleRef.name', name, why)));
  objectsIn(binding['subjects']).forEach((subject, index) => {
    causes.push(...subjectCauses(subject, namespaced, `subjects[${index}]`));
  });
  if (previous !== undefined && !deepEqual(reference, previous['roleRef'])) {
    causes.push(invalidValue('roleRef', { APIGroup: apiGroup, Kind: kind, Name: name }, 'cannot change roleRef'));
  }
  return causes;
}

function subjectCauses(subject: JsonObject, namespaced: boolean, field: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const kind = textIn(subject['kind']);
  const name = textIn(subject['name']);
  const apiGroup = textIn(subject['apiGroup']);
  if (name === '') causes.push(required(`${field}.name`));
  if (kind === 'User' || kind === 'Group') {
    if (apiGroup !== rbacGroup) causes.push(notSupported(`${field}.apiGroup`, apiGroup, [rbacGroup]));
  } else if (kind === 'ServiceAccount') {
    if (name !== '' && !/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name)) {
      causes.push(invalidValue(`${field}.name`, name, subdomainRule));
    }
    if (apiGroup !== '') causes.push(notSupported(`${field}.apiGroup`, apiGroup, ['']));
    if (!namespaced && textIn(subject['namespace']) === '') causes.push(required(`${field}.namespace`));
  } else {
    causes.push(notSupported(`${field}.kind`, kind, ['ServiceAccount', 'User', 'Group']));
  }
  return causes;
}
