import type { JsonObject } from '../../../src/index.js';
import { configMap, widget } from '../bodies.js';
import { gadget, gadgetsOf } from '../gadgets.js';
import { Hooks, patch, rule } from '../hooks.js';
import { group, type Session } from '../session.js';
import { hangUp, RawReply, silence, type Reply } from '../webhook-receiver.js';
import { addWebhookConfigurationCases } from './webhook-configuration.cases.js';

const { cases, add: addCase } = group('admission');
export const admissionCases = cases;

function add(name: string, run: (s: Session, hooks: Hooks) => Promise<unknown>): void {
  addCase(name, async (s) => {
    await run(s, await Hooks.open(s));
  });
}

const widgetGroup = 'widgets.conformance.example.com';
const allow = (): JsonObject => ({ allowed: true });
const label = (key: string, value = '1'): JsonObject => ({ op: 'add', path: `/metadata/labels/${key}`, value });

add('mutates a custom resource', async (s, hooks) => {
  await hooks.register('mutating', 'a', [{ name: 'first', rules: [rule(widgetGroup, ['CREATE', 'UPDATE'])] }]);
  hooks.respond('first', () => ({
    allowed: true,
    ...patch([
      { op: 'add', path: '/metadata/labels', value: { hooked: 'yes' } },
      { op: 'replace', path: '/spec/size', value: 7 },
    ]),
  }));
  await s.post(s.widgets, widget('a'));
  hooks.note();
  await s.get(`${s.widgets}/a`);
  await s.patch('merge', `${s.widgets}/a`, { spec: { size: 2, mode: 'a' }, metadata: { labels: null } });
  hooks.note();
});
add('mutates a built-in resource', async (s, hooks) => {
  await hooks.register('mutating', 'a', [{ name: 'first', rules: [rule('configmaps')] }]);
  hooks.respond('first', () => ({ allowed: true, ...patch([{ op: 'add', path: '/data/b', value: '2' }]) }));
  await s.post(`${s.configMaps}?fieldManager=m&fieldValidation=Strict`, configMap('c'));
  hooks.note();
  await s.get(`${s.configMaps}/c`);
});
add('what is sent about each operation', async (s, hooks) => {
  const all = ['*'];
  await hooks.register('validating', 'a', [
    {
      name: 'first',
      rules: [
        rule(widgetGroup, all),
        rule('widgets/status.conformance.example.com', all),
        rule('widgets/scale.conformance.example.com', all),
      ],
    },
  ]);
  hooks.respond('first', allow);
  await s.post(`${s.widgets}?fieldManager=m`, widget('a'));
  hooks.note();
  const { json } = await s.get(`${s.widgets}/a`);
  await s.put(`${s.widgets}/a?fieldManager=m`, { ...json, spec: { size: 2 } });
  hooks.note();
  await s.patch('merge', `${s.widgets}/a?fieldManager=m`, { spec: { size: 3 } });
  hooks.note();
  await s.patch('json', `${s.widgets}/a`, [{ op: 'replace', path: '/spec/size', value: 4 }]);
  hooks.note();
  await s.patch('merge', `${s.widgets}/a/status`, { status: { phase: 'x' }, spec: { size: 9 } });
  hooks.note();
  await s.patch('merge', `${s.widgets}/a/scale`, { spec: { replicas: 2 } });
  hooks.note();
  await s.delete(`${s.widgets}/a`, { propagationPolicy: 'Background', gracePeriodSeconds: 0 });
  hooks.note();
});
add('what is sent about a built-in resource', async (s, hooks) => {
  await hooks.register('validating', 'a', [{ name: 'first', rules: [rule('configmaps', ['*'])] }]);
  hooks.respond('first', allow);
  await s.post(s.configMaps, configMap('c'));
  hooks.note();
  await s.patch('strategic', `${s.configMaps}/c`, { data: { b: '1' } });
  hooks.note();
  await s.delete(`${s.configMaps}/c`);
  hooks.note();
});
add('writes that change nothing, fail or are reads', async (s, hooks) => {
  await hooks.register('validating', 'a', [{ name: 'first', rules: [rule('configmaps', ['*'])] }]);
  hooks.respond('first', allow);
  await s.post(s.configMaps, configMap('c'));
  await s.patch('merge', `${s.configMaps}/c`, {});
  hooks.note();
  await s.post(s.configMaps, configMap('c'));
  hooks.note();
  await s.patch('merge', `${s.configMaps}/c`, { metadata: { resourceVersion: '1' }, data: { a: '2' } });
  hooks.note();
  await s.patch('merge', `${s.configMaps}/none`, {});
  await s.delete(`${s.configMaps}/none`);
  await s.get(`${s.configMaps}/c`);
  await s.get(s.configMaps);
  hooks.note();
  await s.delete(`${s.configMaps}/c`, { preconditions: { uid: 'zzz' } });
  hooks.note();
});
add('denies', async (s, hooks) => {
  await hooks.register('validating', 'a', [{ name: 'first', rules: [rule(widgetGroup)] }]);
  for (const status of [
    undefined,
    {},
    { message: 'not today' },
    { message: 'not found here', code: 404, reason: 'NotFound' },
    {
      code: 422,
      reason: 'Invalid',
      message: 'bad',
      details: { causes: [{ field: 'spec.size', message: 'too big', reason: 'FieldValueInvalid' }] },
    },
    { reason: 'because' },
    { code: 200, message: 'odd' },
    { code: 599, message: 'odder' },
    { status: 'Failure', message: 'a message', metadata: { resourceVersion: '5' } },
    { message: '' },
  ]) {
    hooks.respond('first', () => ({ allowed: false, ...(status === undefined ? {} : { status }) }));
    await s.post(s.widgets, widget('a'));
  }
  hooks.respond('first', () => ({}));
  await s.post(s.widgets, widget('a'));
  await s.get(`${s.widgets}/a`);
});
add('a mutating webhook denies', async (s, hooks) => {
  await hooks.register('mutating', 'a', [
    { name: 'first', rules: [rule('configmaps')] },
    { name: 'second', rules: [rule('configmaps')] },
  ]);
  hooks.respond('first', () => ({ allowed: false, status: { message: 'no', code: 400 } }));
  hooks.respond('second', allow);
  await s.post(s.configMaps, configMap('c'));
  hooks.note();
});
add('warns', async (s, hooks) => {
  await hooks.register('validating', 'a', [{ name: 'first', rules: [rule('configmaps', ['CREATE', 'DELETE'])] }]);
  await hooks.register('mutating', 'a', [{ name: 'second', rules: [rule('configmaps')] }]);
  const warn = (name: string, ...warnings: string[]): void => hooks.respond(name, () => ({ allowed: true, warnings }));
  warn('first', 'one', 'two');
  warn('second', 'zero', 'one');
  await s.post(s.configMaps, configMap('c'));
  warn('first', 'he said "no" \\ twice', 'ünï', 'a\nb', '', 'x'.repeat(300));
  await s.delete(`${s.configMaps}/c`);
  hooks.respond('first', () => ({ allowed: false, warnings: ['denied'], status: { message: 'no' } }));
  warn('second');
  await s.post(s.configMaps, configMap('d'));
});
add('warns too much', async (s, hooks) => {
  await hooks.register('validating', 'a', [{ name: 'first', rules: [rule('configmaps')] }]);
  hooks.respond('first', () => ({
    allowed: true,
    warnings: Array.from({ length: 40 }, (_, n) => `${n} ${'x'.repeat(n < 20 ? 200 : 400)}`),
  }));
  await s.post(s.configMaps, configMap('c'));
});
add('does not answer in time', async (s, hooks) => {
  const webhook = (name: string, failurePolicy: string): JsonObject => ({
    name,
    failurePolicy,
    timeoutSeconds: 1,
    rules: [rule('configmaps')],
  });
  await hooks.register('validating', 'a', [webhook('first', 'Fail')]);
  hooks.reply('first', () => silence);
  await s.post(s.configMaps, configMap('c'));
  hooks.note();
  await hooks.register('validating', 'b', [webhook('second', 'Ignore')]);
  hooks.reply('second', () => silence);
  hooks.respond('first', allow);
  await s.post(s.configMaps, configMap('c'));
});
add('a mutating webhook does not answer in time', async (s, hooks) => {
  await hooks.register('mutating', 'a', [
    { name: 'first', failurePolicy: 'Ignore', timeoutSeconds: 1, rules: [rule('configmaps')] },
    { name: 'second', failurePolicy: 'Fail', timeoutSeconds: 1, rules: [rule('configmaps')] },
  ]);
  hooks.reply('first', () => silence);
  hooks.reply('second', () => silence);
  await s.post(s.configMaps, configMap('c'));
});

const review = (response: unknown, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  response: response as JsonObject,
  ...more,
});
const uidOf = (received: { review: JsonObject }): string =>
  (received.review['request'] as { uid: string } | undefined)?.uid ?? '';

const badReplies: Record<string, (uid: string) => Reply> = {
  'no JSON': () => new RawReply(200, 'hello'),
  'an empty body': () => new RawReply(200, ''),
  'another media type': (uid) =>
    new RawReply(200, JSON.stringify(review({ uid, allowed: true })), { 'content-type': 'text/plain' }),
  'another kind': (uid) => review({ uid, allowed: true }, { kind: 'Other' }),
  'another version': (uid) => review({ uid, allowed: true }, { apiVersion: 'admission.k8s.io/v1beta1' }),
  'an unknown group': (uid) => review({ uid, allowed: true }, { apiVersion: 'example.com/v1' }),
  'no kind': (uid) => ({ response: { uid, allowed: true } }),
  'no response': () => review(undefined),
  'a response that is none': () => review('x'),
  'another uid': () => review({ uid: 'another', allowed: true }),
  'no uid': () => review({ allowed: true }),
  'status 404': () => new RawReply(404, 'not here', { 'content-type': 'text/plain' }),
  'status 500': () =>
    new RawReply(
      500,
      JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'broken', code: 500 }),
    ),
  'status 201': (uid) => new RawReply(201, JSON.stringify(review({ uid, allowed: true }))),
  'a redirection': () => new RawReply(302, '', { location: '/elsewhere' }),
  'no answer': () => hangUp,
};
for (const [name, reply] of Object.entries(badReplies)) {
  add(`a bad answer: ${name}`, async (s, hooks) => {
    await hooks.register('validating', 'a', [{ name: 'first', rules: [rule('configmaps')] }]);
    hooks.reply('first', (received) => reply(uidOf(received)));
    await s.post(s.configMaps, configMap('c'));
  });
}
add('bad answers that are ignored', async (s, hooks) => {
  await hooks.register('mutating', 'a', [{ name: 'first', failurePolicy: 'Ignore', rules: [rule('configmaps')] }]);
  for (const [index, reply] of Object.values(badReplies).entries()) {
    hooks.reply('first', (received) => reply(uidOf(received)));
    await s.post(s.configMaps, configMap(`c${index}`));
  }
});
add('bad patches', async (s, hooks) => {
  await hooks.register('mutating', 'a', [{ name: 'first', rules: [rule('configmaps')] }]);
  const encoded = (text: string): string => Buffer.from(text).toString('base64');
  for (const response of [
    { patch: encoded('[]') },
    { patch: encoded('[]'), patchType: 'JSONPatch' },
    { patchType: 'JSONPatch' },
    { patch: encoded('[{"op":"add","path":"/data/b","value":"1"}]'), patchType: 'MergePatch' },
    { patch: encoded('{"data":{"b":"1"}}'), patchType: 'JSONPatch' },
    { patch: encoded('nonsense'), patchType: 'JSONPatch' },
    { patch: '***', patchType: 'JSONPatch' },
    { patch: encoded('[{"op":"remove","path":"/data/none"}]'), patchType: 'JSONPatch' },
    { patch: encoded('[{"op":"test","path":"/data/a","value":"9"}]'), patchType: 'JSONPatch' },
    { patch: encoded('[{"op":"add","path":"/data","value":1}]'), patchType: 'JSONPatch' },
    { patch: encoded('[{"op":"add","path":"/zzz","value":1}]'), patchType: 'JSONPatch' },
  ]) {
    hooks.respond('first', () => ({ allowed: true, ...response }));
    await s.post(`${s.configMaps}?dryRun=All`, configMap('c'));
  }
  hooks.respond('first', () => ({ allowed: true, ...patch([{ op: 'add', path: '/data/a/x', value: '1' }]) }));
  await s.post(`${s.configMaps}?dryRun=All`, configMap('c'));
});
add('bad patches of a validating webhook', async (s, hooks) => {
  await hooks.register('validating', 'a', [{ name: 'first', rules: [rule('configmaps')] }]);
  hooks.respond('first', () => ({ allowed: true, ...patch([{ op: 'add', path: '/data/b', value: '1' }]) }));
  await s.post(s.configMaps, configMap('c'));
});
add('a patch that breaks the schema', async (s, hooks) => {
  await hooks.register('mutating', 'a', [{ name: 'first', rules: [rule(widgetGroup, ['*'])] }]);
  await hooks.register('validating', 'a', [{ name: 'second', rules: [rule(widgetGroup, ['*'])] }]);
  hooks.respond('second', allow);
  for (const operation of [
    { op: 'add', path: '/spec/size', value: 99 },
    { op: 'add', path: '/spec/size', value: 'x' },
    { op: 'add', path: '/spec/zzz', value: 1 },
    { op: 'add', path: '/spec/nested', value: {} },
    { op: 'remove', path: '/spec' },
    { op: 'add', path: '/metadata/labels', value: { 'b a d': '1' } },
    { op: 'add', path: '/metadata/labels', value: 1 },
    { op: 'add', path: '/status', value: { phase: 'x' } },
  ]) {
    hooks.respond('first', () => ({ allowed: true, ...patch([operation]) }));
    await s.post(`${s.widgets}?dryRun=All`, widget('a'));
    s.note(
      'called',
      hooks.receiver.take().map(({ path }) => path),
    );
  }
});
add('a patch of what cannot be changed', async (s, hooks) => {
  await s.post(s.widgets, widget('a'));
  await hooks.register('mutating', 'a', [{ name: 'first', rules: [rule(widgetGroup, ['*'])] }]);
  for (const operation of [
    { op: 'replace', path: '/metadata/name', value: 'b' },
    { op: 'replace', path: '/metadata/namespace', value: 'other' },
    { op: 'add', path: '/metadata/uid', value: 'other' },
    { op: 'add', path: '/metadata/resourceVersion', value: '1' },
    { op: 'add', path: '/metadata/generation', value: 9 },
    { op: 'add', path: '/metadata/creationTimestamp', value: '2020-01-01T00:00:00Z' },
    { op: 'replace', path: '/kind', value: 'Gadget' },
    { op: 'replace', path: '/apiVersion', value: 'conformance.example.com/v2' },
    { op: 'remove', path: '/metadata' },
    { op: 'add', path: '/metadata/managedFields', value: [] },
  ]) {
    hooks.respond('first', () => ({ allowed: true, ...patch([operation]) }));
    await s.patch('merge', `${s.widgets}/a`, { spec: { mode: 'a' } });
    await s.post(`${s.widgets}?dryRun=All`, widget('n'));
  }
});
add('a patch that leaves metadata empty', async (s, hooks) => {
  await hooks.register('mutating', 'a', [
    { name: 'first', rules: [rule(widgetGroup, ['*']), rule('configmaps', ['*'])] },
  ]);
  hooks.respond('first', allow);
  await s.post(s.widgets, widget('a'));
  await s.post(s.configMaps, configMap('a'));
  // Each time with another change, as the real server stores what is empty and takes that for one.
  let size = 1;
  for (const [member, value] of Object.entries({
    labels: {},
    annotations: {},
    finalizers: [],
    ownerReferences: [],
    managedFields: [],
  })) {
    hooks.respond('first', () => ({ allowed: true, ...patch([{ op: 'add', path: `/metadata/${member}`, value }]) }));
    await s.patch('merge', `${s.widgets}/a`, { spec: { size: ++size } });
    await s.get(`${s.widgets}/a`);
    await s.post(`${s.widgets}?dryRun=All`, widget('n'));
    await s.patch('merge', `${s.configMaps}/a`, { data: { b: member } });
  }
});
add('a patch of a scale', async (s, hooks) => {
  await s.post(`${s.widgets}?fieldManager=m`, widget('a', { replicas: 1 }));
  await hooks.register('mutating', 'a', [
    { name: 'first', rules: [rule('widgets/scale.conformance.example.com', ['*'])] },
  ]);
  await hooks.register('validating', 'b', [
    { name: 'second', rules: [rule('widgets/scale.conformance.example.com', ['*'])] },
  ]);
  hooks.respond('first', () => ({ allowed: true, ...patch([{ op: 'replace', path: '/spec/replicas', value: 3 }]) }));
  hooks.respond('second', allow);
  await s.patch('merge', `${s.widgets}/a/scale`, { spec: { replicas: 2 } });
  hooks.note();
  await s.get(`${s.widgets}/a`);
  const { json } = await s.get(`${s.widgets}/a/scale`);
  await s.put(`${s.widgets}/a/scale`, { ...json, spec: { replicas: 1 } });
  hooks.note();
  await s.get(`${s.widgets}/a`);
});
add('a value of another type that a webhook mends', async (s, hooks) => {
  await s.post(s.widgets, widget('a'));
  await hooks.register('mutating', 'a', [{ name: 'first', rules: [rule(widgetGroup, ['*'])] }]);
  hooks.respond('first', () => ({ allowed: true, ...patch([{ op: 'replace', path: '/spec/size', value: 3 }]) }));
  await s.patch('merge', `${s.widgets}/a`, { spec: { size: 'x' } });
  await s.post(s.widgets, widget('b', { size: 'x' }));
  await s.patch('merge', `${s.widgets}/b`, { spec: { mode: 'a' } });
});
add('an object that is invalid from the start', async (s, hooks) => {
  await hooks.register('mutating', 'a', [{ name: 'first', rules: [rule(widgetGroup)] }]);
  await hooks.register('validating', 'a', [{ name: 'second', rules: [rule(widgetGroup)] }]);
  hooks.respond('first', allow);
  hooks.respond('second', allow);
  await s.post(s.widgets, widget('a', { size: 99 }));
  hooks.note();
  hooks.respond('first', () => ({ allowed: true, ...patch([{ op: 'replace', path: '/spec/size', value: 3 }]) }));
  await s.post(s.widgets, widget('a', { size: 99, zzz: 1, nested: {} }));
  hooks.note();
});
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
add('dry run', async (s, hooks) => {
  await hooks.register('mutating', 'a', [
    { name: 'first', sideEffects: 'NoneOnDryRun', rules: [rule(widgetGroup, ['*'])] },
  ]);
  await hooks.register('validating', 'a', [{ name: 'second', rules: [rule(widgetGroup, ['*'])] }]);
  hooks.respond('first', () => ({ allowed: true, ...patch([{ op: 'replace', path: '/spec/size', value: 7 }]) }));
  hooks.respond('second', allow);
  await s.post(`${s.widgets}?dryRun=All`, widget('a'));
  hooks.note();
  await s.quietly('POST', s.widgets, widget('a'));
  hooks.receiver.take();
  await s.delete(`${s.widgets}/a`, { dryRun: ['All'] });
  hooks.note();
  await s.get(`${s.widgets}/a`);
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
add('deletion', async (s, hooks) => {
  await s.post(s.widgets, widget('a', {}, { finalizers: ['x.example/a'] }));
  await hooks.register('validating', 'a', [{ name: 'first', rules: [rule(widgetGroup, ['DELETE'])] }]);
  hooks.respond('first', () => ({
    allowed: false,
    status: { message: 'it is needed', reason: 'Conflict', code: 409 },
  }));
  await s.delete(`${s.widgets}/a`);
  hooks.note();
  hooks.respond('first', allow);
  await s.delete(`${s.widgets}/a`);
  hooks.note();
  await s.delete(`${s.widgets}/a`);
  hooks.note();
  await s.patch('merge', `${s.widgets}/a`, { metadata: { finalizers: null } });
  hooks.note();
});
add('a mutating webhook about a deletion', async (s, hooks) => {
  await s.post(s.configMaps, configMap('c'));
  await hooks.register('mutating', 'a', [{ name: 'first', rules: [rule('configmaps', ['DELETE'])] }]);
  hooks.respond('first', () => ({ allowed: true, ...patch([label('x')]) }));
  await s.delete(`${s.configMaps}/c`);
  hooks.note();
  await s.get(`${s.configMaps}/c`);
});
add('a collection is deleted', async (s, hooks) => {
  for (const name of ['a', 'b', 'c']) await s.post(s.widgets, widget(name));
  await hooks.register('validating', 'a', [{ name: 'first', rules: [rule(widgetGroup, ['DELETE'])] }]);
  hooks.respond('first', ({ oldObject }) => ({
    allowed: (oldObject as { metadata: { name: string } } | null)?.metadata.name !== 'b',
    status: { message: 'b stays' },
  }));
  await s.delete(s.widgets);
  hooks.note();
  await s.get(s.widgets);
  hooks.respond('first', allow);
  await s.delete(`${s.widgets}?labelSelector=none%3D1`);
  hooks.note();
  await s.delete(`${s.widgets}?fieldSelector=metadata.name%3Db`);
  hooks.note();
});
add('generateName', async (s, hooks) => {
  await hooks.register('mutating', 'a', [{ name: 'first', rules: [rule('configmaps')] }]);
  await hooks.register('validating', 'a', [{ name: 'second', rules: [rule('configmaps')] }]);
  hooks.respond('first', allow);
  hooks.respond('second', () => ({ allowed: false }));
  await s.post(s.configMaps, { ...configMap('c'), metadata: { generateName: 'c-' } });
  const names = hooks.receiver.take().map(({ path, review: { request = {} } }) => {
    const { metadata } = request['object'] as { metadata: JsonObject };
    return { path, name: request['name'], inObject: metadata['name'], generateName: metadata['generateName'] };
  });
  s.note('names', JSON.parse(JSON.stringify(names).replaceAll(/c-\w{5}"/g, 'c-<generated>"')));
});
add('an apply', async (s, hooks) => {
  const path = `${await gadgetsOf(s)}/a`;
  await hooks.register('mutating', 'a', [{ name: 'first', rules: [rule('gadgets.apply.example.com', ['*'])] }]);
  hooks.respond('first', () => ({
    allowed: true,
    ...patch([
      { op: 'add', path: '/spec/size', value: 7 },
      { op: 'add', path: '/spec/labels', value: { hooked: '1' } },
    ]),
  }));
  for (const spec of [
    { name: 'x', size: 1 },
    { name: 'y', size: 1 },
  ]) {
    const { json } = await s.patch('apply', `${path}?fieldManager=m1&force=true`, gadget(spec));
    hooks.note();
    s.note(
      'managers',
      (json.metadata.managedFields as JsonObject[] | undefined)?.map(({ manager, operation, fieldsV1 }) => ({
        manager,
        operation,
        fieldsV1,
      })),
    );
  }
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
add('an older form of reviews', async (s, hooks) => {
  await hooks.register('validating', 'a', [
    { name: 'first', admissionReviewVersions: ['v9', 'v1beta1', 'v1'], rules: [rule('configmaps')] },
  ]);
  hooks.reply('first', (received) =>
    review({ uid: uidOf(received), allowed: true }, { apiVersion: 'admission.k8s.io/v1beta1' }),
  );
  await s.post(s.configMaps, configMap('c'));
  hooks.note();
});
add('annotations for the audit log', async (s, hooks) => {
  await hooks.register('validating', 'a', [{ name: 'first', rules: [rule('configmaps')] }]);
  hooks.respond('first', () => ({ allowed: true, auditAnnotations: { a: 'b' } }));
  await s.post(s.configMaps, configMap('c'));
});
add('a receiver that is gone', async (s, hooks) => {
  await hooks.register('mutating', 'a', [
    { name: 'first', failurePolicy: 'Ignore', rules: [rule('configmaps')] },
    { name: 'second', failurePolicy: 'Fail', rules: [rule('secrets')] },
  ]);
  await hooks.register('validating', 'a', [{ name: 'third', rules: [rule('services')] }]);
  await hooks.receiver.close();
  await s.post(s.configMaps, configMap('c'));
  await s.post(`/api/v1/namespaces/${s.namespace}/secrets`, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's' },
  });
  await s.post(`/api/v1/namespaces/${s.namespace}/services`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's' },
    spec: { clusterIP: 'None' },
  });
});
add('a service that is not there', async (s, hooks) => {
  const clientConfig = (port?: number): JsonObject => ({
    service: { name: 'none', namespace: s.namespace, path: '/x', ...(port === undefined ? {} : { port }) },
    caBundle: hooks.receiver.caBundle,
  });
  await hooks.register('mutating', 'a', [{ name: 'first', clientConfig: clientConfig(), rules: [rule('configmaps')] }]);
  await hooks.register('validating', 'a', [
    { name: 'second', clientConfig: clientConfig(8443), rules: [rule('secrets')] },
  ]);
  await s.post(s.configMaps, configMap('c'));
  await s.post(`/api/v1/namespaces/${s.namespace}/secrets`, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's' },
  });
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

addWebhookConfigurationCases(addCase);
