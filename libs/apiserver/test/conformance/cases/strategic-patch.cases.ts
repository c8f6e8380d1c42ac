import type { JsonObject } from '../../../src/index.js';
import { configMap } from '../bodies.js';
import { group, type Session } from '../session.js';

const { cases, add } = group('patch');
export const strategicPatchCases = cases;

add('strategic: a ConfigMap', async (s) => {
  await s.post(s.configMaps, configMap('c', { a: '1', b: '2' }));
  await s.patch('strategic', `${s.configMaps}/c`, { data: { a: null, c: '3' }, metadata: { labels: { x: 'y' } } });
  await s.patch('strategic', `${s.configMaps}/c`, { data: { $patch: 'replace', z: '1' } });
});
add('strategic: finalizers and owners', async (s) => {
  const owner = (uid: string) => ({ apiVersion: 'v1', kind: 'Node', name: 'n', uid });
  await s.post(s.configMaps, configMap('c', {}, { finalizers: ['x.example/a'] }));
  await s.patch('strategic', `${s.configMaps}/c`, { metadata: { finalizers: ['x.example/b'] } });
  await s.patch('strategic', `${s.configMaps}/c`, {
    metadata: { '$deleteFromPrimitiveList/finalizers': ['x.example/a', 'x.example/b'] },
  });
  await s.patch('strategic', `${s.configMaps}/c?dryRun=All`, {
    metadata: { ownerReferences: [owner('1'), owner('2')] },
  });
});

type Shown = { readonly status: number; readonly json: JsonObject };

/** The template's spec of a Deployment, without what the real server fills in. */
async function deploymentCase(
  s: Session,
  spec: JsonObject,
  patches: Readonly<Record<string, unknown>>,
  show: (spec: JsonObject, deployment: JsonObject) => unknown,
): Promise<void> {
  const path = `/apis/apps/v1/namespaces/${s.namespace}/deployments`;
  const created = await s.quietly('POST', path, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'a' },
    spec: { selector: { matchLabels: { app: 'a' } }, template: { metadata: { labels: { app: 'a' } }, spec } },
  });
  if (created.status !== 201) throw new Error(`the Deployment is refused: ${created.text}`);
  for (const [what, patch] of Object.entries(patches)) {
    const { status, json }: Shown = await s.quietly(
      'PATCH',
      `${path}/a`,
      patch,
      'application/strategic-merge-patch+json',
    );
    const deployed = json['spec'] as { template?: { spec?: JsonObject } } | undefined;
    s.note(what, status === 200 ? show(deployed?.template?.spec ?? {}, json) : { status, message: json['message'] });
  }
}

const template = (spec: JsonObject): JsonObject => ({ spec: { template: { spec } } });
const pick = (items: unknown, ...fields: string[]): unknown =>
  (items as JsonObject[] | undefined)?.map((item) =>
    Object.fromEntries(fields.filter((field) => item[field] !== undefined).map((field) => [field, item[field]])),
  );

add('strategic: containers of a Deployment', (s) =>
  deploymentCase(
    s,
    {
      containers: [
        { name: 'x', image: 'x:1', args: ['1'] },
        { name: 'y', image: 'y:1' },
      ],
    },
    {
      'changes one': template({ containers: [{ name: 'y', image: 'y:2' }] }),
      'adds one': template({ containers: [{ name: 'z', image: 'z:1' }] }),
      'a list of values is replaced': template({ containers: [{ name: 'x', args: ['2', '3'] }] }),
      'a value goes': template({ containers: [{ name: 'x', args: null }] }),
      'without a name': template({ containers: [{ image: 'q' }] }),
      'init containers begin': template({ initContainers: [{ name: 'i', image: 'i:1' }] }),
      'init containers end': template({ initContainers: null }),
    },
    ({ containers, initContainers }) => [
      pick(containers, 'name', 'image', 'args'),
      pick(initContainers, 'name', 'image'),
    ],
  ),
);
add('strategic: deletes and replaces items', (s) =>
  deploymentCase(
    s,
    {
      containers: ['x', 'y', 'z'].map((name) => ({ name, image: `${name}:1` })),
      nodeSelector: { a: '1', b: '2' },
      imagePullSecrets: [{ name: 's' }],
    },
    {
      'deletes one': template({ containers: [{ name: 'y', $patch: 'delete' }] }),
      'deletes one that is absent': template({ containers: [{ name: 'q', $patch: 'delete' }] }),
      'replaces a map': template({ nodeSelector: { $patch: 'replace', c: '3' } }),
      'deletes a map': template({ nodeSelector: { $patch: 'delete' } }),
      'merges a map': template({ nodeSelector: { $patch: 'merge', d: '4' } }),
      'replaces the list': template({ containers: [{ name: 'n', image: 'n:1' }, { $patch: 'replace' }] }),
      'replaces an item': template({ imagePullSecrets: [{ name: 'n', $patch: 'replace' }] }),
    },
    ({ containers, nodeSelector, imagePullSecrets }) => [
      pick(containers, 'name', 'image'),
      nodeSelector,
      imagePullSecrets,
    ],
  ),
);
add('strategic: an order of items', (s) =>
  deploymentCase(
    s,
    { containers: ['x', 'y', 'z'].map((name) => ({ name, image: `${name}:1` })) },
    {
      'turns them round': template({ '$setElementOrder/containers': [{ name: 'z' }, { name: 'y' }, { name: 'x' }] }),
      'with a new one': template({
        '$setElementOrder/containers': [{ name: 'n' }, { name: 'x' }, { name: 'y' }, { name: 'z' }],
        containers: [{ name: 'n', image: 'n:1' }],
      }),
      'with a deletion': template({
        '$setElementOrder/containers': [{ name: 'z' }, { name: 'x' }, { name: 'n' }],
        containers: [{ name: 'y', $patch: 'delete' }],
      }),
      'of a part': template({ '$setElementOrder/containers': [{ name: 'n' }, { name: 'z' }] }),
      'that lacks a patched one': template({
        '$setElementOrder/containers': [{ name: 'n' }],
        containers: [{ name: 'z', image: 'z:2' }],
      }),
    },
    ({ containers }) => pick(containers, 'name', 'image'),
  ),
);
add('strategic: retained keys', (s) =>
  deploymentCase(
    s,
    { containers: [{ name: 'x', image: 'x' }], volumes: [{ name: 'v', emptyDir: {} }] },
    {
      'of a strategy': { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
      'of a volume': template({
        volumes: [{ name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'm' } }],
      }),
      'without the key that is patched': { spec: { strategy: { $retainKeys: ['rollingUpdate'], type: 'Recreate' } } },
    },
    ({ volumes }, deployment) => [pick(volumes, 'name', 'emptyDir'), (deployment['spec'] as JsonObject)['strategy']],
  ),
);
add('strategic: ports of a Service', async (s) => {
  const path = `/api/v1/namespaces/${s.namespace}/services`;
  await s.quietly('POST', path, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'a' },
    spec: {
      clusterIP: 'None',
      ports: [
        { name: 'a', port: 80 },
        { name: 'b', port: 81 },
      ],
      selector: { a: '1' },
    },
  });
  const patches: Record<string, JsonObject> = {
    'one more': { ports: [{ name: 'c', port: 82 }] },
    'another target': { ports: [{ port: 80, targetPort: 8080 }] },
    'one less': { ports: [{ port: 81, $patch: 'delete' }] },
    'a selector': { selector: { b: '2' } },
  };
  for (const [what, spec] of Object.entries(patches)) {
    const { json } = await s.quietly('PATCH', `${path}/a`, { spec }, 'application/strategic-merge-patch+json');
    s.note(what, [pick(json.spec?.ports, 'name', 'port'), json.spec?.selector, json.message]);
  }
});
add('strategic: volumes, variables and tolerations', (s) =>
  deploymentCase(
    s,
    {
      containers: [
        {
          name: 'x',
          image: 'x',
          env: [{ name: 'A', value: '1' }],
          ports: [{ containerPort: 80 }],
          volumeMounts: [{ name: 'v', mountPath: '/v' }],
        },
      ],
      volumes: [{ name: 'v', emptyDir: {} }],
      tolerations: [{ key: 'a', operator: 'Exists' }],
      imagePullSecrets: [{ name: 's' }],
      hostAliases: [{ ip: '1.1.1.1', hostnames: ['a'] }],
    },
    {
      variables: template({ containers: [{ name: 'x', env: [{ name: 'B', value: '2' }] }] }),
      'a variable': template({ containers: [{ name: 'x', env: [{ name: 'A', value: '3' }] }] }),
      ports: template({ containers: [{ name: 'x', ports: [{ containerPort: 81 }] }] }),
      mounts: template({
        containers: [{ name: 'x', volumeMounts: [{ name: 'v', mountPath: '/w' }] }],
        volumes: [{ name: 'w', emptyDir: {} }],
      }),
      'tolerations are one value': template({ tolerations: [{ key: 'b', operator: 'Exists' }] }),
      secrets: template({ imagePullSecrets: [{ name: 't' }] }),
      'host aliases': template({
        hostAliases: [
          { ip: '2.2.2.2', hostnames: ['b'] },
          { ip: '1.1.1.1', hostnames: ['c'] },
        ],
      }),
    },
    ({ containers, volumes, tolerations, imagePullSecrets, hostAliases }) => [
      pick(containers, 'name', 'env'),
      (containers as JsonObject[]).map(({ ports, volumeMounts }) => [
        pick(ports, 'containerPort'),
        pick(volumeMounts, 'name', 'mountPath'),
      ]),
      pick(volumes, 'name'),
      tolerations,
      imagePullSecrets,
      hostAliases,
    ],
  ),
);
add('strategic: conditions of a status', async (s) => {
  const path = `/api/v1/namespaces/${s.namespace}/pods`;
  await s.quietly('POST', path, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  for (const conditions of [
    [{ type: 'Ready', status: 'False' }],
    [{ type: 'x.example/Other', status: 'True' }],
    [{ type: 'Ready', status: 'True', reason: 'R' }],
    [{ type: 'x.example/Other', $patch: 'delete' }],
  ]) {
    const { json } = await s.quietly(
      'PATCH',
      `${path}/a/status`,
      { status: { conditions } },
      'application/strategic-merge-patch+json',
    );
    s.note(JSON.stringify(conditions), [pick(json.status?.conditions, 'type', 'status', 'reason'), json.message]);
  }
});
add('strategic: deletes from lists of values', async (s) => {
  await s.post(s.configMaps, configMap('c', {}, { finalizers: ['x.example/a', 'x.example/b', 'x.example/c'] }));
  const finalizers = (metadata: JsonObject) => s.patch('strategic', `${s.configMaps}/c`, { metadata });
  await finalizers({ '$deleteFromPrimitiveList/finalizers': ['x.example/b', 'x.example/none'] });
  await finalizers({ finalizers: ['x.example/c', 'x.example/d'] });
  await finalizers({ '$setElementOrder/finalizers': ['x.example/d', 'x.example/c', 'x.example/a'] });
  await finalizers({ finalizers: ['x.example/e'], '$deleteFromPrimitiveList/finalizers': ['x.example/a'] });
  await finalizers({ '$deleteFromPrimitiveList/finalizers': 'x.example/c' });
  await finalizers({ finalizers: null });
});
add('strategic: null and empty', async (s) => {
  await s.post(s.configMaps, configMap('c', { a: '1', b: '2' }, { labels: { x: 'y' } }));
  const path = `${s.configMaps}/c`;
  await s.patch('strategic', path, { data: { a: null, none: null } });
  await s.patch('strategic', path, { data: {} });
  await s.patch('strategic', path, {});
  await s.patch('strategic', path, { metadata: { labels: null } });
  await s.patch('strategic', path, { data: null });
  await s.patch('strategic', path, { data: { z: '1' }, metadata: { annotations: { a: 'b' } } });
  await s.patch('strategic', `${s.configMaps}/none`, { data: null });
  await s.patch('strategic', path, { metadata: { resourceVersion: '1' } });
  await s.patch('strategic', path, { metadata: { name: 'd' } });
});
add('strategic: directives that are none', async (s) => {
  await s.post(s.configMaps, configMap('c', { a: '1' }, { finalizers: ['x.example/a'] }));
  const path = `${s.configMaps}/c`;
  await s.patch('strategic', path, { data: { $patch: 'bogus' } });
  await s.patch('strategic', path, { $patch: 'delete' });
  await s.patch('strategic', path, { $patch: 'replace', data: { b: '2' } });
  await s.patch('strategic', path, { data: { $retainKeys: 'a' } });
  await s.patch('strategic', path, { '$deleteFromPrimitiveList/data': ['a'] });
  await s.patch('strategic', path, { '$setElementOrder/none': ['a'] });
  await s.patch('strategic', path, { metadata: { finalizers: 'x' } });
  await s.patch('strategic', path, { data: ['x'] });
  await s.patch('strategic', path, [1]);
  await s.patch('strategic', path, '{bad');
  await s.patch('merge', path, { metadata: { finalizers: null } });
});
