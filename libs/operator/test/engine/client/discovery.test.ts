import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Discovery } from '../../../src/engine/client/discovery/discovery.js';
import type { ResourceSelector } from '../../../src/engine/resource.js';
import { resourceName } from '../../../src/engine/resource.js';
import { CredentialsError } from '../../../src/errors/credentials.error.js';
import { FakeClock } from './fake-clock.js';
import { RawServer, sendJson, statusBody } from './raw-server.js';
import { failureOf, kubeConfig, runOnClock, testClient, until } from './setup.js';
import type { TestClient } from './setup.js';

interface Row {
  readonly plural: string;
  readonly kind: string;
  readonly namespaced?: boolean;
  readonly subresources?: readonly string[];
}

interface Version {
  readonly version: string;
  readonly rows: readonly Row[];
  readonly dead?: boolean;
}

/** Group to versions, the preferred one first. The empty text is the core group. */
type Catalogue = Record<string, readonly Version[]>;

const pods: Row = { plural: 'pods', kind: 'Pod', namespaced: true, subresources: ['status', 'log'] };
const events: Row = { plural: 'events', kind: 'Event', namespaced: true };
const widgets: Row = { plural: 'widgets', kind: 'Widget', namespaced: true, subresources: ['status', 'scale'] };

const base: Catalogue = {
  '': [{ version: 'v1', rows: [pods, events, { plural: 'namespaces', kind: 'Namespace' }] }],
  'events.k8s.io': [{ version: 'v1', rows: [events] }],
  'demo.example': [
    { version: 'v2', rows: [widgets] },
    { version: 'v1', rows: [widgets, { plural: 'old', kind: 'Old' }] },
  ],
  'one.example': [{ version: 'v1', rows: [{ plural: 'gears', kind: 'Gear' }] }],
  'two.example': [{ version: 'v1beta1', rows: [{ plural: 'gears', kind: 'Gear' }] }],
  'metrics.example': [{ version: 'v1', dead: true, rows: [] }],
};

function aggregated(catalogue: Catalogue, core: boolean): object {
  const groups = Object.entries(catalogue).filter(([group]) => (group === '') === core);
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map(([group, versions]) => ({
      metadata: group === '' ? {} : { name: group },
      versions: versions.map(({ version, rows, dead }) => ({
        version,
        freshness: dead === true ? 'Stale' : 'Current',
        resources: rows.map((row) => ({
          resource: row.plural,
          responseKind: { group, version, kind: row.kind },
          scope: row.namespaced === true ? 'Namespaced' : 'Cluster',
          singularResource: row.kind.toLowerCase(),
          verbs: ['get', 'list'],
          shortNames: ['sn'],
          categories: ['all'],
          ...(row.subresources === undefined
            ? {}
            : { subresources: row.subresources.map((subresource) => ({ subresource, verbs: ['get'] })) }),
        })),
      })),
    })),
  };
}

function legacyGroup(group: string, versions: readonly Version[]): object {
  // The order of versions says nothing in the older form.
  const listed = versions.map(({ version }) => ({ version, groupVersion: `${group}/${version}` })).toReversed();
  return { kind: 'APIGroup', apiVersion: 'v1', name: group, versions: listed, preferredVersion: listed.at(-1) };
}

function legacyAnswer(catalogue: Catalogue, path: string): { status: number; body: object } {
  const named = Object.entries(catalogue).filter(([group]) => group !== '');
  if (path === '/api') {
    return { status: 200, body: { kind: 'APIVersions', versions: catalogue['']!.map(({ version }) => version) } };
  }
  if (path === '/apis') {
    return {
      status: 200,
      body: { kind: 'APIGroupList', groups: named.map(([group, versions]) => legacyGroup(group, versions)) },
    };
  }
  const [group, name] = path.startsWith('/api/') ? ['', path.slice(5)] : path.slice('/apis/'.length).split('/');
  const versions = catalogue[group!];
  if (versions !== undefined && name === undefined) return { status: 200, body: legacyGroup(group!, versions) };
  const version = versions?.find((entry) => entry.version === name);
  if (version === undefined) return { status: 404, body: statusBody(404, 'NotFound', 'not found') };
  if (version.dead === true) return { status: 503, body: statusBody(503, 'ServiceUnavailable', 'down') };
  const rows = version.rows.flatMap((row) => [
    {
      name: row.plural,
      kind: row.kind,
      singularName: row.kind.toLowerCase(),
      namespaced: row.namespaced === true,
      verbs: ['get', 'list'],
      shortNames: ['sn'],
      categories: ['all'],
    },
    ...(row.subresources ?? []).map((subresource) => ({
      name: `${row.plural}/${subresource}`,
      kind: row.kind,
      verbs: ['get'],
    })),
  ]);
  return { status: 200, body: { kind: 'APIResourceList', groupVersion: path, resources: rows } };
}

describe.each(['aggregated', 'legacy', 'legacy, refusing the newer form with 406'])('discovery, %s', (form) => {
  let clock: FakeClock;
  let server: RawServer;
  let catalogue: Catalogue;
  let down: (path: string) => boolean;
  let test: TestClient;
  let discovery: Discovery;

  beforeEach(async () => {
    clock = new FakeClock();
    catalogue = { ...base };
    down = () => false;
    server = await new RawServer((request, response) => {
      const wantsNewer = request.headers.accept!.includes('as=APIGroupDiscoveryList');
      if (down(request.url)) {
        sendJson(response, 503, statusBody(503, 'ServiceUnavailable', 'down'));
      } else if (form === 'aggregated' && wantsNewer) {
        sendJson(response, 200, aggregated(catalogue, request.url === '/api'), {
          'content-type': 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
        });
      } else if (form.includes('406') && wantsNewer) {
        sendJson(response, 406, statusBody(406, 'NotAcceptable', 'only application/json'));
      } else {
        const { status, body } = legacyAnswer(catalogue, request.url);
        sendJson(response, status, body);
      }
    }).listen();
    test = testClient(clock, { kubeConfig: kubeConfig(server.url) });
    discovery = new Discovery(test.client);
  });

  afterEach(async () => {
    await test.client.close();
    await until(() => server.open.size === 0);
    await server.close();
  });

  async function outcome(selector: ResourceSelector): Promise<string> {
    const resolution = await runOnClock(discovery.resolve(selector), clock, test.client);
    if ('found' in resolution) return resourceName(resolution.found);
    if ('ambiguous' in resolution) return `ambiguous ${resolution.ambiguous.map(resourceName).join(' ')}`;
    if ('missing' in resolution) return `missing [${resolution.served.join(' ')}]`;
    return 'unavailable';
  }

  it('tells all there is of a resource', async () => {
    expect(await discovery.resolve({ plural: 'widgets', group: 'demo.example' })).toEqual({
      found: {
        group: 'demo.example',
        version: 'v2',
        plural: 'widgets',
        kind: 'Widget',
        singular: 'widget',
        shortNames: ['sn'],
        categories: ['all'],
        namespaced: true,
        verbs: ['get', 'list'],
        subresources: { status: true, scale: true },
      },
    });
    expect(await discovery.resolve({ plural: 'namespaces', group: '' })).toMatchObject({
      found: { namespaced: false, subresources: { status: false, scale: false } },
    });
  });

  it.each<[ResourceSelector, string]>([
    [{ plural: 'pods' }, 'pods.v1'],
    [{ plural: 'pods', group: '' }, 'pods.v1'],
    [{ plural: 'pods', group: '', version: 'v1' }, 'pods.v1'],
    [{ plural: 'pods', group: '', version: 'v2' }, 'missing [v1]'],
    [{ plural: 'pods', group: 'demo.example' }, 'missing []'],
    [{ plural: 'widgets' }, 'widgets.v2.demo.example'],
    [{ plural: 'widgets', version: 'v1' }, 'widgets.v1.demo.example'],
    [{ plural: 'widgets', group: 'demo.example' }, 'widgets.v2.demo.example'],
    [{ plural: 'widgets', group: 'demo.example', version: 'v1' }, 'widgets.v1.demo.example'],
    [{ plural: 'widgets', group: 'demo.example', version: 'v3' }, 'missing [v2 v1]'],
    [{ plural: 'old' }, 'old.v1.demo.example'],
    [{ plural: 'events' }, 'events.v1'],
    [{ plural: 'events', group: 'events.k8s.io' }, 'events.v1.events.k8s.io'],
    [{ plural: 'gears' }, 'ambiguous gears.v1.one.example gears.v1beta1.two.example'],
    [{ plural: 'gears', version: 'v1beta1' }, 'gears.v1beta1.two.example'],
    [{ plural: 'gears', group: 'one.example' }, 'gears.v1.one.example'],
    [{ plural: 'things', group: 'nobody.example' }, 'missing []'],
    // Other names than the plural.
    [{ name: 'pods' }, 'pods.v1'],
    [{ name: 'Pod' }, 'pods.v1'],
    [{ name: 'pod', version: 'v1' }, 'pods.v1'],
    [{ name: 'widget', group: 'demo.example' }, 'widgets.v2.demo.example'],
    [{ kind: 'Widget', group: 'demo.example', version: 'v1' }, 'widgets.v1.demo.example'],
    [{ kind: 'widget', group: 'demo.example' }, 'missing []'],
    [{ singular: 'old', group: 'demo.example' }, 'old.v1.demo.example'],
    [{ shortName: 'sn', group: 'one.example' }, 'gears.v1.one.example'],
    [{ name: 'sn', group: '' }, 'ambiguous pods.v1 events.v1 namespaces.v1'],
    [{ kind: 'Gear' }, 'ambiguous gears.v1.one.example gears.v1beta1.two.example'],
    [{ kind: 'Gear', where: ({ version }) => version === 'v1' }, 'gears.v1.one.example'],
    [{ kind: 'Pod', category: 'none', group: '' }, 'missing []'],
    // In a group that cannot be read now, or perhaps in it.
    [{ plural: 'nodes', group: 'metrics.example' }, 'unavailable'],
    [{ plural: 'nodes', group: 'metrics.example', version: 'v1' }, 'unavailable'],
    [{ plural: 'things' }, 'unavailable'],
  ])('%j is %s', async (selector, expected) => {
    expect(await outcome(selector)).toBe(expected);
    // What is known gives the same.
    expect(await outcome(selector)).toBe(expected);
  });

  it.each<[ResourceSelector, string]>([
    [
      { everything: true },
      'pods.v1 namespaces.v1 widgets.v2.demo.example old.v1.demo.example gears.v1.one.example gears.v1beta1.two.example',
    ],
    [{ group: 'demo.example' }, 'widgets.v2.demo.example old.v1.demo.example'],
    [{ group: 'demo.example', version: 'v1' }, 'widgets.v1.demo.example old.v1.demo.example'],
    [{ version: 'v1beta1' }, 'gears.v1beta1.two.example'],
    [{ category: 'all', group: '' }, 'pods.v1 namespaces.v1'],
    [{ category: 'none' }, ''],
    [{ everything: true, where: ({ subresources }) => subresources.scale }, 'widgets.v2.demo.example'],
    [{ where: ({ plural, version }) => plural === 'widgets' && version === 'v1' }, 'widgets.v1.demo.example'],
    [{ group: 'nobody.example' }, ''],
  ])('%j selects each kind once, and no events: %s', async (selector, expected) => {
    const { found, unavailable, failed } = await runOnClock(discovery.select(selector), clock, test.client);
    expect(found.map(resourceName).join(' ')).toBe(expected);
    expect(failed).toBeUndefined();
    const all = selector.group === undefined && selector.version !== 'v1beta1';
    expect(unavailable).toHaveLength(all ? 1 : 0);
  });

  it('selects nothing, and says so, while the list of groups cannot be had', async () => {
    down = (path) => path === '/apis';
    const selection = await runOnClock(discovery.select({ everything: true }), clock, test.client);
    expect(selection).toMatchObject({ found: [], failed: { unavailable: { status: 503 } } });
  });

  it('finds the kind of an object', async () => {
    expect(await discovery.resolveKind('v1', 'Pod')).toMatchObject({ found: { plural: 'pods', group: '' } });
    expect(await discovery.resolveKind('demo.example/v1', 'Old')).toMatchObject({ found: { plural: 'old' } });
    expect(await discovery.resolveKind('demo.example/v2', 'Old')).toEqual({ missing: true, served: ['v1'] });
    expect(await discovery.resolveKind('metrics.example/v1', 'Nodes')).toHaveProperty('unavailable');
  });

  it('asks once for what is known, and again for what is not', async () => {
    await Promise.all([outcome({ plural: 'pods' }), outcome({ plural: 'pods' })]);
    const asked = server.requests.length;
    await outcome({ plural: 'pods' });
    expect(server.requests).toHaveLength(asked);
    catalogue = { ...catalogue, 'new.example': [{ version: 'v1', rows: [{ plural: 'fresh', kind: 'Fresh' }] }] };
    expect(await outcome({ plural: 'fresh', group: 'new.example' })).toBe('fresh.v1.new.example');
    catalogue = { ...catalogue, '': [{ version: 'v1', rows: [pods, { plural: 'late', kind: 'Late' }] }] };
    expect(await outcome({ plural: 'late', group: '' })).toBe('late.v1');
  });

  it('keeps what it knows until it is refreshed', async () => {
    const selector = { plural: 'widgets', group: 'demo.example' };
    await outcome(selector);
    const { 'demo.example': gone, ...rest } = catalogue;
    expect(gone).toBeDefined();
    catalogue = rest;
    expect(await outcome(selector)).toBe('widgets.v2.demo.example');
    await discovery.refresh('demo.example');
    expect(await outcome(selector)).toBe('missing []');
    expect(await outcome({ plural: 'pods' })).toBe('pods.v1');
  });

  it('reports what is not available, and takes it up again', async () => {
    const report = await discovery.refresh();
    expect(report.unavailable).toMatchObject([{ group: 'metrics.example', version: 'v1' }]);
    expect(report.unavailable[0]!.cause).toHaveProperty('code');
    expect((await discovery.refresh('demo.example')).unavailable).toEqual([]);
    catalogue = { ...catalogue, 'metrics.example': [{ version: 'v1', rows: [{ plural: 'nodes', kind: 'Node' }] }] };
    expect(await outcome({ plural: 'nodes' })).toBe('nodes.v1.metrics.example');
    expect((await discovery.refresh()).unavailable).toEqual([]);
  });

  it('a group that dies later decides nothing, and leaves the others alone', async () => {
    await discovery.refresh();
    const [v2, v1] = catalogue['demo.example']!;
    catalogue = { ...catalogue, 'demo.example': [{ ...v2!, dead: true }, v1!] };
    await discovery.refresh('demo.example');
    expect(await outcome({ plural: 'widgets', group: 'demo.example' })).toBe('unavailable');
    expect(await outcome({ plural: 'widgets', group: 'demo.example', version: 'v1' })).toBe('widgets.v1.demo.example');
    expect(await outcome({ plural: 'gears', group: 'one.example' })).toBe('gears.v1.one.example');
  });

  it('that cannot be had at all decides nothing, and forgets nothing', async () => {
    down = (path) => path.startsWith('/apis');
    expect(await outcome({ plural: 'widgets', group: 'demo.example' })).toBe('unavailable');
    expect(await outcome({ plural: 'pods' })).toBe('pods.v1');
    down = () => false;
    expect(await outcome({ plural: 'widgets', group: 'demo.example' })).toBe('widgets.v2.demo.example');
    down = (path) => path.startsWith('/apis');
    const refreshed = runOnClock(discovery.refresh('demo.example'), clock, test.client);
    expect(await failureOf(refreshed)).toMatchObject({ code: 'OPERATOR_API', status: 503 });
    expect(await outcome({ plural: 'widgets', group: 'demo.example' })).toBe('widgets.v2.demo.example');
    expect(await outcome({ plural: 'things', group: 'other.example' })).toBe('unavailable');
  });

  it('of the core group that fails does not hand its names to others', async () => {
    down = (path) => path.startsWith('/api') && !path.startsWith('/apis');
    expect(await outcome({ plural: 'events' })).toBe('unavailable');
    expect(await outcome({ plural: 'widgets' })).toBe('unavailable');
    expect(await outcome({ plural: 'widgets', group: 'demo.example' })).toBe('widgets.v2.demo.example');
  });

  it('ends with its caller, whose leaving harms no other', async () => {
    const abort = new AbortController();
    const leaving = failureOf(discovery.resolve({ plural: 'pods' }, abort.signal));
    const staying = discovery.resolve({ plural: 'pods' });
    const reason = new Error('leaving');
    abort.abort(reason);
    expect(await leaving).toBe(reason);
    expect(await staying).toHaveProperty('found');
  });
});

describe('discovery and what is no discovery', () => {
  it('takes a gateway that answers for everything for unavailable, never for empty', async () => {
    const server = await new RawServer((request, response) => {
      if (request.url === '/apis') sendJson(response, 200, { error: 'please log in' });
      else {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end('<html></html>');
      }
    }).listen();
    const { client } = testClient(new FakeClock(), { kubeConfig: kubeConfig(server.url) });
    const discovery = new Discovery(client);
    for (const group of ['', 'demo.example']) {
      expect(await discovery.resolve({ plural: 'pods', group })).toMatchObject({
        unavailable: { code: 'OPERATOR_DISCOVERY' },
      });
    }
    await client.close();
    await server.close();
  });

  it('does not hide that there are no credentials', async () => {
    const { client } = testClient(new FakeClock(), {
      kubeConfig: kubeConfig('http://127.0.0.1:1', { tokenFile: '/nowhere' }),
    });
    expect(await failureOf(new Discovery(client).resolve({ plural: 'pods' }))).toBeInstanceOf(CredentialsError);
    await client.close();
  });
});
