import { describe, expect, it } from 'vitest';
import { JsonPatchError, jsonPatch } from '../src/patch/json-patch.js';
import { mergePatch } from '../src/patch/merge-patch.js';
import { strategicMergePatch } from '../src/patch/strategic-merge-patch.js';
import { builtinSchema, objectMetaSchema } from '../src/schemas/builtin-schemas.js';
import { configMap, configMaps, server, widget, widgets } from './support/fixtures.js';
import { call } from './support/http.js';

describe('JSON patch', () => {
  it.each([
    ['add a member', { a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
    ['add into an array', { a: [1, 3] }, [{ op: 'add', path: '/a/1', value: 2 }], { a: [1, 2, 3] }],
    ['append', { a: [1] }, [{ op: 'add', path: '/a/-', value: 2 }], { a: [1, 2] }],
    ['remove', { a: 1, b: 2 }, [{ op: 'remove', path: '/a' }], { b: 2 }],
    ['replace', { a: 1 }, [{ op: 'replace', path: '/a', value: { b: 1 } }], { a: { b: 1 } }],
    ['add no value', { a: 1 }, [{ op: 'add', path: '/b' }], { a: 1, b: null }],
    ['copy what is absent', {}, [{ op: 'copy', from: '/a', path: '/b' }], { b: null }],
    ['replace what is absent', { a: 1 }, [{ op: 'replace', path: '/b', value: 1 }], { a: 1, b: 1 }],
    ['move', { a: { b: 1 }, c: {} }, [{ op: 'move', from: '/a/b', path: '/c/d' }], { a: {}, c: { d: 1 } }],
    ['copy', { a: { b: 1 } }, [{ op: 'copy', from: '/a', path: '/c' }], { a: { b: 1 }, c: { b: 1 } }],
    [
      'escapes',
      { 'a/b': 1, 'c~d': 2 },
      [
        { op: 'remove', path: '/a~1b' },
        { op: 'remove', path: '/c~0d' },
      ],
      {},
    ],
    [
      'test, then change',
      { a: [1, { b: 2 }] },
      [
        { op: 'test', path: '/a', value: [1, { b: 2 }] },
        { op: 'remove', path: '/a/0' },
      ],
      { a: [{ b: 2 }] },
    ],
    [
      'test null for absent',
      {},
      [
        { op: 'test', path: '/a', value: null },
        { op: 'add', path: '/a', value: 1 },
      ],
      { a: 1 },
    ],
  ])('%s', (_what, document, operations, expected) => {
    const before = structuredClone(document);
    expect(jsonPatch(document, operations)).toEqual(expected);
    expect(document).toEqual(before);
  });

  it.each([
    ['failed test', [{ op: 'test', path: '/a', value: 2 }]],
    ['test of an absent member', [{ op: 'test', path: '/x', value: 1 }]],
    ['remove of an absent member', [{ op: 'remove', path: '/x' }]],
    ['add below an absent member', [{ op: 'add', path: '/x/y', value: 1 }]],
    ['index out of range', [{ op: 'add', path: '/list/9', value: 1 }]],
    ['index that is none', [{ op: 'remove', path: '/list/01' }]],
    ['move into itself', [{ op: 'move', from: '/o', path: '/o/p' }]],
    ['unknown operation', [{ op: 'merge', path: '/a', value: 1 }]],
    ['no pointer', [{ op: 'add', path: 'a', value: 1 }]],
    ['the whole document', [{ op: 'add', path: '', value: {} }]],
    ['test below an absent member', [{ op: 'test', path: '/x/y', value: null }]],
  ])('refuses: %s', (_what, operations) => {
    expect(() => jsonPatch({ a: 1, list: [1], o: {} }, operations)).toThrow(JsonPatchError);
  });

  it('is refused as a whole, with 422, when an operation fails', async () => {
    const { url, store } = await server();
    await call(url, 'POST', widgets, { body: widget('a') });
    const before = store.revision;
    const { json } = await call(url, 'PATCH', `${widgets}/a`, {
      contentType: 'json',
      body: [
        { op: 'replace', path: '/spec/size', value: 2 },
        { op: 'test', path: '/metadata/uid', value: 'zzz' },
      ],
    });
    expect(json).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
    });
    expect(store.revision).toBe(before);
  });

  it('is limited to 10,000 operations', async () => {
    const { url } = await server();
    await call(url, 'POST', widgets, { body: widget('a') });
    const body = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/kind', value: 'Widget' }));
    expect((await call(url, 'PATCH', `${widgets}/a`, { contentType: 'json', body })).status).toBe(413);
    expect((await call(url, 'PATCH', `${widgets}/a`, { contentType: 'json', body: body.slice(1) })).status).toBe(200);
  });
});

describe('merge patch', () => {
  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j with %j', (target, patch, expected) => {
    expect(mergePatch(target, patch)).toEqual(expected);
  });

  it('locks only when it carries a version, and refuses another uid', async () => {
    const { url } = await server();
    const { json } = await call(url, 'POST', widgets, { body: widget('a') });
    const patch = (metadata: object, path = ''): ReturnType<typeof call> =>
      call(url, 'PATCH', `${widgets}/a${path}`, { contentType: 'merge', body: { metadata, spec: { size: 2 } } });
    expect((await patch({ resourceVersion: '1' })).json).toMatchObject({ code: 409, reason: 'Conflict' });
    expect((await patch({ uid: 'zzz' })).json).toMatchObject({
      code: 422,
      message: 'Widget.example.com "a" is invalid: metadata.uid: Invalid value: "zzz": field is immutable',
    });
    expect((await patch({ uid: json.metadata.uid, resourceVersion: json.metadata.resourceVersion })).status).toBe(200);
    expect((await patch({ labels: { a: 'b' } })).status).toBe(200);
    expect((await patch({ resourceVersion: '1' }, '/status')).status).toBe(409);
  });

  it('on /status of a custom resource ignores metadata, another uid included, as the real server does', async () => {
    const { url } = await server();
    const { json } = await call(url, 'POST', widgets, { body: widget('a') });
    const patched = await call(url, 'PATCH', `${widgets}/a/status`, {
      contentType: 'merge',
      body: { metadata: { uid: 'zzz', labels: { a: 'b' } }, status: { phase: 'x' } },
    });
    expect(patched.json).toMatchObject({ metadata: { uid: json.metadata.uid }, status: { phase: 'x' } });
    expect(patched.json.metadata).not.toHaveProperty('labels');
  });

  it('of an absent object is 404, with a body that is no object 400', async () => {
    const { url } = await server();
    expect((await call(url, 'PATCH', `${widgets}/a`, { contentType: 'merge', body: {} })).status).toBe(404);
    await call(url, 'POST', widgets, { body: widget('a') });
    expect((await call(url, 'PATCH', `${widgets}/a`, { contentType: 'merge', body: [1] })).status).toBe(400);
    expect((await call(url, 'PATCH', `${widgets}/a`, { contentType: 'merge', body: '{bad' })).status).toBe(400);
  });
});

describe('strategic merge patch', () => {
  const container = builtinSchema('', 'v1', 'Pod').properties!['spec']!.properties!['containers']!.items!.properties;
  const metadata = objectMetaSchema().properties;

  it.each([
    [
      'merges lists by their key',
      { containers: [{ name: 'a', image: '1' }, { name: 'b' }] },
      { containers: [{ name: 'a', image: '2' }, { name: 'c' }] },
      { containers: [{ name: 'a', image: '2' }, { name: 'c' }, { name: 'b' }] },
    ],
    [
      'deletes from lists by their key',
      { containers: [{ name: 'a' }, { name: 'b' }] },
      { containers: [{ name: 'a', $patch: 'delete' }] },
      { containers: [{ name: 'b' }] },
    ],
    [
      'replaces on demand',
      { containers: [{ name: 'a' }] },
      { containers: [{ $patch: 'replace' }, { name: 'b' }] },
      { containers: [{ name: 'b' }] },
    ],
    ['replaces lists without a key', { args: ['a'] }, { args: ['b'] }, { args: ['b'] }],
    ['adds to sets', { finalizers: ['a'] }, { finalizers: ['b'] }, { finalizers: ['b', 'a'] }],
    [
      'keeps the place of what only the target has',
      { finalizers: ['1', '2', '3'] },
      { finalizers: ['2', '9'] },
      { finalizers: ['1', '2', '9', '3'] },
    ],
    [
      'removes from sets',
      { finalizers: ['a', 'b'] },
      { '$deleteFromPrimitiveList/finalizers': ['a'] },
      { finalizers: ['b'] },
    ],
    [
      'orders lists',
      { env: [{ name: 'a' }] },
      { env: [{ name: 'b' }], '$setElementOrder/env': [{ name: 'b' }, { name: 'a' }] },
      { env: [{ name: 'b' }, { name: 'a' }] },
    ],
    [
      'keeps only named members',
      { s: { a: 1, b: 2 } },
      { s: { $retainKeys: ['b', 'c'], c: 3 } },
      { s: { b: 2, c: 3 } },
    ],
    ['deletes by null', { a: 1, b: 2 }, { a: null }, { b: 2 }],
  ])('%s', (_what, target, patch, expected) => {
    const schema = {
      properties: { ...builtinSchema('', 'v1', 'Pod').properties!['spec']!.properties, ...container, ...metadata },
    };
    expect(strategicMergePatch(target, patch, schema)).toEqual(expected);
  });

  it('serves built-in resources and is 415 for custom ones', async () => {
    const { url } = await server();
    await call(url, 'POST', configMaps, { body: configMap('c', { a: '1' }) });
    const patched = await call(url, 'PATCH', `${configMaps}/c`, {
      contentType: 'strategic',
      body: { data: { a: null, b: '2' } },
    });
    expect(patched.json.data).toEqual({ b: '2' });
    await call(url, 'POST', widgets, { body: widget('a') });
    const refused = await call(url, 'PATCH', `${widgets}/a`, { contentType: 'strategic', body: {} });
    expect(refused.json).toMatchObject({
      code: 415,
      message:
        'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    });
  });
});
