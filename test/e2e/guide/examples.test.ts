import 'reflect-metadata';
import { readFile } from 'node:fs/promises';
import { startApiServer } from '@nestjs-operator/apiserver';
import {
  createOperatorTestingModule,
  TestStage,
  type OperatorTestingModule,
  type OperatorTestingOptions,
} from '@nestjs-operator/testing';
import { OperatorRef } from 'nestjs-operator';
import { afterEach, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { Presence } from './activities.js';
import { AppModule } from './app.module.js';
import { ConfiguredModule } from './async-options.js';
import { FilteredHandlers } from './filters.handlers.js';
import { ServedModule } from './health-server.js';
import { CheckedModule } from './health.controller.js';
import { GuardedHandlers, ShortTitles } from './guarded.handlers.js';
import { ThemeHandlers } from './indexes.handlers.js';
import { statusOnCluster } from './on-a-cluster.js';
import { Maintenance } from './maintenance.js';
import { MeasuredModule, Visits } from './metrics.js';
import { PageService } from './page.service.js';
import { TitleHistory } from './parameters.handlers.js';
import { DefaultsHandlers } from './patches.handlers.js';
import { RegionHandlers } from './parts.handlers.js';
import { PodHandlers } from './pod.handlers.js';
import { ReplicatedModule } from './replicas.js';
import { SiteReconciler } from './reconcile.handlers.js';
import { StoredModule, Table, TableStore } from './record-store.js';
import { Journal } from './selected.handlers.js';
import { Site } from './site.js';
import { SiteChecks } from './timers.handlers.js';
import { SayTaken, SlowDown, TranslatedHandlers } from './translated.handlers.js';

const ada = { name: 'ada', namespace: 'default' };
const crd = await readFile(new URL('crd.yaml', import.meta.url), 'utf8');
const opened: OperatorTestingModule[] = [];

async function open(options: OperatorTestingOptions): Promise<OperatorTestingModule> {
  const t = await createOperatorTestingModule({ crds: [crd], ...options });
  opened.push(t);
  return t;
}

afterEach(async () => {
  for (const t of opened.splice(0)) await t.close();
});

const patchesOfSites = (t: OperatorTestingModule): string[] =>
  t.api.requests
    .filter(({ verb, resource, userAgent }) => verb === 'patch' && resource === 'sites' && userAgent !== undefined)
    .map(({ subresource }) => subresource ?? 'main');

describe('the examples of the guide', () => {
  test('one of two replicas works', async () => {
    const stage = await TestStage.start({
      crds: [crd],
      objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'site-operator' } }],
    });
    try {
      const replicas = [
        await open({ stage, imports: [ReplicatedModule] }),
        await open({ stage, imports: [ReplicatedModule] }),
      ];
      await stage.clock.advance(3_000);
      const states = replicas.map(({ operator }) => operator.getStatus().leadership.state);
      expect(states.toSorted()).toEqual(['leading', 'standby']);
      await stage.api.create({ apiVersion: 'web.example/v1', kind: 'Site', metadata: ada, spec: { title: 'Ada' } });
      await stage.clock.advance(2_000);
      expect(
        await stage.api.get({ apiVersion: 'v1', kind: 'ConfigMap', name: 'ada', namespace: 'default' }),
      ).toBeDefined();
    } finally {
      for (const t of opened.splice(0)) await t.close();
      await stage.close();
    }
  });

  test('records can be kept in a table of the application', async () => {
    const rows = new Map<string, string>();
    class MemoryTable extends Table {
      read = (key: string): Promise<string | undefined> => Promise.resolve(rows.get(key));
      write = (key: string, text: string): Promise<void> => Promise.resolve(void rows.set(key, text));
      delete = (key: string): Promise<void> => Promise.resolve(void rows.delete(key));
    }
    expect(Reflect.getMetadata('imports', StoredModule)).toHaveLength(1);
    const store = new TableStore(new MemoryTable());
    const t = await open({
      providers: [DefaultsHandlers],
      operator: { persistence: { store: 'table', stores: { table: store } } },
    });
    const { metadata } = await t.client.create(Site, { metadata: ada, spec: { title: 'Ada' } });
    await t.settled();
    expect([...rows.keys()]).toEqual([`test.example.com sites.web.example ${metadata.uid}`]);
    expect((await t.client.get(Site, ada)).metadata.annotations).toBeUndefined();
    await t.client.delete(Site, ada);
    await t.settled();
    expect(rows.size).toBe(0);
  });

  test('health is served on a port of its own, with what probes say', async () => {
    const t = await open({ imports: [ServedModule], operator: { health: { port: 0, host: '127.0.0.1' } } });
    await t.clock.during(t.operator.whenSynced());
    const response = await fetch(`http://127.0.0.1:${t.operator.healthPort}/readyz?verbose`);
    expect(response.status).toBe(200);
    const lines = (await response.text()).split('\n');
    expect(lines).toContain('[+] probe backlog: {"waiting":0}');
    expect(lines).toContain('[+] probe checkSpace');
  });

  test('metrics are served, with those of the application', async () => {
    const t = await open({ imports: [MeasuredModule], operator: { health: { port: 0, host: '127.0.0.1' } } });
    await t.clock.during(t.operator.whenSynced());
    t.module.get(Visits).count();
    const text = await (await fetch(`http://127.0.0.1:${t.operator.healthPort}/metrics`)).text();
    expect(text).toMatch(/^nestjs_operator_watch_up\{.*resource="sites\..*\} 1$/m);
    expect(text).toContain('\nsite_visits_total 1\n');
  });

  test('health is told by terminus', async () => {
    const t = await open({ imports: [CheckedModule], init: false });
    const app = t.module.createNestApplication();
    await app.listen(0, '127.0.0.1');
    await t.clock.during(t.operator.whenSynced());
    const answers = await Promise.all(
      ['livez', 'readyz'].map(async (path) => (await fetch(`${await app.getUrl()}/${path}`)).status),
    );
    await t.clock.during(app.close());
    expect(answers).toEqual([200, 200]);
  });

  test('a handler of a built-in resource posts an event', async () => {
    const t = await open({ providers: [PodHandlers] });
    const pod = { metadata: { ...ada, labels: { 'web.example/site': 'ada' } } };
    const spec = { containers: [{ name: 'web', image: 'web:1' }] };
    await t.api.create({ apiVersion: 'v1', kind: 'Pod', ...pod, spec });
    await t.settled();
    const events = await t.api.list({ apiVersion: 'events.k8s.io/v1', kind: 'Event' });
    expect(events.map(({ reason, note }) => [reason, note])).toEqual([['Noticed', 'Serves a site with web:1']]);
  });

  test('a selector without a name leads to every resource that fits', async () => {
    const t = await open({ providers: [Journal] });
    await t.client.create(Site, { metadata: ada, spec: { title: 'Ada' } });
    await t.settled();
    expect(t.module.get(Journal).lines).toEqual(['ADDED Site default/ada']);
  });

  test('parameter decorators give parts of object and change', async () => {
    const t = await open({ providers: [TitleHistory] });
    const metadata = { ...ada, annotations: { 'web.example/limit': '4' } };
    await t.client.create(Site, { metadata, spec: { title: 'Augusta' } });
    await t.settled();
    await t.client.patch(Site, ada, { spec: { title: 'Lovelace' } });
    await t.settled();
    expect(t.module.get(TitleHistory).lines).toEqual(['create ada: (none) -> Augu', 'update ada: Augusta -> Love']);
  });

  test('patches go out with the record and do not come back as a change', async () => {
    const t = await open({ providers: [DefaultsHandlers] });
    await t.client.create(Site, { metadata: ada, spec: { title: '  Ada ' } });
    await t.settled();
    const { spec, metadata } = await t.client.get(Site, ada);
    expect(spec).toEqual({ title: 'Ada', theme: 'light' });
    expect(metadata.labels).toEqual({ 'web.example/filled-in': 'true' });
    expect(patchesOfSites(t)).toEqual(['main']);
  });

  test('filters choose objects and changes', async () => {
    const t = await open({ providers: [FilteredHandlers] });
    const { calls } = t.module.get(FilteredHandlers);
    const labels = { tier: 'public', draft: 'yes' };
    await t.client.create(Site, { metadata: { ...ada, labels }, spec: { title: 'Ada', theme: 'dark' } });
    await t.settled();
    expect(calls).toEqual([]);
    await t.client.patch(Site, ada, { metadata: { labels: { draft: null } } });
    await t.settled();
    await t.client.patch(Site, ada, { spec: { theme: 'light' } });
    await t.settled();
    await t.client.patch(Site, ada, { spec: { theme: 'dark' } });
    await t.settled();
    await t.client.patch(Site, ada, { metadata: { annotations: { 'web.example/approved-by': 'Mary' } } });
    await t.settled();
    expect(calls).toEqual(['announce ada', 'dim ada', 'approved by Mary']);
  });

  test('a reconciler is called for changes, at its time and for the deletion, and writes nothing but the finalizer', async () => {
    const t = await open({ providers: [SiteReconciler, PageService] });
    const applied = (): number =>
      t.api.requests.filter(({ verb, resource }) => verb === 'create' && resource === 'configmaps').length;
    await t.client.create(Site, { metadata: ada, spec: { title: 'Ada' } });
    await t.settled();
    expect(applied()).toBe(1);
    await t.clock.advance(600_000);
    expect(applied()).toBe(2);
    expect(patchesOfSites(t)).toEqual(['main']);
    await t.client.delete(Site, ada);
    await t.settled();
    expect(await t.api.get({ apiVersion: 'web.example/v1', kind: 'Site', ...ada })).toBeUndefined();
    expect(patchesOfSites(t)).toEqual(['main', 'main']);
  });

  test('a timer waits for its object to be idle, a daemon reports and ends in good order', async () => {
    const t = await open({ providers: [SiteChecks] });
    const { lines } = t.module.get(SiteChecks);
    const labels = { checked: 'yes', watched: 'yes' };
    await t.client.create(Site, { metadata: { ...ada, labels }, spec: { title: 'Ada' } });
    await t.settled();
    await t.clock.advance('9s');
    await t.client.patch(Site, ada, { spec: { title: 'Augusta' } });
    await t.clock.advance('9s');
    expect(lines).toEqual([]);
    await t.clock.advance('62s');
    expect(lines).toEqual(['check Augusta', 'check Augusta']);
    expect((await t.client.get(Site, ada)).status).toEqual({ page: 'checked', message: 'watched: Augusta' });
    await t.client.delete(Site, ada);
    await t.settled();
    expect(lines.slice(2)).toEqual(['stopped: deleting']);
    expect(await t.api.get({ apiVersion: 'web.example/v1', kind: 'Site', ...ada })).toBeUndefined();
  });

  test('an index is complete before the first call, and follows changes', async () => {
    const site = (name: string, theme: string) => ({
      apiVersion: 'web.example/v1',
      kind: 'Site',
      metadata: { ...ada, name },
      spec: { title: name, theme },
    });
    const t = await open({ providers: [ThemeHandlers], objects: [site('ada', 'dark'), site('grace', 'dark')] });
    const { lines } = t.module.get(ThemeHandlers);
    await t.settled();
    expect(lines).toEqual(['ada grace', 'ada grace']);
    await t.client.patch(Site, ada, { spec: { theme: 'light' } });
    await t.settled();
    expect(lines.slice(2)).toEqual(['ada']);
  });

  test('parts have children that lead back to their owner, and a condition tells of them', async () => {
    const t = await open({ providers: [RegionHandlers] });
    const ready = async (): Promise<unknown> => (await t.client.get(Site, ada)).status?.conditions?.[0]?.status;
    await t.client.create(Site, { metadata: ada, spec: { title: 'Ada' } });
    await t.settled();
    expect(await ready()).toBe('True');
    const children = await t.api.list({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default' });
    expect(children.map(({ metadata }) => metadata.name)).toEqual(['ada-east', 'ada-west']);
    await t.api.delete({ apiVersion: 'v1', kind: 'ConfigMap', name: 'ada-east', namespace: 'default' });
    await t.settled();
    expect(await ready()).toBe('False');
  });

  test('start-up and clean-up handlers frame the life of the operator', async () => {
    const t = await open({ providers: [Presence] });
    await t.settled();
    const present = async (): Promise<number> =>
      (await t.api.list({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default' })).length;
    expect(await present()).toBe(1);
    await t.clock.during(t.operator.stop());
    expect(await present()).toBe(0);
  });

  test('a guard refuses an object for good', async () => {
    const t = await open({ providers: [GuardedHandlers, ShortTitles] });
    await t.client.create(Site, { metadata: ada, spec: { title: 'A'.repeat(61) } });
    await t.client.create(Site, { metadata: { ...ada, name: 'grace' }, spec: { title: 'Grace' } });
    await t.settled();
    await t.clock.advance(600_000);
    expect(t.logs.find({ message: 'Handler failed for good' })).toHaveLength(1);
    expect((await t.client.get(Site, ada)).status).toBeUndefined();
    expect((await t.client.get(Site, { ...ada, name: 'grace' })).status).toEqual({ page: 'published' });
  });

  test('exception filters translate and handle errors', async () => {
    const t = await open({ providers: [TranslatedHandlers, SlowDown, SayTaken] });
    await t.client.create(Site, { metadata: ada, spec: { title: 'Ada' } });
    await t.client.create(Site, { metadata: { ...ada, name: 'grace' }, spec: { title: 'Taken' } });
    await t.settled();
    expect((await t.client.get(Site, { ...ada, name: 'grace' })).status).toEqual({ message: 'The title is taken' });
    await t.clock.advance(59_000);
    expect((await t.client.get(Site, ada)).status).toBeUndefined();
    await t.clock.advance(1_000);
    await t.settled();
    expect((await t.client.get(Site, ada)).status).toEqual({ page: 'published' });
  });

  test('an application pauses its operator', async () => {
    const t = await open({
      imports: [ConfiguredModule],
      providers: [TranslatedHandlers, SlowDown, SayTaken, Maintenance],
    });
    await t.clock.during(t.operator.whenSynced());
    await t.module.get(Maintenance).migrate(async () => {
      await t.client.create(Site, { metadata: ada, spec: { title: 'Taken' } });
      await t.clock.advance(60_000);
      expect((await t.client.get(Site, ada)).status).toBeUndefined();
      expect(t.operator.getStatus().paused).toBe(true);
    });
    await t.settled();
    expect((await t.client.get(Site, ada)).status).toBeDefined();
  });

  test('options come from a factory, and the operator is injectable everywhere', async () => {
    const t = await open({ imports: [ConfiguredModule], providers: [SiteReconciler, PageService] });
    await t.clock.during(t.operator.whenSynced());
    expect(
      t.module
        .get(OperatorRef)
        .getStatus()
        .watches.map(({ namespace }) => namespace),
    ).toEqual(['default']);
  });

  test('the same operator works on a cluster, in real time', async () => {
    const api = await startApiServer({ crds: [crd] });
    try {
      expect(await statusOnCluster(api.kubeConfig())).toMatchObject({ page: expect.stringMatching(/^check-/) });
    } finally {
      await api.close();
    }
  });
});

test('the server takes the manifests', async () => {
  const t = await open({ operator: { autoStart: false } });
  await t.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'site-operator' } });
  const files = ['rbac.yaml', 'deployment.yaml'];
  const kinds = await Promise.all(
    files.map(async (file) => t.api.apply(await readFile(new URL(file, import.meta.url), 'utf8'))),
  );
  expect(kinds.flat().map(({ kind }) => kind)).toEqual([
    'ServiceAccount',
    'ClusterRole',
    'Role',
    'RoleBinding',
    'ClusterRoleBinding',
    'Deployment',
  ]);
});

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

test('the rights of the manifest are those that the operator uses', async () => {
  const manifest = parseAllDocuments(await readFile(new URL('rbac.yaml', import.meta.url), 'utf8'));
  const documents = manifest.map((document) => document.toJS() as { kind: string; rules?: readonly Rule[] });
  const granted = documents.flatMap(({ rules = [] }) =>
    rules.flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}.${group}`)),
      ),
    ),
  );

  const t = await open({ imports: [AppModule], operator: { leaderElection: { enabled: true, namespace: 'default' } } });
  const { api } = t;
  const site = { apiVersion: 'web.example/v1', kind: 'Site' };
  // A failed attempt is told by an event.
  api.faults.add({
    match: { verb: 'create', resource: 'configmaps', times: 1 },
    do: { action: 'answer', status: 500 },
  });
  await api.create({ ...site, metadata: ada, spec: { title: 'Ada' } });
  await t.clock.advance(2_000);
  // The same failure twice is one event that is counted.
  for (const title of ['Augusta', 'Ada King']) {
    api.faults.add({
      match: { verb: 'patch', resource: 'configmaps', times: 1 },
      do: { action: 'answer', status: 500 },
    });
    await api.patch({ ...site, ...ada }, { spec: { title } });
    await t.clock.advance(2_000);
  }
  // Somebody else's write in between: the operator reads the object before it goes on.
  api.faults.add({
    match: { verb: 'patch', resource: 'sites', times: 1 },
    do: { action: 'answer', status: 409, reason: 'Conflict' },
  });
  await api.patch({ ...site, ...ada }, { spec: { title: 'Countess' } });
  await t.settled();
  // A server without WatchList is asked for pages.
  api.faults.add({
    match: { verb: 'watch', resource: 'sites', where: ({ query }) => query.has('sendInitialEvents') },
    do: { action: 'answer', status: 400, reason: 'BadRequest' },
  });
  api.faults.add({ match: { verb: 'watch', resource: 'sites', times: 1 }, do: { action: 'answer', status: 410 } });
  api.watches.cut({ how: 'end' });
  await t.clock.advance(10_000);
  await api.delete({ ...site, ...ada });
  await t.settled();

  const used = api.requests
    .filter(({ resource, verb }) => resource !== undefined && verb !== undefined)
    .map(({ verb, resource, subresource, group }) => {
      const name = subresource === undefined ? resource : `${resource}/${subresource}`;
      return `${verb} ${name}.${group}`;
    });
  expect([...new Set(used)].sort()).toEqual([...granted].sort());
});
