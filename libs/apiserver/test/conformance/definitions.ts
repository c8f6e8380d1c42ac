import type { JsonObject } from '../../src/index.js';
import { send, type Target } from './target.js';

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Definitions that several cases use, by the server that has them. */
const shared = new WeakMap<Target, Map<JsonObject, Promise<void>>>();

/** A version of a definition, as short as can be. */
export const version = (name: string, schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object', ...schema } },
  ...more,
});

/** A definition whose names follow from its kind. */
export function definition(
  group: string,
  kind: string,
  versions: readonly JsonObject[],
  spec: JsonObject = {},
): JsonObject {
  const singular = kind.toLowerCase();
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: `${singular}s`, singular, kind, listKind: `${kind}List` },
      versions,
      ...spec,
    },
  };
}

/**
 * Makes sure that a definition is served, once per server: the real one lets the first creates after that wait for 2 s.
 */
export function share(target: Target, body: JsonObject): Promise<void> {
  let known = shared.get(target);
  if (known === undefined) shared.set(target, (known = new Map<JsonObject, Promise<void>>()));
  let served = known.get(body);
  if (served === undefined) known.set(body, (served = serve(target, body)));
  return served;
}

async function serve(target: Target, body: JsonObject): Promise<void> {
  const { name } = body['metadata'] as { name: string };
  const { status, text } = await send(target, { method: 'POST', path, body });
  if (status === 409) {
    // Left by an earlier run against the same server, perhaps in an older form.
    const found = JSON.parse((await send(target, { method: 'GET', path: `${path}/${name}` })).text) as JsonObject;
    await send(target, { method: 'PUT', path: `${path}/${name}`, body: { ...found, spec: body['spec'] } });
  } else if (status !== 201) {
    throw new Error(`the definition ${name} is refused: ${status} ${text}`);
  }
  await untilServed(target, body);
}

/** Waits until every served version of a definition answers. */
export async function untilServed(target: Target, body: JsonObject): Promise<void> {
  const { group, names, versions } = body['spec'] as {
    group: string;
    names: { plural: string };
    versions: { name: string; served: boolean }[];
  };
  for (const { name, served } of versions) {
    if (!served) continue;
    await until(`${names.plural}.${name}.${group} is served`, async () => {
      const answer = await send(target, { method: 'GET', path: `/apis/${group}/${name}/${names.plural}` });
      return answer.status === 200;
    });
  }
}

/** Asks again until something holds, for 20 s. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 20_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`after 20 s it is not so that ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
