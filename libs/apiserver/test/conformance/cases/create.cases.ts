import type { JsonObject } from '../../../src/index.js';
import { apiVersion, configMap, widget } from '../bodies.js';
import { group } from '../session.js';

const { cases, add } = group('create');
export const createCases = cases;

add('minimal', async (s) => {
  await s.post(s.widgets, widget('a'));
  await s.post(s.configMaps, configMap('c'));
});
add('what only the server sets is wiped', async (s) => {
  const metadata = {
    uid: 'x',
    generation: 7,
    selfLink: '/x',
    creationTimestamp: '2020-01-01T00:00:00Z',
    deletionTimestamp: '2020-01-01T00:00:00Z',
    deletionGracePeriodSeconds: 5,
  };
  await s.post(s.widgets, { ...widget('a', {}, metadata), status: { phase: 'x' } });
  await s.post(s.configMaps, configMap('c', {}, metadata));
});
add('empty and null metadata', async (s) => {
  await s.post(s.widgets, widget('a', {}, { labels: null, annotations: {}, finalizers: [], ownerReferences: null }));
});
add('a name that is none', async (s) => {
  for (const name of ['B_x', '', '-a', 'a..b', 'x'.repeat(254)]) {
    await s.post(s.widgets, widget(name));
    await s.post(s.configMaps, configMap(name));
  }
});
add('names by the rule of their resource', async (s) => {
  const core = `/api/v1/namespaces/${s.namespace}`;
  const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${s.namespace}`;
  const rules: [path: string, apiVersion: string, kind: string, content: JsonObject][] = [
    [`${core}/services`, 'v1', 'Service', { spec: { ports: [{ port: 80 }], clusterIP: 'None' } }],
    [`${core}/serviceaccounts`, 'v1', 'ServiceAccount', {}],
    [`${core}/secrets`, 'v1', 'Secret', {}],
    [`${rbac}/roles`, 'rbac.authorization.k8s.io/v1', 'Role', { rules: [] }],
    ['/api/v1/namespaces', 'v1', 'Namespace', {}],
  ];
  for (const [path, apiVersion, kind, content] of rules) {
    for (const name of ['1a', 'a.b', 'A:b', 'a/b', 'x'.repeat(64)]) {
      const { status, json } = await s.quietly('POST', `${path}?dryRun=All`, {
        apiVersion,
        kind,
        metadata: { name },
        ...content,
      });
      s.note(`${kind} ${name}`, status === 201 ? 'created' : json.message);
    }
  }
});
add('labels, annotations, finalizers and owners that are none', async (s) => {
  const metadata = {
    labels: { 'a b': 'x', ok: 'bad value', 'X/y': 'z', long: 'x'.repeat(64) },
    annotations: { 'x y': '1', 'Up/Case': '2' },
    finalizers: ['bad', 'a/b/c'],
    ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }],
  };
  await s.post(s.widgets, widget('a', {}, metadata));
});
add('annotations that are too big', async (s) => {
  const { status, json } = await s.quietly(
    'POST',
    s.widgets,
    widget('a', {}, { annotations: { a: 'x'.repeat(262_143) } }),
  );
  s.note('just as big as they may be', { status, length: json.metadata.annotations.a.length });
  await s.post(s.widgets, widget('b', {}, { annotations: { a: 'x'.repeat(262_144) } }));
  await s.post(s.configMaps, configMap('c', {}, { annotations: { a: 'x'.repeat(131_072), b: 'x'.repeat(131_072) } }));
});
add('two owners that control', async (s) => {
  const owner = (name: string, controller: boolean) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name,
    uid: name,
    controller,
  });
  const two = { ownerReferences: [owner('a', true), owner('b', true)] };
  await s.post(s.widgets, widget('a', {}, two));
  await s.post(s.configMaps, configMap('c', {}, two));
  await s.post(`${s.widgets}?dryRun=All`, widget('b', {}, { ownerReferences: [owner('a', true), owner('b', false)] }));
  await s.post(
    s.widgets,
    widget('c', {}, { ownerReferences: [{ apiVersion: 'a/b/c', kind: 'Event', name: 'n', uid: 'u' }] }),
  );
  await s.post(
    s.widgets,
    widget('d', {}, { ownerReferences: [{ apiVersion: 'v1', kind: 'Event', name: 'n', uid: 'u' }] }),
  );
  await s.post(s.widgets, widget('e', {}, { ownerReferences: [{}] }));
});
add('another namespace in the body', (s) =>
  s.post(s.widgets, widget('a', {}, { namespace: 'other' })).then(() => undefined),
);
add('a cluster-scoped object with a namespace', async (s) => {
  const named = { metadata: { name: `${s.namespace}-x`, namespace: s.namespace } };
  await s.post('/api/v1/namespaces?dryRun=All', { apiVersion: 'v1', kind: 'Namespace', ...named });
  await s.post('/apis/rbac.authorization.k8s.io/v1/clusterroles?dryRun=All', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    ...named,
    rules: [],
  });
});
add('a missing namespace', async (s) => {
  await s.post('/api/v1/namespaces/nope/configmaps', configMap('a'));
  await s.post(`/apis/${apiVersion}/namespaces/nope/widgets`, widget('a'));
});
add('a namespace that is being deleted', async (s) => {
  await s.quietly('POST', s.configMaps, configMap('held', {}, { finalizers: ['x.example/a'] }));
  await s.quietly('DELETE', `/api/v1/namespaces/${s.namespace}`);
  await s.post(s.configMaps, configMap('a'));
  await s.post(s.widgets, widget('a'));
  await s.post(`${s.widgets}?dryRun=All`, widget('a'));
  await s.until(`${s.configMaps}/held`, ({ json }) => json.metadata.deletionTimestamp !== undefined);
  await s.patch('merge', `${s.configMaps}/held`, { metadata: { labels: { a: 'b' } } });
  await s.quietly('PATCH', `${s.configMaps}/held`, { metadata: { finalizers: null } }, 'application/merge-patch+json');
});
add('a generated name', async (s) => {
  for (const [path, body] of [
    [s.widgets, { ...widget(''), metadata: { generateName: 'some-' } }],
    [s.configMaps, { ...configMap(''), metadata: { generateName: 'other-' } }],
  ] as const) {
    const first = await s.quietly('POST', path, body);
    const { name } = first.json.metadata as { name: string };
    s.note('the name', /^(some-|other-)[bcdfghjklmnpqrstvwxz2456789]{5}$/.test(name));
    s.call(name, '<generated>');
    await s.get(`${path}/${name}`);
    const second = await s.quietly('POST', path, body);
    s.note('another one', second.json.metadata.name !== name);
  }
  await s.post(s.widgets, widget('given', {}, { generateName: 'some-' }));
  await s.patch('merge', `${s.widgets}/given`, { metadata: { generateName: 'other-' } });
  await s.put(`${s.configMaps}/given`, configMap('given', {}, { generateName: 'some-' }));
});
add('a generated name from a long base', async (s) => {
  for (const length of [57, 58, 59, 253]) {
    const { json } = await s.quietly('POST', s.widgets, {
      ...widget(''),
      metadata: { generateName: 'a'.repeat(length) },
    });
    const { name, generateName } = json.metadata as Record<string, string>;
    s.note(`of ${length}`, { name: name?.length, generateName: generateName?.length });
  }
});
add('a generated name from a base that is none', async (s) => {
  const refused = async (generateName: string): Promise<void> => {
    const { status, json } = await s.quietly('POST', s.widgets, { ...widget(''), metadata: { generateName } });
    const text = (value: unknown): string =>
      JSON.stringify(value).replaceAll(
        new RegExp(`(${generateName.replaceAll('.', '\\.')})[a-z0-9]{5}`, 'g'),
        '$1<suffix>',
      );
    s.note(generateName, { status, body: JSON.parse(text({ ...json, metadata: {} })) as unknown });
  };
  await refused('Upper-');
  await refused('a!');
  await refused('a.');
  await s.post(s.widgets, { ...widget(''), metadata: { generateName: '' } });
  await s.post(s.configMaps, { ...configMap(''), metadata: {} });
});
add('a resourceVersion', (s) => s.post(s.widgets, widget('a', {}, { resourceVersion: '5' })).then(() => undefined));
add('what exists', async (s) => {
  await s.post(s.widgets, widget('a'));
  await s.post(s.widgets, widget('a'));
});
add('what exists and is being deleted', async (s) => {
  await s.post(s.widgets, widget('a', {}, { finalizers: ['x.example/a'] }));
  await s.delete(`${s.widgets}/a`);
  await s.post(s.widgets, widget('a'));
  await s.patch('merge', `${s.widgets}/a`, { metadata: { finalizers: null } });
});
add('another kind or version', async (s) => {
  await s.post(s.widgets, { ...widget('a'), kind: 'Gadget' });
  await s.post(s.widgets, { ...widget('a'), apiVersion: 'conformance.example.com/v2' });
  await s.post(s.widgets, { metadata: { name: 'a' } });
});
add('a built-in resource without kind and version', (s) =>
  s.post(s.configMaps, { metadata: { name: 'a' } }).then(() => undefined),
);
add('metadata of wrong types', async (s) => {
  await s.post(s.widgets, { ...widget('a'), metadata: 'x' });
  await s.post(s.widgets, { ...widget('a'), metadata: { name: 1 } });
  await s.post(s.widgets, widget('a', {}, { labels: { a: 1 } }));
});
add('a body that is no object', async (s) => {
  for (const body of ['[]', 'null', '1', '"x"', '[{}]', '{}']) {
    await s.post(s.widgets, body);
    await s.post(s.configMaps, body);
  }
});
add('broken JSON', (s) => s.post(s.widgets, '{bad').then(() => undefined));
add('broken YAML', async (s) => {
  for (const body of ['a: b: c', '{', 'a: [', '\t- x', 'just a text', '']) {
    const { status, json } = await s.quietly('POST', s.widgets, body, 'application/yaml');
    s.note(JSON.stringify(body), {
      status,
      reason: json.reason,
      beginning: /^[^:]*/.exec(json.message as string)?.[0],
    });
  }
});
add('no body', (s) => s.post(s.widgets, '').then(() => undefined));
add('a body of another media type', (s) => s.post(s.widgets, '{}', 'text/plain').then(() => undefined));
add('YAML', (s) =>
  s
    .post(
      s.widgets,
      `apiVersion: ${apiVersion}\nkind: Widget\nmetadata: {name: a}\nspec: {size: 2}\n`,
      'application/yaml',
    )
    .then(() => undefined),
);
add('dry run', async (s) => {
  await s.post(`${s.widgets}?dryRun=All`, widget('a'));
  await s.post(`${s.widgets}?dryRun=x`, widget('a'));
  await s.get(`${s.widgets}/a`);
});
add('options that are none', async (s) => {
  for (const query of [
    'dryRun=x',
    'dryRun=',
    'dryRun=All&dryRun=All',
    'dryRun=All&dryRun=x',
    'fieldValidation=strict',
    `fieldManager=${'x'.repeat(129)}`,
    'fieldManager=a%00b',
    'fieldManager=%C3%A4',
    'force=true',
    'pretty=x',
    'timeout=x',
    'timeout=1ms0',
  ]) {
    await s.post(`${s.widgets}?${query}`, widget('a'));
    await s.quietly('DELETE', `${s.widgets}/a`);
  }
});
add('unknown fields', async (s) => {
  const body = { ...widget('a', { zzz: 1, nested: { yy: 1 } }, { foo: 1 }), top: 2 };
  for (const mode of ['Ignore', 'Warn', 'Strict', 'Bogus'])
    await s.post(`${s.widgets}?dryRun=All&fieldValidation=${mode}`, body);
  const other = { ...configMap('c', {}, { foo: 1 }), top: 2 };
  for (const mode of ['Ignore', 'Warn', 'Strict'])
    await s.post(`${s.configMaps}?dryRun=All&fieldValidation=${mode}`, other);
});
add('members twice', async (s) => {
  const body = `{"apiVersion":"${apiVersion}","kind":"Widget","metadata":{"name":"a","name":"b"},"spec":{"size":1,"size":2,"zzz":3},"spec":{"size":4}}`;
  for (const mode of ['Ignore', 'Warn', 'Strict']) {
    await s.post(`${s.widgets}?dryRun=All&fieldValidation=${mode}`, body);
  }
  const other =
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{"x":"1","x":"2"}},"data":{"a":"1","a":"2"}}';
  for (const mode of ['Ignore', 'Warn', 'Strict']) {
    await s.post(`${s.configMaps}?dryRun=All&fieldValidation=${mode}`, other);
  }
});
add('a finalizer without a domain', (s) =>
  s.post(s.widgets, widget('a', {}, { finalizers: ['foo'] })).then(() => undefined),
);
add('owner references twice', (s) => {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'c', uid: 'x' };
  return s.post(`${s.widgets}?dryRun=All`, widget('a', {}, { ownerReferences: [owner, owner] })).then(() => undefined);
});
add('stringData of a Secret', (s) =>
  s
    .post(`/api/v1/namespaces/${s.namespace}/secrets`, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      stringData: { a: '1' },
    })
    .then(() => undefined),
);
add('an Event in both groups', async (s) => {
  const core = `/api/v1/namespaces/${s.namespace}/events`;
  const group_ = `/apis/events.k8s.io/v1/namespaces/${s.namespace}/events`;
  const regarding = { kind: 'Pod', name: 'p', namespace: s.namespace };
  await s.post(core, {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'a' },
    involvedObject: regarding,
    reason: 'R',
    message: 'M',
    type: 'Normal',
    count: 1,
  });
  await s.get(`${group_}/a`);
  await s.post(group_, {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'b' },
    regarding,
    reason: 'R',
    note: 'N',
    type: 'Normal',
    action: 'A',
    reportingController: 'x.example/c',
    reportingInstance: 'i',
    eventTime: '2026-01-01T00:00:00.000000Z',
  });
  await s.get(`${core}/b`);
  await s.get(`${core}?fieldSelector=involvedObject.name%3Dp,reason%3DR`);
  await s.get(`${group_}?fieldSelector=regarding.name%3Dp`);
});
add('a Lease, also by PUT', async (s) => {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${s.namespace}/leases`;
  const lease = (name: string) => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name },
    spec: { holderIdentity: 'a', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z' },
  });
  await s.post(path, lease('a'));
  await s.put(`${path}/b`, lease('b'));
  await s.put(`${path}/a`, lease('a'));
});
add('empty lists that are printed', async (s) => {
  const slices = `/apis/discovery.k8s.io/v1/namespaces/${s.namespace}/endpointslices`;
  const ranges = `/api/v1/namespaces/${s.namespace}/limitranges`;
  const roles = `/apis/rbac.authorization.k8s.io/v1/namespaces/${s.namespace}/roles`;
  const metadata = { name: 'a' };
  const slice = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata, addressType: 'IPv4' };
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata };
  await s.post(`${slices}?dryRun=All`, { ...slice, endpoints: [], ports: [] });
  await s.post(slices, { ...slice, endpoints: [], ports: [] });
  await s.post(ranges, { apiVersion: 'v1', kind: 'LimitRange', metadata, spec: { limits: [] } });
  await s.post(roles, { ...role, rules: [] });
  await s.get(`${roles}/a`);
  await s.put(`${roles}/a`, { ...role, rules: null });
  await s.put(`${roles}/a`, role);
  await s.patch('merge', `${roles}/a`, { rules: [] });
});
