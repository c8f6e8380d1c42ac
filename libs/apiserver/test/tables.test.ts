import { describe, expect, it } from 'vitest';
import type { ApiServer, JsonObject } from '../src/index.js';
import { server, widgetDefinition } from './support/fixtures.js';
import { call } from './support/http.js';
import { ManualClock } from './support/manual-clock.js';

interface Table {
  columnDefinitions: { name: string; type: string; priority: number }[];
  rows: { cells: unknown[]; conditions?: JsonObject[] }[];
}

async function table(api: ApiServer, path: string): Promise<Table> {
  const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
  return (await call(api.url, 'GET', path, { headers })).json as Table;
}

const container = { name: 'c', image: 'x' };

async function pod(api: ApiServer, name: string, spec: JsonObject, status: JsonObject): Promise<void> {
  const ref = { apiVersion: 'v1', kind: 'Pod', name, namespace: 'default' };
  await api.create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: { containers: [container], ...spec },
  });
  await api.patch(ref, { status }, { subresource: 'status' });
}

const state = (value: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...container,
  ready: false,
  restartCount: 0,
  state: value,
  ...more,
});

describe('a table of pods', () => {
  it('tells what their containers do', async () => {
    const clock = new ManualClock();
    const api = await server({ clock });
    const ended = new Date(clock.now() - 60_000).toISOString();
    await pod(api, 'a', {}, {});
    await pod(api, 'b', {}, { phase: 'Running', containerStatuses: [state({ running: {} }, { ready: true })] });
    await pod(
      api,
      'c',
      {},
      {
        phase: 'Running',
        containerStatuses: [
          state(
            { waiting: { reason: 'CrashLoopBackOff' } },
            { restartCount: 3, lastState: { terminated: { exitCode: 1, finishedAt: ended } } },
          ),
        ],
      },
    );
    await pod(api, 'd', {}, { phase: 'Failed', containerStatuses: [state({ terminated: { exitCode: 137 } })] });
    await pod(
      api,
      'e',
      { initContainers: [{ ...container, name: 'i' }] },
      { phase: 'Pending', initContainerStatuses: [state({ waiting: { reason: 'ImagePullBackOff' } }, { name: 'i' })] },
    );
    const { columnDefinitions, rows } = await table(api, '/api/v1/namespaces/default/pods');
    expect(columnDefinitions.map(({ name, priority }) => [name, priority])).toEqual([
      ['Name', 0],
      ['Ready', 0],
      ['Status', 0],
      ['Restarts', 0],
      ['Age', 0],
      ['IP', 1],
      ['Node', 1],
      ['Nominated Node', 1],
      ['Readiness Gates', 1],
    ]);
    expect(rows.map(({ cells }) => cells.slice(0, 5))).toEqual([
      ['a', '0/1', 'Pending', '0', '0s'],
      ['b', '1/1', 'Running', '0', '0s'],
      ['c', '0/1', 'CrashLoopBackOff', '3 (60s ago)', '0s'],
      ['d', '0/1', 'ExitCode:137', '0', '0s'],
      ['e', '0/1', 'Init:ImagePullBackOff', '0', '0s'],
    ]);
    expect(rows.map(({ conditions }) => conditions?.[0]?.['reason'])).toEqual([
      undefined,
      undefined,
      undefined,
      'Failed',
      undefined,
    ]);
  });
});

describe('tables of other built-in types', () => {
  it('show claims with what they are bound to', async () => {
    const api = await server();
    const path = '/api/v1/namespaces/default/persistentvolumeclaims';
    const claim = (name: string, spec: JsonObject): JsonObject => ({
      metadata: { name },
      spec: { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'], resources: { requests: { storage: '1Gi' } }, ...spec },
    });
    await call(api.url, 'POST', path, { body: claim('a', {}) });
    await call(api.url, 'POST', path, { body: claim('b', { volumeName: 'v', storageClassName: 'fast' }) });
    await call(api.url, 'PATCH', `${path}/b/status`, {
      contentType: 'merge',
      body: {
        status: { phase: 'Bound', accessModes: ['ReadOnlyMany', 'ReadWriteOnce'], capacity: { storage: '2048Mi' } },
      },
    });
    const { columnDefinitions, rows } = await table(api, path);
    expect(columnDefinitions.map(({ name }) => name)).toEqual([
      'Name',
      'Status',
      'Volume',
      'Capacity',
      'Access Modes',
      'StorageClass',
      'VolumeAttributesClass',
      'Age',
      'VolumeMode',
    ]);
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['a', 'Pending', '', '', '', '', '<unset>', expect.any(String), 'Filesystem'],
      ['b', 'Bound', 'v', '2Gi', 'RWO,ROX', 'fast', '<unset>', expect.any(String), 'Filesystem'],
    ]);
  });

  it('show deployments with their containers and selector', async () => {
    const api = await server();
    const path = '/apis/apps/v1/namespaces/default/deployments';
    const labels = { a: 'b' };
    const spec = {
      replicas: 3,
      selector: { matchLabels: labels, matchExpressions: [{ key: 'z', operator: 'NotIn', values: ['2', '1'] }] },
      template: { metadata: { labels }, spec: { containers: [container, { name: 'd', image: 'y' }] } },
    };
    await call(api.url, 'POST', path, { body: { metadata: { name: 'd' }, spec } });
    await call(api.url, 'PATCH', `${path}/d/status`, {
      contentType: 'merge',
      body: { status: { readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1 } },
    });
    const { rows } = await table(api, path);
    expect(rows[0]?.cells).toEqual(['d', '1/3', 2, 1, expect.any(String), 'c,d', 'x,y', 'a=b,z notin (1,2)']);
  });
});

describe('a table of custom resources', () => {
  const columns = (additionalPrinterColumns: JsonObject[]): JsonObject => {
    const definition = structuredClone(widgetDefinition) as { spec: { versions: JsonObject[] } } & JsonObject;
    definition.spec.versions[0]!['additionalPrinterColumns'] = additionalPrinterColumns;
    return definition;
  };
  const widget = {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'default' },
    spec: { size: 3, list: ['p', 'q'], when: '2020-01-01T00:00:00Z', text: 'abc' },
  };
  const path = '/apis/example.com/v1/namespaces/default/widgets';

  it('shows the first of what a path finds, by type', async () => {
    const clock = new ManualClock(Date.parse('2020-01-02T00:00:00Z'));
    const of = (type: string, jsonPath: string): JsonObject => ({ name: jsonPath, type, jsonPath });
    const api = await server({
      clock,
      crds: [
        columns([
          of('string', '.spec.size'),
          of('string', '.spec.list'),
          of('string', '.spec.list[*]'),
          of('integer', '.spec.text'),
          of('date', '.spec.when'),
          of('date', '.spec.text'),
          of('string', '.spec.nothing'),
          { ...of('boolean', '.spec.size'), priority: 1 },
        ]),
      ],
    });
    await api.create(widget);
    const { columnDefinitions, rows } = await table(api, path);
    expect(rows[0]?.cells).toEqual(['w', '3', '["p","q"]', 'p', null, '24h', '<invalid>', null, null]);
    expect(columnDefinitions.at(-1)).toMatchObject({ type: 'boolean', priority: 1 });
  });

  it('shows nothing but names where a path cannot be read', async () => {
    const api = await server({ crds: [columns([{ name: 'A', type: 'string', jsonPath: '.spec[' }])] });
    await api.create(widget);
    const { columnDefinitions, rows } = await table(api, path);
    expect(columnDefinitions.map(({ name }) => name)).toEqual(['Name']);
    expect(rows[0]?.cells).toEqual(['w']);
  });
});
