import { ABSENT, PRESENT, type HandlerDefinition, type HandlerFilter } from '../handling/handler-definition.js';
import { ownValue } from '../json/own-property.js';
import { jsonEqual } from '../json/json-equal.js';
import type { ObjectMeta } from '../kube-object.js';

/** What the server is asked to leave out, since no handler wants it. */
export interface PushedSelector {
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string | undefined;
  /** Whether the server's selection has an object with this metadata. */
  readonly selects: (metadata: Pick<ObjectMeta, 'name' | 'namespace' | 'labels'>) => boolean;
}

/** What all triggers agree on for one label: one of these values, any value, or none. */
type Requirement = { readonly oneOf: readonly string[] } | 'present' | 'absent';

const labelKey = /^(?:[a-z0-9](?:[-.a-z0-9]{0,251}[a-z0-9])?\/)?[A-Za-z0-9](?:[-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?$/;
const labelValue = /^[A-Za-z0-9](?:[-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?$/;
const objectName = /^[a-z0-9](?:[-.a-z0-9]{0,251}[a-z0-9])?$/;

/**
 * The selection that holds whatever any trigger of these handlers may match: labels that all of them name, and the name or
 * namespace that all of them want. `undefined`: there is nothing that all agree on.
 */
export function pushedSelector(handlers: readonly HandlerDefinition[]): PushedSelector | undefined {
  const filters = handlers.flatMap(({ triggers }) => triggers.map(({ filter }) => filter));
  if (filters.length === 0) return undefined;
  const labels = commonLabels(filters);
  const name = commonField(filters, 'name');
  const namespace = commonField(filters, 'namespace');
  const fields = [
    ...(name === undefined ? [] : [`metadata.name=${name}`]),
    ...(namespace === undefined ? [] : [`metadata.namespace=${namespace}`]),
  ];
  if (labels.size === 0 && fields.length === 0) return undefined;
  return {
    labelSelector: labels.size === 0 ? undefined : [...labels].map(labelText).join(','),
    fieldSelector: fields.length === 0 ? undefined : fields.join(','),
    selects: (metadata) =>
      (name === undefined || metadata.name === name) &&
      (namespace === undefined || metadata.namespace === namespace) &&
      [...labels].every(([key, requirement]) =>
        fits(ownValue(metadata.labels ?? {}, key) as string | undefined, requirement),
      ),
  };
}

function commonLabels(filters: readonly HandlerFilter[]): Map<string, Requirement> {
  const common = new Map<string, Requirement>();
  for (const key of Object.keys(filters[0]?.labels ?? {})) {
    const requirement = labelKey.test(key) ? commonRequirement(filters, key) : undefined;
    if (requirement !== undefined) common.set(key, requirement);
  }
  return common;
}

function commonRequirement(filters: readonly HandlerFilter[], key: string): Requirement | undefined {
  const matches = filters.map(({ labels }) => ownValue(labels ?? {}, key));
  if (matches.every((match) => match === ABSENT)) return 'absent';
  const values = new Set<string>();
  let present = false;
  for (const match of matches) {
    if (match === PRESENT) present = true;
    else if (typeof match === 'string' && labelValue.test(match)) values.add(match);
    // A function, a value that no label can have, or no condition.
    else return undefined;
  }
  return present ? 'present' : { oneOf: [...values].toSorted() };
}

/** A name or namespace never changes: what all want of it holds for good. */
function commonField(filters: readonly HandlerFilter[], member: 'name' | 'namespace'): string | undefined {
  const values = filters.map(({ field, value }) =>
    jsonEqual(field, ['metadata', member]) && typeof value === 'string' ? value : undefined,
  );
  const [first] = values;
  return first !== undefined && objectName.test(first) && values.every((value) => value === first) ? first : undefined;
}

function labelText([key, requirement]: readonly [string, Requirement]): string {
  if (requirement === 'present') return key;
  if (requirement === 'absent') return `!${key}`;
  const [first, ...others] = requirement.oneOf;
  return others.length === 0 ? `${key}=${first}` : `${key} in (${requirement.oneOf.join(',')})`;
}

function fits(value: string | undefined, requirement: Requirement): boolean {
  if (requirement === 'present') return value !== undefined;
  if (requirement === 'absent') return value === undefined;
  return value !== undefined && requirement.oneOf.includes(value);
}
