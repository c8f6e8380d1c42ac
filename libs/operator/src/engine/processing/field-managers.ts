import type { StoredObject } from '../kube-object.js';

interface ManagedFields {
  readonly manager?: string;
  readonly subresource?: string;
  readonly time?: string;
}

const mostNames = 5;

/**
 * Who else writes to the object itself, by field manager, the latest first. `object` is as the server sent it. The
 * server keeps no trace of a removal, but who removes what others wrote mostly owns fields as well.
 */
export function otherFieldManagers(object: StoredObject, own: string): readonly string[] {
  const { managedFields } = object.metadata;
  if (!Array.isArray(managedFields)) return [];
  const names = (managedFields as readonly ManagedFields[])
    .filter(({ subresource }) => subresource === undefined || subresource === '')
    .toSorted((a, b) => (b.time ?? '').localeCompare(a.time ?? ''))
    .map(({ manager }) => manager)
    .filter((manager): manager is string => manager !== undefined && manager !== own);
  return [...new Set(names)].slice(0, mostNames);
}
