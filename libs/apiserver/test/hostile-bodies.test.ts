import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../src/index.js';
import { configMap, configMaps, server, widget, widgetDefinition, widgets } from './support/fixtures.js';
import { call } from './support/http.js';

const nested = (depth: number, leaf = '1'): string => `${'{"a":'.repeat(depth)}${leaf}${'}'.repeat(depth)}`;
const widgetText = (any: string): string =>
  `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"b"},"spec":{"size":1,"any":${any}}}`;
const many = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, index) => make(index));

/** Far above what these take, far below what they would take if it grew with the square of the size. */
const soon = 30_000;

describe('a body made to do harm', () => {
  it.each([401, 5_000, 20_000, 300_000])('is nested %i deep: 400', async (depth) => {
    const api = await server();
    await api.create(widget('a'));
    for (const leaf of ['1', '12345678901234567890']) {
      const created = await call(api.url, 'POST', widgets, { body: widgetText(nested(depth, leaf)) });
      expect([created.status, created.json.reason]).toEqual([400, 'BadRequest']);
      expect(created.json.message).toContain('exceeded max depth');
      const body = `{"spec":{"any":${nested(depth, leaf)}}}`;
      const patched = await call(api.url, 'PATCH', `${widgets}/a`, { contentType: 'merge', body });
      expect([patched.status, patched.json.reason]).toEqual([400, 'BadRequest']);
    }
    expect(await api.list({ apiVersion: 'example.com/v1', kind: 'Widget' })).toHaveLength(1);
  });

  it('is nested as deep as is taken: stored, read, patched and deleted', async () => {
    const api = await server();
    const text = nested(396, '[{"b":"}]"}]');
    const created = await call(api.url, 'POST', widgets, { body: widgetText(text) });
    expect(created.status).toBe(201);
    expect(JSON.stringify(created.json.spec.any)).toBe(text);
    const path = `${widgets}/b`;
    expect((await call(api.url, 'PATCH', path, { contentType: 'merge', body: { spec: { size: 2 } } })).status).toBe(
      200,
    );
    expect((await call(api.url, 'GET', path, { headers: { accept: 'application/yaml' } })).status).toBe(200);
    expect((await call(api.url, 'GET', widgets)).json.items).toHaveLength(1);
    expect((await call(api.url, 'DELETE', path)).status).toBe(200);
  });

  it('grows deeper by JSON patches than is taken: 422', async () => {
    const api = await server();
    await call(api.url, 'POST', widgets, { body: widgetText(nested(300)) });
    const path = `/spec/any${'/a'.repeat(300)}`;
    for (const operation of [
      { op: 'add', path, value: JSON.parse(nested(200)) as unknown },
      { op: 'copy', from: '/spec/any', path },
    ]) {
      const answer = await call(api.url, 'PATCH', `${widgets}/b`, { contentType: 'json', body: [operation] });
      expect([answer.status, answer.json.reason]).toEqual([422, 'Invalid']);
    }
    // Each copy goes to where the one before ended, so that the depth doubles.
    const body = many(12, (index) => ({
      op: 'copy',
      from: '/spec/any',
      path: path + '/a'.repeat(300 * (2 ** index - 1)),
    }));
    expect((await call(api.url, 'PATCH', `${widgets}/b`, { contentType: 'json', body })).status).toBe(422);
  });

  it('doubles a value with each copy of a JSON patch: 422, before the memory is full', { timeout: soon }, async () => {
    const api = await server();
    await api.create(widget('a'));
    const body = [
      { op: 'add', path: '/spec/any', value: { text: 'x'.repeat(1_000) } },
      ...many(60, (index) => ({ op: 'copy', from: '/spec/any', path: `/spec/any/${index}` })),
    ];
    const answer = await call(api.url, 'PATCH', `${widgets}/a`, { contentType: 'json', body });
    expect([answer.status, answer.json.reason]).toEqual([422, 'Invalid']);
  });

  it('is YAML that contains itself, or repeats itself without end: 400', async () => {
    const api = await server();
    const head = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: b}\n';
    const letters = 'abcdefghij'.split('');
    const repeated = letters.map((letter, index) => {
      const item = index === 0 ? 'x' : `*${letters[index - 1]!}`;
      return `${letter}: &${letter} [${many(9, () => item).join(',')}]\n`;
    });
    for (const text of ['spec: {size: 1, any: &x {me: *x}}\n', repeated.join(''), `spec: ${'['.repeat(20_000)}`]) {
      const answer = await call(api.url, 'POST', widgets, { body: head + text, contentType: 'application/yaml' });
      expect([answer.status, answer.json.reason]).toEqual([400, 'BadRequest']);
    }
  });

  it('has very long names and values: 422', { timeout: soon }, async () => {
    const api = await server();
    const long = `${'a'.repeat(500_000)}!`;
    for (const body of [
      configMap(long),
      configMap(`${'a.'.repeat(200_000)}!`),
      configMap('a', {}, { labels: { [long]: long } }),
      configMap('a', {}, { labels: { [`${'a.'.repeat(200_000)}!/x`]: 'x' } }),
      configMap('a', {}, { finalizers: [long] }),
    ]) {
      expect((await call(api.url, 'POST', configMaps, { body })).status).toBe(422);
    }
  });

  it('has very long lists that are sets and maps, or are merged by item: done soon', { timeout: soon }, async () => {
    const api = await server();
    const set = many(20_000, (index) => `a${index}`);
    const keyed = many(20_000, (index) => ({ k: `a${index}` }));
    for (const spec of [{ set }, { keyed }]) {
      // The schema lets through what it does not name a limit for.
      const answer = await call(api.url, 'POST', widgets, { body: widget(`a${Object.keys(spec)[0]}`, { spec }) });
      expect(answer.status).toBe(201);
    }
    const repeated = await call(api.url, 'POST', widgets, { body: widget('b', { spec: { set: [...set, 'a7'] } }) });
    expect(repeated.json.details.causes).toEqual([
      { reason: 'FieldValueDuplicate', message: 'Duplicate value: "a7"', field: 'spec.set[20000]' },
    ]);

    const finalizers = (letter: string): string[] => many(15_000, (index) => `${letter}.example/${index}`);
    await api.create(configMap('a', {}, { finalizers: finalizers('x') }));
    const body = { metadata: { finalizers: finalizers('y') } };
    const patched = await call(api.url, 'PATCH', `${configMaps}/a`, { contentType: 'strategic', body });
    expect(patched.status).toBe(200);
    expect(patched.json.metadata.finalizers).toEqual([...finalizers('y'), ...finalizers('x')]);
  });

  it('is no Scale: 400', async () => {
    const api = await server();
    await api.create(widget('a'));
    for (const body of ['{', '', '[]', '{}']) {
      const answer = await call(api.url, 'PUT', `${widgets}/a/scale`, { body });
      expect([answer.status, answer.json.reason]).toEqual([400, 'BadRequest']);
    }
  });
});

describe('a pattern made to do harm', () => {
  it.each(['^(a+)+$', '^(a|a)*$', '^(([a-z])+.)+[A-Z]([a-z])+$', '^(?:(?:(?:a*)*)*)*$'])(
    'takes time that grows with the text only: %s',
    { timeout: soon },
    async (pattern) => {
      const definition = structuredClone(widgetDefinition) as unknown as {
        spec: { versions: [{ schema: { openAPIV3Schema: { properties: { spec: { properties: object } } } } }] };
      };
      definition.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties = {
        size: { type: 'integer' },
        text: { type: 'string', pattern },
      };
      const api = await server({ crds: [definition as unknown as JsonObject] });
      const body = widget('b', { spec: { text: `${'a'.repeat(50_000)}!` } });
      expect((await call(api.url, 'POST', widgets, { body })).status).toBe(422);
    },
  );

  it('is of Go: what Go reads is taken, and nothing else', async () => {
    const api = await server();
    const of = (plural: string, pattern: string): JsonObject => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.patterns.example` },
      spec: {
        group: 'patterns.example',
        scope: 'Cluster',
        names: { plural, kind: plural },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { x: { type: 'string', pattern } } } },
          },
        ],
      },
    });
    const all = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const statuses: number[] = [];
    for (const pattern of [
      '(?i)a',
      '\\Aa\\z',
      '(?P<n>a)',
      '[[:alpha:]]',
      '\\Qa.b\\E',
      '(?=a)',
      '(',
      'a{1001}',
      '\\1',
    ]) {
      const answer = await call(api.url, 'POST', all, { body: of(`p${statuses.length}`, pattern) });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 422, 422, 422, 422]);
  });
});

describe('a HEAD request', () => {
  it('opens no watch: the connection is free for the next request', async () => {
    const api = await server();
    const answer = await call(api.url, 'HEAD', `${widgets}?watch=1`);
    expect([answer.status, answer.text, api.watches.list()]).toEqual([200, '', []]);
  });
});
