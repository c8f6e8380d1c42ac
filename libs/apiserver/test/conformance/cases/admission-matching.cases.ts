import type { JsonObject } from '../../../src/index.js';
import { configMap, widget } from '../bodies.js';
import { gadget, gadgetsOf } from '../gadgets.js';
import { allow, patch, rule, widgetGroup } from '../hooks.js';
import { hookGroup } from '../hook-group.js';

const { cases, add } = hookGroup();
export const admissionMatchingCases = cases;

add('namespace and object selectors', async (s, hooks) => {
  const on = { rules: [rule('configmaps', ['CREATE', 'UPDATE', 'DELETE'])] };
  await hooks.register('validating', 'a', [
    {
      name: 'first',
      ...on,
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': s.namespace, absent: '1' } },
    },
    { name: 'second', ...on, objectSelector: { matchLabels: { hook: 'yes' } } },
    { name: 'third', ...on, objectSelector: { matchExpressions: [{ key: 'hook', operator: 'DoesNotExist' }] } },
  ]);
  for (const name of ['first', 'second', 'third']) hooks.respond(name, allow);
  const called = (): void =>
    s.note(
      'called',
      hooks.receiver
        .take()
        .map(({ path }) => path)
        .toSorted(),
    );
  await s.post(s.configMaps, configMap('c'));
  called();
  await s.patch('merge', `${s.configMaps}/c`, { metadata: { labels: { hook: 'yes' } } });
  called();
  await s.patch('merge', `${s.configMaps}/c`, { metadata: { labels: { hook: 'no' } } });
  called();
  await s.patch('merge', `${s.configMaps}/c`, { data: { a: '2' } });
  called();
  await s.delete(`${s.configMaps}/c`);
  called();
});
add('rules: subresources, groups, versions, scope', async (s, hooks) => {
  const operations = ['CREATE', 'UPDATE'];
  await hooks.register('validating', 'a', [
    { name: 'main', rules: [rule(widgetGroup, operations)] },
    { name: 'status', rules: [rule('widgets/status.conformance.example.com', operations)] },
    { name: 'all-of-widgets', rules: [rule('widgets/*.conformance.example.com', operations)] },
    { name: 'all-main', rules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations }] },
    { name: 'everything', rules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], operations }] },
    { name: 'all-status', rules: [{ apiGroups: ['*'], apiVersions: ['v1'], resources: ['*/status'], operations }] },
    { name: 'version', rules: [{ ...rule(widgetGroup, operations), apiVersions: ['v2'] }] },
    { name: 'namespaced', rules: [rule(widgetGroup, operations, { scope: 'Namespaced' })] },
    { name: 'cluster', rules: [rule(widgetGroup, operations, { scope: 'Cluster' })] },
    { name: 'update', rules: [rule(widgetGroup, ['UPDATE'])] },
  ]);
  for (const name of [
    'main',
    'status',
    'all-of-widgets',
    'all-main',
    'everything',
    'all-status',
    'version',
    'namespaced',
    'cluster',
    'update',
  ])
    hooks.respond(name, allow);
  const called = (): void =>
    s.note(
      'called',
      hooks.receiver
        .take()
        .map(({ path }) => path)
        .toSorted(),
    );
  await s.post(s.widgets, widget('a'));
  called();
  await s.patch('merge', `${s.widgets}/a/status`, { status: { phase: 'x' } });
  called();
  await s.patch('merge', `${s.widgets}/a/scale`, { spec: { replicas: 2 } });
  called();
  await s.patch('merge', `${s.widgets}/a`, { spec: { size: 2 } });
  called();
  await s.post(s.configMaps, configMap('c'));
  called();
});
add('several webhooks, in the order of names', async (s, hooks) => {
  const webhook = (name: string): JsonObject => ({ name, rules: [rule('configmaps')] });
  await hooks.register('mutating', 'b', [webhook('b2'), webhook('b1')]);
  await hooks.register('mutating', 'a', [webhook('a2'), webhook('a1')]);
  for (const name of ['a1', 'a2', 'b1', 'b2']) {
    hooks.respond(name, ({ object }) => ({
      allowed: true,
      ...patch([{ op: 'replace', path: '/data/a', value: `${(object as { data: { a: string } }).data.a} ${name}` }]),
    }));
  }
  await s.post(s.configMaps, configMap('c', { a: '0' }));
  s.note(
    'called',
    hooks.receiver.take().map(({ path }) => path),
  );
});
add('a validating webhook sees what mutating ones made', async (s, hooks) => {
  await hooks.register('mutating', 'a', [{ name: 'first', rules: [rule(widgetGroup)] }]);
  await hooks.register('validating', 'a', [{ name: 'second', rules: [rule(widgetGroup)] }]);
  hooks.respond('first', () => ({ allowed: true, ...patch([{ op: 'add', path: '/spec/nested', value: {} }]) }));
  hooks.respond('second', ({ object }) => ({
    allowed: false,
    status: { message: JSON.stringify((object as { spec: JsonObject }).spec) },
  }));
  await s.post(s.widgets, widget('a'));
  hooks.note();
});
add('one of several validating webhooks denies', async (s, hooks) => {
  const webhook = (name: string): JsonObject => ({ name, rules: [rule('configmaps')] });
  await hooks.register('validating', 'a', [webhook('first'), webhook('second'), webhook('third')]);
  for (const name of ['first', 'third']) hooks.respond(name, allow);
  hooks.respond('second', () => ({ allowed: false, status: { message: 'no' } }));
  await s.post(s.configMaps, configMap('c'));
  hooks.note({ unordered: true });
});
add('calls again when needed', async (s, hooks) => {
  const webhook = (name: string, reinvocationPolicy: string): JsonObject => ({
    name,
    reinvocationPolicy,
    rules: [rule('configmaps')],
  });
  await hooks.register('mutating', 'a', [
    webhook('first', 'IfNeeded'),
    webhook('never', 'Never'),
    webhook('second', 'IfNeeded'),
  ]);
  const append = (name: string, always = true): void =>
    hooks.respond(name, ({ object }) => {
      const { a } = (object as { data: { a: string } }).data;
      const operations = always || !a.includes(name) ? [{ op: 'replace', path: '/data/a', value: `${a} ${name}` }] : [];
      return { allowed: true, ...patch(operations) };
    });
  const called = (): void =>
    s.note(
      'called',
      hooks.receiver.take().map(({ path }) => path),
    );
  append('first');
  append('never');
  append('second');
  await s.post(s.configMaps, configMap('always', { a: '0' }));
  called();
  append('first', false);
  append('never', false);
  hooks.respond('second', allow);
  await s.post(s.configMaps, configMap('once', { a: '0' }));
  called();
  for (const name of ['first', 'never', 'second']) hooks.respond(name, allow);
  await s.post(s.configMaps, configMap('nothing', { a: '0' }));
  called();
});
add('a webhook for another version', async (s, hooks) => {
  const second = await gadgetsOf(s, 'v2');
  const rules = [{ ...rule('gadgets.apply.example.com'), apiVersions: ['v1'] }];
  await hooks.register('mutating', 'a', [
    { name: 'first', rules },
    { name: 'exact', rules, matchPolicy: 'Exact' },
  ]);
  hooks.respond('first', () => ({ allowed: true, ...patch([{ op: 'add', path: '/spec/size', value: 7 }]) }));
  hooks.respond('exact', allow);
  await s.post(second, gadget({ name: 'x' }, {}, 'v2'));
  hooks.note();
  await s.post(await gadgetsOf(s), gadget({ name: 'x' }, { name: 'b' }));
  hooks.note();
});
add('Namespaces', async (s, hooks) => {
  const name = `${s.namespace}-n`;
  s.leave(`/api/v1/namespaces/${name}`);
  await hooks.register('validating', 'a', [
    {
      name: 'first',
      rules: [rule('namespaces', ['*']), rule('namespaces/status', ['*'])],
      namespaceSelector: { matchLabels: { of: s.namespace } },
    },
  ]);
  hooks.respond('first', allow);
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { of: s.namespace } } };
  await s
    .post('/api/v1/namespaces', { ...body, metadata: { name: `${name}-other` } })
    .then(() => s.leave(`/api/v1/namespaces/${name}-other`));
  hooks.note();
  await s.post('/api/v1/namespaces', body);
  hooks.note();
  await s.patch('merge', `/api/v1/namespaces/${name}`, { metadata: { labels: { x: '1' } } });
  hooks.note();
  hooks.respond('first', () => ({ allowed: false, status: { message: 'it stays' } }));
  await s.delete(`/api/v1/namespaces/${name}`);
  hooks.note();
  hooks.respond('first', allow);
});
add('match conditions', async (s, hooks) => {
  const webhook = (name: string, expression: string, failurePolicy = 'Fail'): JsonObject => ({
    name,
    failurePolicy,
    rules: [rule('configmaps', ['CREATE', 'UPDATE', 'DELETE'])],
    matchConditions: [{ name: 'only', expression }],
  });
  const expressions: Record<string, string> = {
    object: "object != null && 'a' in object.data && object.data.a == '1'",
    old: 'oldObject != null && !has(oldObject.metadata.labels)',
    operation: "request.operation == 'DELETE'",
    request: `request.name == 'c' && request.resource.resource == 'configmaps' && request.namespace.startsWith('conf-')`,
    user: "request.userInfo.username == 'admin' && 'system:masters' in request.userInfo.groups",
    authorizer: "authorizer.group('').resource('configmaps').namespace('default').check('get').allowed()",
    dry: 'request.?dryRun.orValue(false)',
  };
  await hooks.register('validating', 'a', [
    ...Object.entries(expressions).map(([name, expression]) => webhook(name, expression)),
    webhook('ignored', "object.data.missing == 'x'", 'Ignore'),
    {
      ...webhook('two', "request.operation != 'DELETE'"),
      matchConditions: [
        { name: 'one', expression: "request.operation != 'DELETE'" },
        { name: 'two', expression: "object.data.a == '2'" },
      ],
    },
  ]);
  for (const name of [...Object.keys(expressions), 'ignored', 'two']) hooks.respond(name, allow);
  const called = (): void =>
    s.note(
      'called',
      hooks.receiver
        .take()
        .map(({ path }) => path)
        .toSorted(),
    );
  await s.post(s.configMaps, configMap('c'));
  called();
  await s.patch('merge', `${s.configMaps}/c?dryRun=All`, { data: { a: '2' } });
  called();
  await s.delete(`${s.configMaps}/c`);
  called();
});
add('a match condition that fails', async (s, hooks) => {
  await hooks.register('validating', 'a', [
    {
      name: 'first',
      rules: [rule('configmaps')],
      matchConditions: [{ name: 'fails', expression: "object.data.missing == 'x'" }],
    },
  ]);
  hooks.respond('first', allow);
  await s.post(s.configMaps, configMap('c'));
  hooks.note();
  await hooks.register('validating', 'b', [
    {
      name: 'second',
      rules: [rule('secrets')],
      matchConditions: [
        { name: 'fails', expression: "object.data.missing == 'x'" },
        { name: 'false', expression: 'false' },
      ],
    },
  ]);
  await s.post(`/api/v1/namespaces/${s.namespace}/secrets`, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's' },
  });
});
