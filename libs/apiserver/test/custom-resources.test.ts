import { describe, expect, it } from 'vitest';
import type { ApiServer, JsonObject } from '../src/index.js';
import { server, widget, widgetDefinition, widgets } from './support/fixtures.js';
import { call, WatchStream } from './support/http.js';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const gadget = (versions: JsonObject[], more: JsonObject = {}): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.example.com' },
  spec: { group: 'example.com', scope: 'Cluster', names: { plural: 'gadgets', kind: 'Gadget' }, versions, ...more },
});

const anything = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };

async function causes(api: ApiServer, spec: JsonObject): Promise<unknown[]> {
  const { json } = await call(api.url, 'POST', widgets, { body: widget('a', { spec }) });
  expect(json).toMatchObject({
    code: 422,
    reason: 'Invalid',
    details: { kind: 'Widget', name: 'a', group: 'example.com' },
  });
  return json.details.causes as unknown[];
}

describe('definitions', () => {
  it('are accepted and established, then served', async () => {
    const { url } = await server({ crds: [] });
    expect((await call(url, 'GET', widgets)).text).toBe('404 page not found\n');
    const created = await call(url, 'POST', definitions, { body: widgetDefinition });
    expect(created.json.status).toEqual({
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: ['v1'],
    });
    const { json } = await call(url, 'GET', `${definitions}/widgets.example.com`);
    expect(json.spec).toMatchObject({ names: { listKind: 'WidgetList' }, conversion: { strategy: 'None' } });
    expect(json.status).toMatchObject({
      acceptedNames: { plural: 'widgets', kind: 'Widget', listKind: 'WidgetList' },
      conditions: [
        { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
        {
          type: 'Established',
          status: 'True',
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
        },
      ],
    });
    expect((await call(url, 'GET', widgets)).status).toBe(200);
  });

  it('with names that are taken wait until those are free', async () => {
    const api = await server();
    const other = gadget([{ name: 'v1', served: true, storage: true, schema: anything }]) as {
      spec: { names: JsonObject };
    };
    other.spec.names['shortNames'] = ['wd'];
    await api.create(other as unknown as JsonObject);
    const ref = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      name: 'gadgets.example.com',
    };
    expect((await api.get(ref))!['status']).toMatchObject({
      conditions: [
        { type: 'NamesAccepted', status: 'False', reason: 'ShortNamesConflict', message: '"wd" is already in use' },
        { type: 'Established', status: 'False', reason: 'NotAccepted' },
      ],
    });
    expect((await call(api.url, 'GET', '/apis/example.com/v1/gadgets')).status).toBe(404);
    await api.delete({ ...ref, name: 'widgets.example.com' });
    expect((await call(api.url, 'GET', '/apis/example.com/v1/gadgets')).status).toBe(200);
  });

  it.each([
    ['a name that does not fit', { metadata: { name: 'x' } }, 'metadata.name'],
    ['no version', { spec: { ...(widgetDefinition['spec'] as JsonObject), versions: [] } }, 'spec.versions'],
    ['an unknown scope', { spec: { ...(widgetDefinition['spec'] as JsonObject), scope: 'Galaxy' } }, 'spec.scope'],
    [
      'an unknown conversion',
      { spec: { ...(widgetDefinition['spec'] as JsonObject), conversion: { strategy: 'Magic' } } },
      'spec.conversion.strategy',
    ],
  ])('with %s are refused', async (_what, change, field) => {
    const { url } = await server({ crds: [] });
    const { json } = await call(url, 'POST', definitions, { body: { ...widgetDefinition, ...change } });
    expect(json.code).toBe(422);
    expect(json.details.causes[0].field).toBe(field);
  });

  it('with a pattern or a path that cannot be read are refused', async () => {
    const { url } = await server();
    const schema = { openAPIV3Schema: { type: 'object', properties: { a: { type: 'string', pattern: '(' } } } };
    const additionalPrinterColumns = [{ name: 'X', type: 'string', jsonPath: 'spec.(' }];
    const { json } = await call(url, 'POST', definitions, {
      body: gadget([{ name: 'v1', served: true, storage: true, schema, additionalPrinterColumns }]),
    });
    expect(json.details.causes.map((cause: { field: string }) => cause.field)).toEqual([
      'spec.validation.openAPIV3Schema.properties[a].pattern',
      'spec.additionalPrinterColumns[0].JSONPath',
    ]);
    const wrong = await call(url, 'POST', definitions, { body: gadget([{ name: 1 }]) });
    expect(wrong.json).toMatchObject({
      code: 400,
      message: expect.stringContaining('cannot unmarshal number') as string,
    });
  });

  it('with rules that cannot be read are refused and not silently accepted', async () => {
    const { url } = await server();
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-validations': [{ rule: 'self.' }] } };
    const { json } = await call(url, 'POST', definitions, {
      body: gadget([{ name: 'v1', served: true, storage: true, schema }]),
    });
    expect(json.details.causes).toMatchObject([
      {
        reason: 'FieldValueInvalid',
        message: expect.stringContaining('compilation failed: ERROR: <input>:1:6') as string,
      },
    ]);
  });

  it('are deleted with their objects, and a finalizer of an object holds both', async () => {
    const api = await server();
    await api.create(widget('a'));
    await api.create(widget('b', { metadata: { finalizers: ['x.example/a'] } }));
    const watch = await WatchStream.open(api.url, `${widgets}?watch=1&resourceVersion=${api.store.revision}`);
    const deleted = await call(api.url, 'DELETE', `${definitions}/widgets.example.com`);
    expect(deleted.json.metadata.finalizers).toEqual(['customresourcecleanup.apiextensions.k8s.io']);
    expect((await watch.take(2)).map(({ type, object }) => [type, object.metadata.name])).toEqual([
      ['DELETED', 'a'],
      ['MODIFIED', 'b'],
    ]);
    const refused = await call(api.url, 'POST', widgets, { body: widget('c') });
    expect(refused.json).toMatchObject({
      code: 403,
      message:
        'widgets.example.com "c" is forbidden: create not allowed while custom resource definition is terminating',
    });
    await call(api.url, 'PATCH', `${widgets}/b`, { contentType: 'merge', body: { metadata: { finalizers: null } } });
    expect((await watch.next()).type).toBe('DELETED');
    expect(await watch.ended()).toBe('end');
    expect((await call(api.url, 'GET', `${definitions}/widgets.example.com`)).status).toBe(404);
    expect((await call(api.url, 'GET', widgets)).text).toBe('404 page not found\n');
  });
});

describe('versions', () => {
  const versions = [
    { name: 'v1beta1', served: true, storage: false, schema: anything, deprecated: true },
    { name: 'v1', served: true, storage: true, schema: anything },
    { name: 'v1alpha1', served: false, storage: false, schema: anything },
  ];

  it('show the same object, each under its own apiVersion', async () => {
    const { url } = await server({ crds: [gadget(versions)] });
    const body = { apiVersion: 'example.com/v1beta1', kind: 'Gadget', metadata: { name: 'g' }, spec: { a: 1 } };
    const created = await call(url, 'POST', '/apis/example.com/v1beta1/gadgets', { body });
    expect(created.json.apiVersion).toBe('example.com/v1beta1');
    expect(created.headers['warning']).toBe(
      '299 - "example.com/v1beta1 Gadget is deprecated; use example.com/v1 Gadget"',
    );
    const other = await call(url, 'GET', '/apis/example.com/v1/gadgets/g');
    expect(other.json).toEqual({ ...created.json, apiVersion: 'example.com/v1' });
    expect((await call(url, 'GET', '/apis/example.com/v1alpha1/gadgets')).status).toBe(404);
    const watch = await WatchStream.open(url, '/apis/example.com/v1beta1/gadgets?watch=1');
    expect((await watch.next()).object.apiVersion).toBe('example.com/v1beta1');
  });

  it('are offered from most to least preferred', async () => {
    const { url } = await server({ crds: [gadget(versions)] });
    const { json } = await call(url, 'GET', '/apis/example.com');
    expect(json.versions.map((entry: { version: string }) => entry.version)).toEqual(['v1', 'v1beta1']);
    expect(json.preferredVersion.version).toBe('v1');
  });

  it('remember which of them were stored', async () => {
    const api = await server({ crds: [gadget(versions)] });
    const next = versions.map((version) => ({ ...version, storage: version.name === 'v1beta1' }));
    const ref = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      name: 'gadgets.example.com',
    };
    const patched = await api.patch(ref, { spec: { versions: next } });
    expect((patched['status'] as JsonObject)['storedVersions']).toEqual(['v1', 'v1beta1']);
  });
});

describe('schemas', () => {
  it('prune what they do not know, except where it is to be kept', async () => {
    const { url } = await server();
    const { json, headers } = await call(url, 'POST', widgets, {
      body: {
        ...widget('a', { spec: { unknown: 1, any: { kept: { a: 1 } }, nested: { y: 1 }, map: { a: 1 } } }),
        top: 1,
      },
    });
    expect(json.spec).toEqual({ size: 1, replicas: 1, any: { kept: { a: 1 } }, nested: { x: 'dx' }, map: { a: 1 } });
    expect(json).not.toHaveProperty('top');
    expect(headers['warning']).toBe(
      ['spec.nested.y', 'spec.unknown', 'top'].map((path) => `299 - "unknown field \\"${path}\\""`).join(', '),
    );
  });

  it('unknown fields: ignored in silence, warned about, or refused', async () => {
    const { url } = await server();
    const body = widget('a', { spec: { zzz: 1 }, metadata: { foo: 1 } });
    const ignored = await call(url, 'POST', `${widgets}?fieldValidation=Ignore&dryRun=All`, { body });
    expect([ignored.status, ignored.headers['warning']]).toEqual([201, undefined]);
    const strict = await call(url, 'POST', `${widgets}?fieldValidation=Strict`, { body });
    expect(strict.json).toMatchObject({
      code: 400,
      message:
        'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "metadata.foo", unknown field "spec.zzz"',
    });
    expect((await call(url, 'POST', `${widgets}?fieldValidation=Bogus`, { body })).status).toBe(422);
  });

  it('fill in defaults when written and when read', async () => {
    const api = await server();
    const created = await call(api.url, 'POST', widgets, { body: widget('a', { spec: { nested: { n: null } } }) });
    expect(created.json.spec).toEqual({ size: 1, replicas: 1, nested: { n: null, x: 'dx' } });
    const changed = structuredClone(widgetDefinition) as never as {
      spec: { versions: [{ schema: { openAPIV3Schema: { properties: { spec: { properties: JsonObject } } } } }] };
    };
    changed.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties['later'] = {
      type: 'string',
      default: 'yes',
    };
    await api.apply(changed as never);
    expect((await call(api.url, 'GET', `${widgets}/a`)).json.spec.later).toBe('yes');
  });

  it('drop nulls where they are not allowed', async () => {
    const { url } = await server();
    const { json } = await call(url, 'POST', widgets, {
      body: widget('a', { spec: { nested: null, replicas: null } }),
    });
    expect(json.spec).toEqual({ size: 1, replicas: 1 });
  });

  it.each<[JsonObject, string, string, string]>([
    [
      { size: 'x' },
      'FieldValueTypeInvalid',
      'spec.size',
      'Invalid value: "string": spec.size in body must be of type integer: "string"',
    ],
    [
      { size: 0 },
      'FieldValueInvalid',
      'spec.size',
      'Invalid value: 0: spec.size in body should be greater than or equal to 1',
    ],
    [
      { size: 11 },
      'FieldValueInvalid',
      'spec.size',
      'Invalid value: 11: spec.size in body should be less than or equal to 10',
    ],
    [{ mode: 'c' }, 'FieldValueNotSupported', 'spec.mode', 'Unsupported value: "c": supported values: "a", "b"'],
    [
      { text: 'a' },
      'FieldValueInvalid',
      'spec.text',
      'Invalid value: "a": spec.text in body should be at least 2 chars long',
    ],
    [{ text: 'abcdef' }, 'FieldValueTooLong', 'spec.text', 'Too long: may not be more than 5 bytes'],
    [
      { text: 'bbb' },
      'FieldValueInvalid',
      'spec.text',
      'Invalid value: "bbb": spec.text in body should match \'^a.*$\'',
    ],
    [
      { list: [] },
      'FieldValueInvalid',
      'spec.list',
      'Invalid value: 0: spec.list in body should have at least 1 items',
    ],
    [{ list: ['a', 'b', 'c'] }, 'FieldValueTooMany', 'spec.list', 'Too many: 3: must have at most 2 items'],
    [
      { list: [1] },
      'FieldValueTypeInvalid',
      'spec.list[0]',
      'Invalid value: "integer": spec.list[0] in body must be of type string: "integer"',
    ],
    [
      { when: 'x' },
      'FieldValueTypeInvalid',
      'spec.when',
      'Invalid value: "x": spec.when in body must be of type date-time: "x"',
    ],
    [
      { port: true },
      'FieldValueTypeInvalid',
      'spec.port',
      'Invalid value: "boolean": spec.port in body must be of type integer,string: "boolean"',
    ],
    [
      { map: {} },
      'FieldValueInvalid',
      'spec.map',
      'Invalid value: 0: spec.map in body should have at least 1 properties',
    ],
    [
      { map: { a: 'x' } },
      'FieldValueTypeInvalid',
      'spec.map.a',
      'Invalid value: "string": spec.map.a in body must be of type integer: "string"',
    ],
    [{ set: ['a', 'a'] }, 'FieldValueDuplicate', 'spec.set[1]', 'Duplicate value: "a"'],
    [{ keyed: [{ k: 'a' }, { k: 'a', v: 1 }] }, 'FieldValueDuplicate', 'spec.keyed[1]', 'Duplicate value: {"k":"a"}'],
    [{ keyed: [{ v: 1 }] }, 'FieldValueRequired', 'spec.keyed[0].k', 'Required value'],
    [
      { one: { p: 1, q: 1 } },
      'FieldValueInvalid',
      '<nil>',
      'Invalid value: "": "spec.one" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
    [
      { flag: 1 },
      'FieldValueTypeInvalid',
      'spec.flag',
      'Invalid value: "integer": spec.flag in body must be of type boolean: "integer"',
    ],
    [
      { number: 2 },
      'FieldValueInvalid',
      'spec.number',
      'Invalid value: 2: spec.number in body should be greater than 2',
    ],
    [
      { number: 5 },
      'FieldValueInvalid',
      'spec.number',
      'Invalid value: 5: spec.number in body should be a multiple of 2',
    ],
  ])('refuse %j', async (spec, reason, field, message) => {
    const api = await server();
    expect(await causes(api, spec)).toEqual([{ reason, field, message }]);
  });

  it('list every cause', async () => {
    const api = await server();
    expect(await causes(api, { size: 0, mode: 'c', set: ['a', 'a'] })).toHaveLength(3);
  });

  it('let through what was invalid before and does not change', async () => {
    const api = await server();
    await api.create(widget('a', { spec: { size: 9 } }));
    const narrower = structuredClone(widgetDefinition) as never as {
      spec: {
        versions: [{ schema: { openAPIV3Schema: { properties: { spec: { properties: { size: JsonObject } } } } } }];
      };
    };
    narrower.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.size['maximum'] = 5;
    await api.apply(narrower as never);
    const patch = (body: JsonObject): ReturnType<typeof call> =>
      call(api.url, 'PATCH', `${widgets}/a`, { contentType: 'merge', body });
    expect((await patch({ metadata: { labels: { a: 'b' } } })).status).toBe(200);
    expect((await patch({ spec: { size: 8 } })).status).toBe(422);
  });
});

describe('subresources', () => {
  it('status: the main endpoint leaves it alone, /status changes nothing else and no generation', async () => {
    const { url } = await server();
    await call(url, 'POST', widgets, { body: widget('a', { status: { phase: 'lost' } }) });
    const body = { status: { phase: 'x' }, spec: { size: 5 }, metadata: { labels: { a: 'b' } } };
    const status = await call(url, 'PATCH', `${widgets}/a/status`, { contentType: 'merge', body });
    expect(status.json).toMatchObject({ spec: { size: 1 }, status: { phase: 'x' }, metadata: { generation: 1 } });
    expect(status.json.metadata).not.toHaveProperty('labels');
    const main = await call(url, 'PATCH', `${widgets}/a`, {
      contentType: 'merge',
      body: { ...body, status: { phase: 'y' } },
    });
    expect(main.json).toMatchObject({
      spec: { size: 5 },
      status: { phase: 'x' },
      metadata: { generation: 2, labels: { a: 'b' } },
    });
    const replaced = await call(url, 'PUT', `${widgets}/a/status`, {
      body: { ...main.json, status: { phase: 'z' }, spec: { size: 7 } },
    });
    expect(replaced.json).toMatchObject({ spec: { size: 5 }, status: { phase: 'z' } });
    const stale = await call(url, 'PUT', `${widgets}/a/status`, { body: { ...main.json, status: { phase: 'q' } } });
    expect(stale.status).toBe(409);
    const invalid = await call(url, 'PATCH', `${widgets}/a/status`, {
      contentType: 'merge',
      body: { status: { phase: 5 } },
    });
    expect(invalid.json.details.causes).toEqual([
      {
        reason: 'FieldValueTypeInvalid',
        field: 'status.phase',
        message: 'Invalid value: "integer": phase in body must be of type string: "integer"',
      },
    ]);
  });

  it('without a status subresource status is content like any other', async () => {
    const { url } = await server({ crds: [gadget([{ name: 'v1', served: true, storage: true, schema: anything }])] });
    const path = '/apis/example.com/v1/gadgets';
    const body = { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g' }, status: { a: 1 } };
    expect((await call(url, 'POST', path, { body })).json.status).toEqual({ a: 1 });
    const patched = await call(url, 'PATCH', `${path}/g`, { contentType: 'merge', body: { status: { a: 2 } } });
    expect(patched.json).toMatchObject({ status: { a: 2 }, metadata: { generation: 2 } });
    expect((await call(url, 'GET', `${path}/g/status`)).json).toMatchObject({
      code: 404,
      details: { name: 'g', kind: 'gadgets' },
    });
  });

  it('scale maps replicas', async () => {
    const { url } = await server();
    await call(url, 'POST', widgets, { body: widget('a') });
    const read = await call(url, 'GET', `${widgets}/a/scale`);
    expect(read.json).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      spec: { replicas: 1 },
      status: { replicas: 0 },
    });
    const patched = await call(url, 'PATCH', `${widgets}/a/scale`, {
      contentType: 'merge',
      body: { spec: { replicas: 3 } },
    });
    expect(patched.json.spec.replicas).toBe(3);
    const object = await call(url, 'GET', `${widgets}/a`);
    expect(object.json).toMatchObject({ spec: { replicas: 3 }, metadata: { generation: 2 } });
    const negative = await call(url, 'PATCH', `${widgets}/a/scale`, {
      contentType: 'merge',
      body: { spec: { replicas: -1 } },
    });
    expect(negative.json.details.causes).toMatchObject([{ field: '.spec.replicas' }]);
  });
});

it('tables have the columns of the definition', async () => {
  const { url } = await server();
  await call(url, 'POST', widgets, { body: widget('a', { spec: { size: 3 } }) });
  const { json } = await call(url, 'GET', `${widgets}?includeObject=None`, {
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' },
  });
  expect(json).toMatchObject({
    kind: 'Table',
    columnDefinitions: [
      { name: 'Name', format: 'name' },
      { name: 'Size', type: 'integer' },
      { name: 'Age', type: 'date' },
    ],
    rows: [{ cells: ['a', 3, expect.stringMatching(/^\d+s$/) as string] }],
  });
  expect(json.rows[0].object).toBeNull();
});
