import { describe, expect, it } from 'vitest';
import type { ApiServer } from '../src/index.js';
import { configMap, configMaps, server, widget, widgets } from './support/fixtures.js';
import { call } from './support/http.js';
import { ManualClock } from './support/manual-clock.js';

const names = (json: { items: { metadata: { name: string } }[] }): string[] =>
  json.items.map((item) => item.metadata.name);

async function withConfigMaps(count: number, options = {}): Promise<ApiServer> {
  const api = await server(options);
  for (let index = 0; index < count; index++) await api.create(configMap(`c${index}`));
  return api;
}

describe('list', () => {
  it('has an empty array of items, the revision of the store and the kind of the list', async () => {
    const { url, store } = await server();
    const builtin = await call(url, 'GET', configMaps);
    expect(builtin.json).toEqual({
      kind: 'ConfigMapList',
      apiVersion: 'v1',
      metadata: { resourceVersion: String(store.revision) },
      items: [],
    });
    expect((await call(url, 'GET', widgets)).json.metadata).toEqual({
      continue: '',
      resourceVersion: String(store.revision),
    });
  });

  it('pages through one revision, whatever is written meanwhile', async () => {
    const api = await withConfigMaps(5);
    const first = await call(api.url, 'GET', `${configMaps}?limit=2`);
    expect(names(first.json)).toEqual(['c0', 'c1']);
    expect(first.json.metadata.remainingItemCount).toBe(3);
    await api.delete({ apiVersion: 'v1', kind: 'ConfigMap', name: 'c2' });
    await api.create(configMap('c20'));
    const second = await call(api.url, 'GET', `${configMaps}?limit=2&continue=${first.json.metadata.continue}`);
    expect(names(second.json)).toEqual(['c2', 'c3']);
    expect(second.json.metadata.resourceVersion).toBe(first.json.metadata.resourceVersion);
    const third = await call(api.url, 'GET', `${configMaps}?limit=2&continue=${second.json.metadata.continue}`);
    expect(names(third.json)).toEqual(['c4']);
    expect(third.json.metadata).not.toHaveProperty('continue');
  });

  it('answers an expired page with 410 and a token to go on with at the latest state', async () => {
    const api = await withConfigMaps(3);
    const first = await call(api.url, 'GET', `${configMaps}?limit=1`);
    await api.create(configMap('c9'));
    api.compact();
    const expired = await call(api.url, 'GET', `${configMaps}?limit=1&continue=${first.json.metadata.continue}`);
    expect(expired.status).toBe(410);
    expect(expired.json).toMatchObject({ reason: 'Expired', code: 410 });
    expect(expired.json.message).toMatch(
      /^The provided continue parameter is too old to display a consistent list result/,
    );
    const rest = await call(api.url, 'GET', `${configMaps}?continue=${expired.json.metadata.continue}`);
    expect(names(rest.json)).toEqual(['c1', 'c2', 'c9']);
  });

  it('shows an exact revision, and 410 once it is compacted', async () => {
    const api = await withConfigMaps(1);
    const then = api.store.revision;
    await api.create(configMap('later'));
    const path = `${configMaps}?resourceVersion=${then}&resourceVersionMatch=Exact`;
    const exact = await call(api.url, 'GET', path);
    expect([names(exact.json), exact.json.metadata.resourceVersion]).toEqual([['c0'], String(then)]);
    const notOlder = await call(
      api.url,
      'GET',
      `${configMaps}?resourceVersion=${then}&resourceVersionMatch=NotOlderThan`,
    );
    expect(names(notOlder.json)).toEqual(['c0', 'later']);
    expect(names((await call(api.url, 'GET', `${configMaps}?resourceVersion=${then}&limit=5`)).json)).toEqual(['c0']);
    api.compact();
    expect((await call(api.url, 'GET', path)).json).toMatchObject({
      code: 410,
      message: 'The resourceVersion for the provided list is too old.',
    });
  });

  it('ignores the limit for resourceVersion 0 and leaves remainingItemCount out with selectors', async () => {
    const api = await withConfigMaps(3);
    expect(names((await call(api.url, 'GET', `${configMaps}?limit=1&resourceVersion=0`)).json)).toHaveLength(3);
    const selected = await call(api.url, 'GET', `${configMaps}?limit=1&labelSelector=!x`);
    expect(selected.json.metadata.continue).toBeTruthy();
    expect(selected.json.metadata).not.toHaveProperty('remainingItemCount');
  });

  it('waits three seconds of the clock for a revision that has not come, then answers 504', async () => {
    const clock = new ManualClock();
    const api = await server({ clock });
    const wanted = api.store.revision + 5;
    const late = call(api.url, 'GET', `${configMaps}?resourceVersion=${wanted}`);
    while (clock.timers === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(api.activity.count).toBe(0);
    clock.advance(3000);
    const { status, json, headers } = await late;
    expect([status, json.message]).toEqual([
      504,
      `Timeout: Too large resource version: ${wanted}, current: ${wanted - 5}`,
    ]);
    expect(json.details).toEqual({
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    });
    expect(headers['retry-after']).toBe('1');

    const next = api.store.revision + 1;
    const inTime = call(api.url, 'GET', `${configMaps}?resourceVersion=${next}`);
    while (clock.timers === 0) await new Promise((resolve) => setImmediate(resolve));
    await api.create(configMap('now'));
    expect(names((await inTime).json)).toEqual(['now']);
    expect(clock.timers).toBe(0);
  });

  it.each([
    ['limit=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    [
      'resourceVersion=abc',
      400,
      'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    ],
    [
      'resourceVersionMatch=Exact',
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    ],
    [
      'resourceVersionMatch=Bogus&resourceVersion=5',
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Unsupported value: "Bogus": supported values: "Exact", "NotOlderThan", ""',
    ],
    [
      'resourceVersionMatch=Exact&resourceVersion=0',
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
    [
      'sendInitialEvents=true',
      422,
      'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
    ],
    [
      'continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NSwic3RhcnQiOiJhIn0&resourceVersion=5',
      400,
      'specifying resource version is not allowed when using continue',
    ],
    ['labelSelector=a+in+b', 400, "unable to parse requirement: found 'b' expected: '('"],
    ['fieldSelector=spec.x%3D1', 400, 'field label not supported: spec.x'],
    ['fieldSelector=spec.x', 400, "invalid selector: 'spec.x'; can't understand 'spec.x'"],
  ])('refuses %s', async (query, code, message) => {
    const { url } = await server();
    expect((await call(url, 'GET', `${widgets}?${query}`)).json).toMatchObject({ code, message });
  });

  it('lists across namespaces in the order of namespace and name', async () => {
    const api = await server();
    for (const name of ['b', 'b-a']) await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    for (const namespace of ['default', 'b-a', 'b']) await api.create(widget('w', { metadata: { namespace } }));
    const { json } = await call(api.url, 'GET', '/apis/example.com/v1/widgets');
    expect(json.items.map((item: { metadata: { namespace: string } }) => item.metadata.namespace)).toEqual([
      'b-a',
      'b',
      'default',
    ]);
  });

  it('is gzipped when it is big and the client takes it', async () => {
    const api = await server();
    await api.create(configMap('big', { a: 'x'.repeat(200 * 1024) }));
    const { headers } = await call(api.url, 'GET', configMaps, { headers: { 'accept-encoding': 'gzip' } });
    expect(headers['content-encoding']).toBe('gzip');
    expect((await call(api.url, 'GET', configMaps)).headers).not.toHaveProperty('content-encoding');
  });
});

describe('selectors', () => {
  it.each([
    ['app=x', ['a']],
    ['app==x', ['a']],
    ['app!=x', ['b', 'c']],
    ['app in (x,y)', ['a', 'b']],
    ['app notin (x)', ['b', 'c']],
    ['app', ['a', 'b']],
    ['!app', ['c']],
    ['app,tier=1', ['b']],
    ['tier>0', ['b']],
    ['app=', []],
    ['', ['a', 'b', 'c']],
  ])('label selector %s', async (selector, expected) => {
    const api = await server();
    await api.create(widget('a', { metadata: { labels: { app: 'x' } } }));
    await api.create(widget('b', { metadata: { labels: { app: 'y', tier: '1' } } }));
    await api.create(widget('c'));
    const { json } = await call(api.url, 'GET', `${widgets}?labelSelector=${encodeURIComponent(selector)}`);
    expect(names(json)).toEqual(expected);
  });

  it('field selectors know names, namespaces and what each resource adds', async () => {
    const api = await server();
    await api.create(widget('a'));
    await api.create(widget('b'));
    const select = async (path: string, selector: string): Promise<string[]> =>
      names((await call(api.url, 'GET', `${path}?fieldSelector=${encodeURIComponent(selector)}`)).json);
    expect(await select(widgets, 'metadata.name=a')).toEqual(['a']);
    expect(await select(widgets, 'metadata.name!=a,metadata.namespace=default')).toEqual(['b']);
    await api.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, type: 'x.example/y' });
    expect(await select('/api/v1/namespaces/default/secrets', 'type=x.example/y')).toEqual(['s']);
    expect(await select('/api/v1/namespaces', 'status.phase=Active')).toHaveLength(4);
  });
});
