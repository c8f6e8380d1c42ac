import type { ApiServer } from '@nestjs-operator/apiserver';

type Json = Record<string, unknown>;

const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
/** What the server or the clock decides, and what tells one run from another. */
const passing = ['resourceVersion', 'generation', 'creationTimestamp', 'deletionTimestamp', 'managedFields'];

/**
 * What a cluster holds, one text per object, in a form that is the same for runs that came to the same end. Kubernetes
 * events are left out. What the operator keeps of its own is only looked at for being there.
 */
export function endState(
  api: ApiServer,
  operator: string,
  normalise: (object: Json) => void = () => undefined,
): string[] {
  const stored = api.store
    .resources()
    .filter((resource) => !/(^|\/)events$/.test(resource))
    .flatMap((resource) => api.store.list(resource).map(({ object }) => object));
  const names = new Map(stored.map(({ kind, metadata }) => [metadata.uid, `${kind} ${nameOf(metadata)}`]));
  const known = (value: unknown): unknown => {
    if (typeof value === 'string') return time.test(value) ? '<time>' : (names.get(value) ?? value);
    if (Array.isArray(value)) return value.map(known);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, inner]) => [key, known(inner)]),
    );
  };
  return stored
    .map((object) => {
      const copy = structuredClone(object) as unknown as Json & { metadata: Json };
      const { metadata } = copy;
      if (typeof metadata['generateName'] === 'string') metadata['name'] = nameOf(metadata);
      for (const key of passing) delete metadata[key];
      for (const [key, value] of Object.entries((metadata['annotations'] ?? {}) as Json)) {
        if (key.startsWith(`${operator}/`)) (metadata['annotations'] as Json)[key] = typeof value;
      }
      normalise(copy);
      return JSON.stringify(known(copy));
    })
    .toSorted((a, b) => (a < b ? -1 : 1));
}

/** A name, without what the server made up. */
function nameOf(metadata: Readonly<Record<string, unknown>>): string {
  const { name, generateName } = metadata;
  return typeof generateName === 'string' ? `${generateName}*` : String(name);
}
