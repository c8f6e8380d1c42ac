import { isObject, type JsonObject, type KubeObject } from '../json.js';
import { invalidValue } from '../pipeline/metadata-validation.js';
import type { ResourceType } from '../resources/resource-type.js';
import { requirementCauses } from '../selectors/selector-validation.js';
import { ApiError, errors, type StatusCause } from '../status.js';

/** Throws 422 where there are causes. The real server does not say what kind it is that is invalid. */
export function refuseReview({ group }: ResourceType, causes: readonly StatusCause[]): void {
  if (causes.length === 0) return;
  const { status } = errors.invalid({ group, kind: '' }, '', causes);
  const { kind: _kind, ...details } = status.details!;
  throw new ApiError({ ...status, details });
}

/** What is wrong with a SelfSubjectAccessReview. */
export const selfReviewCauses = (review: KubeObject): StatusCause[] => [
  ...attributesCauses(specOf(review)),
  ...metadataCauses(review, []),
];

/** What is wrong with a SubjectAccessReview. */
export const accessReviewCauses = (review: KubeObject): StatusCause[] => [
  ...attributesCauses(specOf(review)),
  ...subjectCauses(specOf(review)),
  ...metadataCauses(review, []),
];

/** What is wrong with a LocalSubjectAccessReview in a namespace. */
export function localReviewCauses(review: KubeObject, namespace: string): StatusCause[] {
  const spec = specOf(review);
  const causes = [...attributesCauses(spec), ...subjectCauses(spec), ...metadataCauses(review, ['namespace'])];
  const { resourceAttributes, nonResourceAttributes } = spec;
  if (isObject(resourceAttributes) && (resourceAttributes['namespace'] ?? '') !== namespace) {
    const given = resourceAttributes['namespace'] ?? '';
    causes.push(invalidValue('spec.resourceAttributes.namespace', given, 'must match metadata.namespace'));
  }
  if (isObject(nonResourceAttributes)) {
    const shown = shownPath(nonResourceAttributes);
    causes.push(invalidValue('spec.nonResourceAttributes', shown, 'disallowed on this kind of request'));
  }
  return causes;
}

function attributesCauses({ resourceAttributes, nonResourceAttributes }: JsonObject): StatusCause[] {
  if (isObject(resourceAttributes) && isObject(nonResourceAttributes)) {
    const shown = shownPath(nonResourceAttributes);
    return [
      invalidValue('spec.nonResourceAttributes', shown, 'cannot be specified in combination with resourceAttributes'),
    ];
  }
  if (isObject(resourceAttributes)) return selectorCauses(resourceAttributes);
  if (isObject(nonResourceAttributes)) return [];
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [invalidValue('spec.resourceAttributes', null, why)];
}

function selectorCauses(attributes: JsonObject): StatusCause[] {
  return ['fieldSelector', 'labelSelector'].flatMap((name) => {
    const selector = attributes[name];
    if (!isObject(selector)) return [];
    const field = `spec.resourceAttributes.${name}`;
    const { rawSelector, requirements } = selector;
    const given = Array.isArray(requirements) ? requirements.filter(isObject) : [];
    const isRaw = typeof rawSelector === 'string' && rawSelector !== '';
    const causes: StatusCause[] = [];
    if (isRaw && given.length > 0) {
      causes.push(
        invalidValue(`${field}.rawSelector`, rawSelector, 'may not specified at the same time as requirements'),
      );
    }
    if (!isRaw && given.length === 0) {
      const message = `Required value: when ${field} is specified, requirements or rawSelector is required`;
      causes.push({ reason: 'FieldValueRequired', message, field: `${field}.requirements` });
    }
    const options = { anyOperator: true, anyKey: name === 'fieldSelector' };
    given.forEach((requirement, index) => {
      causes.push(...requirementCauses(requirement, `${field}.requirements[${index}]`, options));
    });
    return causes;
  });
}

function subjectCauses({ user, groups }: JsonObject): StatusCause[] {
  const named = typeof user === 'string' && user !== '';
  if (named || (Array.isArray(groups) && groups.length > 0)) return [];
  return [invalidValue('spec.user', '', 'at least one of user or group must be specified')];
}

/** The members of metadata in the order in which the real server shows them. */
const shownMembers = [
  'name',
  'generateName',
  'namespace',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
];

const shownEntry = ['manager', 'operation', 'apiVersion', 'time', 'fieldsType', 'fieldsV1'];

function metadataCauses({ metadata }: KubeObject, allowed: readonly string[]): StatusCause[] {
  const given = Object.keys(metadata).filter((field) => field !== 'managedFields' && !allowed.includes(field));
  if (given.length === 0) return [];
  const shown = ordered(metadata, [...shownMembers, ...given]);
  const { managedFields } = metadata;
  if (managedFields !== undefined) {
    shown['managedFields'] = managedFields.map((entry) => ordered(entry, shownEntry));
  }
  const exception = allowed.length === 0 ? '' : ` except for ${allowed.join(', ')}`;
  return [invalidValue('metadata', shown, `must be empty${exception}`)];
}

const ordered = (values: object, fields: readonly string[]): JsonObject => {
  const all = values as JsonObject;
  return Object.fromEntries(fields.filter((field) => field in all).map((field) => [field, all[field]]));
};

/** Non-resource attributes under the names that they have inside the real server. */
const shownPath = ({ path = '', verb = '' }: JsonObject): JsonObject => ({ Path: path, Verb: verb });

const specOf = (review: KubeObject): JsonObject => (isObject(review['spec']) ? review['spec'] : {});
