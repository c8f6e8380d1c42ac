import { goQuote } from '../cel/library/go-quote.js';
import { managerNameProblem } from '../fields/manager-name.js';
import type { JsonObject, KubeObject, OwnerReference } from '../json.js';
import type { ResourceType } from '../resources/resource-type.js';
import {
  labelRule,
  labelValueRule,
  namePartRule,
  qualifiedKeyRule,
  subdomainRule,
  pathNameProblems,
} from '../name-rules.js';
import type { StatusCause } from '../status.js';

const namePartPattern = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const labelValuePattern = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const subdomainPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const labelPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Whether a text is a lowercase RFC 1123 subdomain. */
export const isSubdomain = (text: string): boolean => text.length <= 253 && subdomainPattern.test(text);

export const invalidValue = (field: string, value: unknown, why: string): StatusCause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${typeof value === 'string' ? goQuote(value) : JSON.stringify(value)}: ${why}`,
  field,
});

/** The part of a type that its metadata depend on; without a plural it is that of an embedded object. */
type MetadataRules = Pick<ResourceType, 'nameRule' | 'custom'> & { readonly plural?: string };

/**
 * What is wrong with an object's metadata. In an update the real server comes upon most of it several times, and says
 * so each time.
 */
export function metadataCauses(
  object: KubeObject,
  type: MetadataRules,
  annotationLimit: number,
  isUpdate = false,
): StatusCause[] {
  const isCustom = type.custom !== undefined || [undefined, 'customresourcedefinitions'].includes(type.plural);
  const labels = labelsCauses(object, annotationLimit);
  const finalizers = finalizersCauses(object, !isCustom);
  const [most, some] = isUpdate ? (isCustom ? [3, 1] : [4, 2]) : [1, 1];
  return [
    ...namesCauses(object, type),
    ...Array.from({ length: most }, () => labels).flat(),
    ...Array.from({ length: some }, () => finalizers).flat(),
  ];
}

/** What is wrong with the name, and with the base of a generated one. */
function namesCauses({ metadata }: KubeObject, type: Pick<ResourceType, 'nameRule'>): StatusCause[] {
  const causes: StatusCause[] = [];
  const name = metadata.name ?? '';
  if (name === '') {
    causes.push({
      reason: 'FieldValueRequired',
      message: 'Required value: name or generateName is required',
      field: 'metadata.name',
    });
  } else {
    causes.push(...nameCauses(name, type));
  }
  const { generateName } = metadata;
  if (typeof generateName === 'string' && generateName !== '') {
    // What is appended stands for the dash that a base may end in.
    const name = generateName.replace(/-$/, 'a');
    for (const { reason, message = '' } of nameCauses(name, type)) {
      const why = message.slice(`Invalid value: ${goQuote(name)}: `.length);
      causes.push({
        ...invalidValue('metadata.generateName', generateName, why),
        ...(reason === undefined ? {} : { reason }),
      });
    }
  }
  return causes;
}

/** What is wrong with labels, annotations, owners and managed fields. */
function labelsCauses({ metadata }: KubeObject, annotationLimit: number): StatusCause[] {
  const causes: StatusCause[] = [];
  for (const [key, value] of Object.entries(metadata.labels ?? {})) {
    causes.push(...keyCauses(key, 'metadata.labels'));
    causes.push(...labelValueCauses(value, 'metadata.labels'));
  }
  let size = 0;
  for (const [key, value] of Object.entries(metadata.annotations ?? {})) {
    causes.push(...keyCauses(key.toLowerCase(), 'metadata.annotations', key));
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (size > annotationLimit) {
    causes.push({
      reason: 'FieldValueTooLong',
      message: `Too long: may not be more than ${annotationLimit} bytes`,
      field: 'metadata.annotations',
    });
  }
  return [...causes, ...ownerCauses(metadata.ownerReferences ?? []), ...managerCauses(metadata.managedFields ?? [])];
}

function ownerCauses(owners: readonly OwnerReference[]): StatusCause[] {
  const field = 'metadata.ownerReferences';
  const causes: StatusCause[] = [];
  const shown = ({ kind, name }: OwnerReference): string => `${kind}/${name}`;
  let controller: OwnerReference | undefined;
  for (const owner of owners) {
    if (!owner.apiVersion || owner.apiVersion.split('/').length > 2) {
      causes.push(invalidValue(`${field}.apiVersion`, owner.apiVersion ?? '', 'version must not be empty'));
    }
    for (const key of ['kind', 'name', 'uid'] as const) {
      if (!owner[key]) causes.push(invalidValue(`${field}.${key}`, owner[key] ?? '', 'must not be empty'));
    }
    if (owner.apiVersion === 'v1' && owner.kind === 'Event') {
      causes.push(invalidValue(field, owner, '/v1, Kind=Event is disallowed from being an owner'));
    }
    if (owner.controller !== true) continue;
    if (controller === undefined) controller = owner;
    else {
      const pair = `${shown(controller)} and ${shown(owner)}`;
      const why = `Only one reference can have Controller set to true. Found "true" in references for ${pair}`;
      causes.push(invalidValue(field, owners, why));
    }
  }
  return causes;
}

/** What is wrong with an object's finalizers. */
function finalizersCauses({ metadata }: KubeObject, onlyQualified: boolean): StatusCause[] {
  const causes: StatusCause[] = [];
  for (const [at, finalizer] of (metadata.finalizers ?? []).entries()) {
    const parts = finalizer.split('/').length;
    if (parts > 2) causes.push(invalidValue('metadata.finalizers', finalizer, qualifiedKeyRule));
    else causes.push(...keyCauses(finalizer, 'metadata.finalizers'));
    if (onlyQualified && parts === 1 && !standardFinalizers.has(finalizer)) {
      const why = 'name is neither a standard finalizer name nor is it fully qualified';
      causes.push(invalidValue(`metadata.finalizers[${at}]`, finalizer, why));
    }
  }
  return causes;
}

const standardFinalizers = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

const longestSubresource = 256;

function managerCauses(entries: readonly JsonObject[]): StatusCause[] {
  return entries.flatMap(({ manager, subresource }, index) => {
    const field = `metadata.managedFields[${index}]`;
    const problem = typeof manager === 'string' ? managerNameProblem(manager) : undefined;
    const causes: StatusCause[] = problem === undefined ? [] : [{ ...problem, field: `${field}.manager` }];
    if (typeof subresource === 'string' && Buffer.byteLength(subresource) > longestSubresource) {
      const message = `Too long: may not be more than ${longestSubresource} bytes`;
      causes.push({ reason: 'FieldValueTooLong', message, field: `${field}.subresource` });
    }
    return causes;
  });
}

/** Warnings about finalizers without a domain. */
export function finalizerWarnings(object: KubeObject): string[] {
  const known = new Set(['orphan', 'foregroundDeletion']);
  return (object.metadata.finalizers ?? [])
    .filter((finalizer) => !finalizer.includes('/') && !known.has(finalizer))
    .map((finalizer) => {
      const path = finalizer.includes('.') ? ' including a path (/)' : '';
      return `metadata.finalizers: ${JSON.stringify(finalizer)}: prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`;
    });
}

function nameCauses(name: string, type: Pick<ResourceType, 'nameRule'>): StatusCause[] {
  if (type.nameRule === 'path') {
    return pathNameProblems(name).map((why) => invalidValue('metadata.name', name, why));
  }
  const causes: StatusCause[] = [];
  if (type.nameRule === 'label' && name.includes('.') && subdomainPattern.test(name)) {
    return [invalidValue('metadata.name', name, 'must not contain dots')];
  }
  const [limit, pattern, text] =
    type.nameRule === 'label'
      ? ([63, labelPattern, labelRule] as const)
      : ([253, subdomainPattern, subdomainRule] as const);
  if (name.length > limit) causes.push(invalidValue('metadata.name', name, `must be no more than ${limit} characters`));
  if (!pattern.test(name)) causes.push(invalidValue('metadata.name', name, text));
  return causes;
}

/** What is wrong with the value of a label. */
export function labelValueCauses(value: string, field: string): StatusCause[] {
  if (!labelValuePattern.test(value)) return [invalidValue(field, value, labelValueRule)];
  return value.length > 63 ? [invalidValue(field, value, 'must be no more than 63 bytes')] : [];
}

/** What is wrong with the key of a label, an annotation or the like. */
export function keyCauses(key: string, field: string, shown = key): StatusCause[] {
  const slash = key.indexOf('/');
  const prefix = slash < 0 ? undefined : key.slice(0, slash);
  const name = key.slice(slash + 1);
  const problems: string[] = [];
  if (prefix === '') problems.push('prefix part must be non-empty');
  else if (prefix !== undefined && !subdomainPattern.test(prefix)) problems.push(`prefix part ${subdomainRule}`);
  if (name === '') problems.push('name part must be non-empty');
  else if (name.length > 63) problems.push('name part must be no more than 63 bytes');
  if (!namePartPattern.test(name)) problems.push(namePartRule);
  return problems.map((why) => invalidValue(field, shown, why));
}
