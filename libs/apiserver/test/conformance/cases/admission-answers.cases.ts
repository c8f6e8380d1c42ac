import type { JsonObject } from '../../../src/index.js';
import { configMap, widget } from '../bodies.js';
import { allow, patch, rule, widgetGroup } from '../hooks.js';
import { hookGroup } from '../hook-group.js';
import { hangUp, RawReply, type Reply } from '../webhook-receiver.js';

const { cases, add } = hookGroup();
export const admissionAnswerCases = cases;

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
add('a patch of managed fields', async (s, hooks) => {
  await s.post(`${s.widgets}?fieldManager=m`, widget('a'));
  await hooks.register('mutating', 'a', [{ name: 'first', rules: [rule(widgetGroup, ['*'])] }]);
  const entry = { manager: 'x', operation: 'Update', apiVersion: 'conformance.example.com/v1' };
  let size = 1;
  for (const value of [
    [{ ...entry, fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': { 'f:size': {} } }, time: '2020-01-01T00:00:00Z' }],
    [{ ...entry, operation: 'Other', fieldsType: 'FieldsV1', fieldsV1: {} }],
    [{ ...entry, fieldsType: 'FieldsV2', fieldsV1: {} }],
    [{ ...entry, fieldsType: 'FieldsV1', fieldsV1: { 'x:spec': {} } }],
    [{ ...entry, fieldsV1: {} }],
    [{ ...entry, apiVersion: '', fieldsType: 'FieldsV1' }],
    [{}],
    'x',
  ]) {
    hooks.respond('first', () => ({
      allowed: true,
      ...patch([{ op: 'add', path: '/metadata/managedFields', value }]),
    }));
    await s.patch('merge', `${s.widgets}/a?fieldManager=m`, { spec: { size: ++size } });
    await s.post(`${s.widgets}?dryRun=All&fieldManager=m`, widget('n'));
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
