import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../src/index.js';
import { configMap, configMaps, server, widget, widgets } from './support/fixtures.js';
import { call } from './support/http.js';

const apply = (url: string, path: string, manager: string, body: unknown, query = ''): ReturnType<typeof call> =>
  call(url, 'PATCH', `${path}?fieldManager=${manager}${query}`, { contentType: 'apply', body });

const managers = (json: { metadata: { managedFields?: JsonObject[] } }): string[] =>
  (json.metadata.managedFields ?? []).map((entry) =>
    ['manager', 'operation', 'subresource'].flatMap((key) => (entry[key] as string | undefined) ?? []).join(' '),
  );

describe('an apply', () => {
  it('creates, merges, and removes what nobody applies any more', async () => {
    const { url } = await server();
    const path = `${configMaps}/c`;
    expect((await apply(url, path, 'm1', configMap('c', { a: '1', b: '1' }))).status).toBe(201);
    await apply(url, path, 'm2', configMap('c', { b: '1', c: '1' }));
    const { json } = await apply(url, path, 'm1', configMap('c', { a: '2' }));
    expect(json.data).toEqual({ a: '2', b: '1', c: '1' });
    expect((await apply(url, path, 'm2', configMap('c', {}))).json.data).toEqual({ a: '2' });
  });

  it('meets with conflicts, which force overcomes', async () => {
    const { url } = await server();
    const path = `${configMaps}/c`;
    await apply(url, path, 'm1', configMap('c', { a: '1' }));
    const refused = await apply(url, path, 'm2', configMap('c', { a: '2' }));
    expect(refused.json).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "m1": .data.a',
      details: { causes: [{ reason: 'FieldManagerConflict', field: '.data.a', message: 'conflict with "m1"' }] },
    });
    expect(managers((await apply(url, path, 'm2', configMap('c', { a: '2' }), '&force=true')).json)).toEqual([
      'm2 Apply',
    ]);
  });

  it('that changes nothing writes nothing, and no watch sees it', async () => {
    const api = await server();
    const first = await apply(api.url, `${widgets}/a`, 'm1', widget('a'));
    const before = api.store.revision;
    const second = await apply(api.url, `${widgets}/a`, 'm1', widget('a'));
    expect(second.json).toEqual(first.json);
    expect(api.store.revision).toBe(before);
  });

  it('as a dry run leaves everything as it is', async () => {
    const api = await server();
    await apply(api.url, `${configMaps}/c`, 'm1', configMap('c', { a: '1' }));
    const before = await call(api.url, 'GET', `${configMaps}/c`);
    await apply(api.url, `${configMaps}/c`, 'm2', configMap('c', { b: '1' }), '&dryRun=All');
    expect((await call(api.url, 'GET', `${configMaps}/c`)).json).toEqual(before.json);
  });
});

describe('managed fields', () => {
  it('name everybody who writes, by the way in which they write', async () => {
    const { url } = await server();
    await call(url, 'POST', `${widgets}?fieldManager=m1`, { body: widget('a') });
    const path = `${widgets}/a`;
    await call(url, 'PATCH', `${path}?fieldManager=m2`, { contentType: 'merge', body: { spec: { mode: 'a' } } });
    await call(url, 'PATCH', `${path}/status?fieldManager=m3`, {
      contentType: 'merge',
      body: { status: { phase: 'x' } },
    });
    expect(managers((await call(url, 'GET', path)).json).toSorted()).toEqual([
      'm1 Update',
      'm2 Update',
      'm3 Update status',
    ]);
  });

  it('stay in metadata that is asked for alone', async () => {
    const { url } = await server();
    await call(url, 'POST', `${widgets}?fieldManager=m1`, { body: widget('a') });
    const { json } = await call(url, 'GET', `${widgets}/a`, {
      headers: { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' },
    });
    expect(managers(json)).toEqual(['m1 Update']);
  });

  it('are given up before an object is too large', async () => {
    const limit = 20_000;
    const long = 'k'.repeat(110);
    const api = await server({ limits: { object: limit } });
    const data = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${long}-${index}`, 'x']));
    const { status, json } = await call(api.url, 'POST', configMaps, { body: configMap('c', data) });
    expect([status, json.metadata.managedFields]).toEqual([201, undefined]);
  });

  it('of a stored object are shared by its next states', async () => {
    const api = await server();
    await apply(api.url, `${widgets}/a`, 'm1', widget('a'));
    const stored = (): JsonObject[] =>
      api.store.get('example.com/widgets', 'default/a')!.metadata.managedFields as JsonObject[];
    const [before] = stored();
    await call(api.url, 'PATCH', `${widgets}/a?fieldManager=m2`, {
      contentType: 'merge',
      body: { spec: { mode: 'a' } },
    });
    expect(stored().find(({ manager }) => manager === 'm1')!['fieldsV1']).toBe(before!['fieldsV1']);
  });
});
