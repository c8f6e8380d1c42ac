import type { JsonObject } from '../../../src/index.js';
import { apiVersion } from '../bodies.js';
import { definition, until, untilServed, version } from '../definitions.js';
import { group } from '../session.js';

const { cases, add } = group('discovery');
export const discoveryCases = cases;

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

interface Rows {
  readonly resources: readonly { readonly name: string }[];
}

add('version', async (s) => {
  const { status, headers, json } = await s.quietly('GET', '/version');
  s.note('answer', [status, headers['content-type'], headers['cache-control']]);
  s.note('members', Object.keys(json as object).toSorted());
  const { major, minor, emulationMajor, emulationMinor, minCompatibilityMajor, minCompatibilityMinor, gitVersion } =
    json;
  s.note('version', [
    major,
    minor,
    emulationMajor,
    emulationMinor,
    minCompatibilityMajor,
    minCompatibilityMinor,
    gitVersion,
  ]);
  await s.post('/version', {});
});
add('the API versions', async (s) => {
  await s.get('/api');
  await s.get('/api/');
  await s.post('/api', {});
});
add('the list of groups', async (s) => {
  const answer = await s.quietly('GET', '/apis');
  const { kind, apiVersion, groups } = answer.json as { kind: string; apiVersion: string; groups: { name: string }[] };
  s.note('head', [answer.status, answer.headers['content-type'], answer.headers['vary'], kind, apiVersion]);
  for (const name of [
    'apps',
    'batch',
    'coordination.k8s.io',
    'events.k8s.io',
    'rbac.authorization.k8s.io',
    'apiextensions.k8s.io',
    'networking.k8s.io',
    'policy',
    'storage.k8s.io',
    'discovery.k8s.io',
    'conformance.example.com',
  ]) {
    const found = groups.find((entry) => entry.name === name);
    s.note(name, found);
    const own = await s.quietly('GET', `/apis/${name}`);
    s.note(`${name} by itself`, own.json);
  }
});
add('a group of a custom resource', async (s) => {
  await s.get('/apis/conformance.example.com');
  await s.get('/apis/conformance.example.com/v1');
});
add('autoscaling in two versions', async (s) => {
  const { json } = await s.quietly('GET', '/apis/autoscaling');
  s.note('the group', json);
});
add('resources of a definition with status and scale', async (s) => {
  const { json } = await s.quietly('GET', `/apis/${apiVersion}`);
  for (const row of (json as Rows).resources) s.note(row.name, row);
});
add('resources of built-in groups', async (s) => {
  for (const [path, names] of Object.entries({
    '/api/v1': [
      'namespaces',
      'namespaces/finalize',
      'namespaces/status',
      'configmaps',
      'secrets',
      'services',
      'services/status',
      'serviceaccounts',
      'pods',
      'pods/status',
      'events',
      'nodes',
      'nodes/status',
      'persistentvolumeclaims',
      'persistentvolumes',
      'endpoints',
    ],
    '/apis/apps/v1': [
      'deployments',
      'deployments/scale',
      'deployments/status',
      'replicasets',
      'statefulsets',
      'daemonsets',
    ],
    '/apis/batch/v1': ['jobs', 'jobs/status', 'cronjobs'],
    '/apis/coordination.k8s.io/v1': ['leases'],
    '/apis/events.k8s.io/v1': ['events'],
    '/apis/rbac.authorization.k8s.io/v1': ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'],
    '/apis/apiextensions.k8s.io/v1': ['customresourcedefinitions', 'customresourcedefinitions/status'],
    '/apis/policy/v1': ['poddisruptionbudgets', 'poddisruptionbudgets/status'],
    '/apis/networking.k8s.io/v1': ['ingresses', 'ingresses/status', 'networkpolicies', 'ingressclasses'],
    '/apis/autoscaling/v2': ['horizontalpodautoscalers', 'horizontalpodautoscalers/status'],
    '/apis/discovery.k8s.io/v1': ['endpointslices'],
    '/apis/storage.k8s.io/v1': ['storageclasses'],
  })) {
    const { json } = await s.quietly('GET', path);
    const { resources: rows, ...head } = json as Rows;
    s.note(path, head);
    for (const name of names)
      s.note(
        `${path} ${name}`,
        rows.find((row) => row.name === name),
      );
  }
});
add('the order of versions', async (s) => {
  const group = `${s.namespace}.example.com`;
  const names = ['v1beta1', 'v10', 'v2', 'foo1', 'v1', 'v2alpha1', 'v11beta2', 'foo10', 'v1beta2'];
  const versions = names.map((name) => version(name, {}, { storage: name === 'v2', served: name !== 'v2alpha1' }));
  const body = definition(group, 'Ordered', versions);
  s.leave(`${definitions}/ordereds.${group}`);
  await s.quietly('POST', definitions, body);
  await untilServed(s.target, body);
  await until('the group is there', async () => (await s.quietly('GET', `/apis/${group}`)).status === 200);
  await s.get(`/apis/${group}`);
  await s.get(`/apis/${group}/v2alpha1`);
  await s.get(`/apis/${group}/v2alpha1/namespaces/${s.namespace}/ordereds`);
});
add('a definition comes, changes and goes', async (s) => {
  const group = `${s.namespace}.example.com`;
  const path = `/apis/${group}/v1`;
  const body = definition(group, 'Passing', [version('v1', {})]);
  s.leave(`${definitions}/passings.${group}`);
  await s.get(path);
  await s.quietly('POST', definitions, body);
  await s.until(path, ({ status }) => status === 200);
  await s.get(path);
  const [first] = (body['spec'] as { versions: JsonObject[] }).versions;
  await s.quietly(
    'PATCH',
    `${definitions}/passings.${group}`,
    {
      spec: {
        names: { shortNames: ['psg'], categories: ['all', 'own'] },
        versions: [{ ...first, subresources: { status: {} } }],
      },
    },
    'application/merge-patch+json',
  );
  await s.until(path, ({ json }) => (json as Rows).resources.length === 2 && JSON.stringify(json).includes('psg'));
  await s.get(path);
  await s.quietly('DELETE', `${definitions}/passings.${group}`);
  await s.until(`/apis/${group}`, ({ status }) => status === 404);
  await s.get(path);
  await s.get(`${path}/passings`);
  const all = await s.quietly('GET', '/apis');
  s.note('it is not listed', !all.text.includes(group));
});
add('aggregated', async (s) => {
  for (const [path, group] of [
    ['/api', undefined],
    ['/apis', 'conformance.example.com'],
    ['/apis', 'coordination.k8s.io'],
    ['/apis', 'events.k8s.io'],
  ] as const) {
    const { status, headers, json } = await s.quietlyAccepting(path, aggregated);
    const { items, ...head } = json as {
      items: { metadata: { name?: string }; versions: { version: string; resources: { resource: string }[] }[] }[];
    };
    s.note(path, {
      status,
      type: headers['content-type'],
      vary: headers['vary'],
      cache: headers['cache-control'],
      etag: /^"[0-9A-F]+"$/.test(headers.etag ?? ''),
      head,
    });
    const item = items.find(({ metadata }) => metadata.name === group);
    if (group !== undefined && group !== 'coordination.k8s.io') s.note(group, item);
    const v1 = item?.versions.find(({ version: name }) => name === 'v1');
    for (const resource of ['namespaces', 'configmaps', 'pods', 'leases']) {
      const row = v1?.resources.find((each) => each.resource === resource);
      if (resource === 'pods') s.note('pods', Object.keys(row ?? {}).toSorted());
      else s.note(resource, row);
    }
  }
});
add('aggregated, in a form that is not served', async (s) => {
  for (const accept of [
    aggregated.replace('v=v2', 'v=v2beta1'),
    aggregated.replace('v=v2', 'v=v3'),
    aggregated.replace('APIGroupDiscoveryList', 'Other'),
    `${aggregated.replace('v=v2', 'v=v2beta1')},application/json`,
    `${aggregated},application/json`,
    `application/json,${aggregated}`,
    `application/json;q=0.5,${aggregated}`,
    'application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io',
  ]) {
    for (const path of ['/api', '/apis']) {
      const { status, headers, json } = await s.quietlyAccepting(path, accept);
      s.note(`${path} ${accept}`, { status, type: headers['content-type'], kind: json?.kind, message: json?.message });
    }
  }
});
add('aggregated, in protobuf', async (s) => {
  const accept = `${aggregated.replace('json', 'vnd.kubernetes.protobuf')},application/json`;
  const { status, headers } = await s.quietlyAccepting('/apis', accept);
  s.note('answer', [status, headers['content-type']]);
});
add('ETag and If-None-Match', async (s) => {
  // The list of groups changes with the definitions of other cases; that of the core does not.
  const first = await s.quietlyAccepting('/api', aggregated);
  const etag = first.headers.etag ?? '';
  const again = async (what: string, match: string): Promise<void> => {
    const { status, headers, text } = await s.quietlyAccepting('/api', aggregated, { 'if-none-match': match });
    s.note(what, {
      status,
      type: headers['content-type'],
      same: headers.etag === etag,
      vary: headers['vary'],
      cache: headers['cache-control'],
      body: text.length > 0,
    });
  };
  await again('the same', etag);
  await again('without quotes', etag.replaceAll('"', ''));
  await again('another', '"other"');
  await again('weak', `W/${etag}`);
  await again('any', '*');
});
add('OpenAPI: the index', async (s) => {
  const { status, headers, json } = await s.quietly('GET', '/openapi/v3');
  const { paths } = json as { paths: Record<string, { serverRelativeURL: string }> };
  s.note('head', [status, headers['content-type'], Object.keys(json as object)]);
  for (const name of ['api/v1', 'apis/apps/v1', 'apis/coordination.k8s.io/v1', `apis/${apiVersion}`]) {
    s.note(name, paths[name]?.serverRelativeURL.replace(/hash=[0-9A-F]{128}$/, 'hash=<hash>'));
  }
  const url = paths['apis/coordination.k8s.io/v1']?.serverRelativeURL ?? '';
  const document = await s.quietly('GET', url);
  s.note('a document by its hash', {
    status: document.status,
    type: document.headers['content-type'],
    cache: document.headers['cache-control'],
    etag: document.headers.etag !== undefined,
    vary: document.headers['vary'],
  });
  const stale = await s.quietly('GET', url.replace(/.{8}$/, '00000000'));
  s.note('a document by an old hash', {
    status: stale.status,
    location: stale.headers['location']?.replace(/hash=.*/, 'hash='),
  });
  const unknown = await s.quietly('GET', '/openapi/v3/apis/none.example.com/v1');
  s.note('an unknown one', [unknown.status, unknown.text]);
});
add('OpenAPI: a document of a definition', async (s) => {
  await s.until(`/openapi/v3/apis/${apiVersion}`, ({ status }) => status === 200);
  const { json } = await s.quietly('GET', `/openapi/v3/apis/${apiVersion}`);
  const { openapi, info, paths, components } = json as {
    openapi: string;
    info: unknown;
    paths: Record<string, Record<string, { parameters?: { name: string; in: string }[]; operationId?: string }>>;
    components: { schemas: Record<string, JsonObject> };
  };
  s.note('head', { openapi, info });
  const one = `/apis/${apiVersion}/namespaces/{namespace}/widgets/{name}`;
  s.note('paths', Object.keys(paths).toSorted());
  s.note('methods', Object.keys(paths[one] ?? {}).toSorted());
  const patch = paths[one]?.['patch'] as JsonObject | undefined;
  s.note('the patch', {
    parameters: (patch?.['parameters'] as { name: string; in: string }[] | undefined)?.map((each) => [
      each.name,
      each.in,
    ]),
    action: patch?.['x-kubernetes-action'],
    kind: patch?.['x-kubernetes-group-version-kind'],
    types: Object.keys(((patch?.['requestBody'] as JsonObject | undefined)?.['content'] as object | undefined) ?? {}),
  });
  const name = 'com.example.conformance.v1.Widget';
  // The prose about members that every object has is not looked at.
  const schema = JSON.stringify(components.schemas[name], (key, value: unknown) =>
    key === 'description' ? undefined : value,
  );
  s.note('the schema', JSON.parse(schema));
});
add('health', async (s) => {
  for (const path of ['/healthz', '/livez', '/readyz']) await s.get(path);
});
add('unknown paths', async (s) => {
  for (const path of [
    '/nope',
    '/apis/nope.example',
    '/apis/conformance.example.com/v9/widgets',
    '/apis/conformance.example.com/v1/nope',
    '/api/v1/nope',
    '/api/v2',
  ]) {
    await s.get(path);
  }
});
add('unknown subresources', async (s) => {
  await s.get(`${s.widgets}/a/nope`);
  await s.get(`${s.configMaps}/a/nope`);
  await s.get(`${s.configMaps}/a/status`);
});
add('methods', async (s) => {
  await s.put(s.widgets, {});
  await s.put(s.configMaps, {});
  await s.patch('merge', s.widgets, {});
  await s.delete('/api/v1/configmaps');
  await s.delete('/apis/conformance.example.com/v1/widgets');
  await s.post(`${s.configMaps}/a`, {});
});
add('media types', async (s) => {
  await s.get(s.widgets, 'text/html');
  await s.get(s.configMaps, 'application/vnd.kubernetes.protobuf;q=0.5,application/json');
  await s.get('/apis/conformance.example.com/v1', 'application/json;as=Table');
});
