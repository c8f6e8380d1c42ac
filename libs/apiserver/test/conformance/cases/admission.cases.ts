import type { JsonObject } from '../../../src/index.js';
import { configMap, widget } from '../bodies.js';
import { gadget, gadgetsOf } from '../gadgets.js';
import { allow, label, patch, rule, widgetGroup } from '../hooks.js';
import { hookGroup } from '../hook-group.js';
import { silence } from '../webhook-receiver.js';

const { cases, add } = hookGroup();
export const admissionCases = cases;

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
