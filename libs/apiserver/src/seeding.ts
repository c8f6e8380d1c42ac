import { defaultRoles } from './access/default-roles.js';
import type { ApiServerOptions } from './api-server-options.js';
import { documents, type DirectClient } from './direct-client.js';
import { InvalidOptionsError } from './errors/invalid-options.error.js';
import type { KubeObject } from './json.js';
import { ApiError } from './status.js';

const initialNamespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

interface Given {
  /** The option that it comes from, with its index. */
  readonly where: string;
  readonly object: KubeObject;
}

/** Makes what a server begins with: namespaces, default roles, then definitions, then objects. */
export async function seed(client: DirectClient, options: ApiServerOptions): Promise<void> {
  const objects = allOf('objects', options);
  const namespaces = new Set(initialNamespaces);
  for (const { object } of objects) {
    const { metadata, kind } = object;
    if (kind !== 'Namespace' && metadata.namespace !== undefined) namespaces.add(metadata.namespace);
  }
  for (const name of namespaces) await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const role of defaultRoles()) await client.create(role);
  await each(allOf('crds', options), (definition) => client.apply(definition));
  await each(objects, (object) => client.apply(object));
}

/**
 * Brings the definitions of a server up to date that goes on with an earlier state. They belong to the program, as
 * objects belong to the state.
 */
export async function renewDefinitions(client: DirectClient, options: ApiServerOptions): Promise<void> {
  await each(allOf('crds', options), async (definition) => {
    const { apiVersion, kind } = definition;
    const name = definition.metadata.name ?? '';
    const known = await client.get({ apiVersion, kind, name });
    if (known === undefined) await client.create(definition);
    else if (known.metadata.deletionTimestamp === undefined) {
      const resourceVersion = known.metadata.resourceVersion!;
      await client.replace({ ...definition, metadata: { ...definition.metadata, resourceVersion } });
    }
  });
}

function allOf(option: 'crds' | 'objects', options: ApiServerOptions): Given[] {
  return (options[option] ?? []).flatMap((given, index) =>
    documents(given).map((object) => ({ where: `${option}[${index}]`, object })),
  );
}

/** Does something with all of them, and fails with all that was refused. */
async function each(given: readonly Given[], work: (object: KubeObject) => Promise<unknown>): Promise<void> {
  const refused: { where: string; error: ApiError }[] = [];
  for (const { where, object } of given) {
    try {
      await work(object);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refused.push({ where, error });
    }
  }
  if (refused.length === 0) return;
  throw new InvalidOptionsError(
    refused.map(({ where, error }) => `${where} is refused: ${error.message}`),
    { cause: refused[0]!.error },
  );
}
