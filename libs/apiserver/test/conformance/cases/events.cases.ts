import type { JsonObject } from '../../../src/index.js';
import { group, type Session } from '../session.js';

const { cases, add } = group('events');
export const eventCases = cases;

const paths = (s: Session): { core: string; newer: string; leases: string } => ({
  core: `/api/v1/namespaces/${s.namespace}/events`,
  newer: `/apis/events.k8s.io/v1/namespaces/${s.namespace}/events`,
  leases: `/apis/coordination.k8s.io/v1/namespaces/${s.namespace}/leases`,
});

const newEvent = (s: Session, name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { name },
  regarding: { kind: 'Pod', name: 'p', namespace: s.namespace },
  reason: 'R',
  note: 'N',
  type: 'Normal',
  action: 'A',
  reportingController: 'x.example/c',
  reportingInstance: 'i',
  eventTime: '2026-01-01T00:00:00.000000Z',
  ...more,
});

const coreEvent = (s: Session, name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name },
  involvedObject: { kind: 'Pod', name: 'p', namespace: s.namespace },
  reason: 'R',
  message: 'M',
  ...more,
});

const lease = (name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name, ...metadata },
  spec,
});

add('what an Event of events.k8s.io needs', async (s) => {
  const { newer } = paths(s);
  for (const missing of [
    'eventTime',
    'reportingController',
    'reportingInstance',
    'action',
    'reason',
    'type',
    'note',
    'regarding',
  ]) {
    await s.post(newer, newEvent(s, missing.toLowerCase(), { [missing]: undefined }));
  }
  await s.post(
    newer,
    newEvent(s, 'long', { reason: 'x'.repeat(129), action: 'x'.repeat(129), note: 'x'.repeat(1025) }),
  );
  await s.post(newer, newEvent(s, 'long-names', { reportingInstance: 'x'.repeat(129), reportingController: 'a b' }));
  await s.post(newer, newEvent(s, 'odd', { type: 'Odd' }));
  await s.post(newer, newEvent(s, 'none', { eventTime: 'x' }));
});
add('what an Event of the core needs', async (s) => {
  const { core } = paths(s);
  await s.post(core, { apiVersion: 'v1', kind: 'Event', metadata: { name: 'bare' } });
  await s.post(core, coreEvent(s, 'a', { reason: undefined, message: undefined }));
  await s.post(core, coreEvent(s, 'b', { type: 'Odd', count: 0 }));
  await s.post(core, coreEvent(s, 'c', { eventTime: '2026-01-01T00:00:00.000000Z' }));
  await s.post(core, coreEvent(s, 'd', { involvedObject: 'x' }));
  await s.post(core, coreEvent(s, 'e', { involvedObject: undefined }));
  await s.post(core, coreEvent(s, 'f', { count: 'x' }));
  await s.post(
    core,
    coreEvent(s, 'g', { firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp: null, source: { component: 'c' } }),
  );
});
add('the namespace of an Event', async (s) => {
  const { core, newer } = paths(s);
  await s.post(core, coreEvent(s, 'a', { involvedObject: { kind: 'Pod', name: 'p', namespace: 'other' } }));
  await s.post(core, coreEvent(s, 'b', { involvedObject: { kind: 'Node', name: 'n' } }));
  await s.post(newer, newEvent(s, 'c', { regarding: { kind: 'Pod', name: 'p', namespace: 'other' } }));
  await s.post(newer, newEvent(s, 'd', { regarding: { kind: 'Node', name: 'n' } }));
  const name = `${s.namespace}-node`;
  s.leave(`/api/v1/namespaces/default/events/${name}`);
  await s.post(
    '/api/v1/namespaces/default/events',
    coreEvent(s, name, { involvedObject: { kind: 'Node', name: 'n' } }),
  );
  await s.post(
    '/api/v1/namespaces/kube-system/events?dryRun=All',
    coreEvent(s, name, { involvedObject: { kind: 'Node', name: 'n' } }),
  );
  await s.post('/api/v1/namespaces/default/events?dryRun=All', coreEvent(s, 'other'));
});
add('a series', async (s) => {
  const { core, newer } = paths(s);
  await s.post(newer, newEvent(s, 'a', { series: { count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' } }));
  await s.get(`${core}/a`);
  await s.patch('merge', `${newer}/a`, { series: { count: 3, lastObservedTime: '2026-01-01T00:00:02.500000Z' } });
  await s.patch('strategic', `${newer}/a`, { series: { count: 4 } });
  await s.patch('merge', `${newer}/a`, { series: { count: 1 } });
  await s.patch('merge', `${newer}/a`, { series: null });
  await s.post(newer, newEvent(s, 'b', { series: { count: 1 } }));
});
add('an Event is patched', async (s) => {
  const { core, newer } = paths(s);
  await s.post(core, coreEvent(s, 'a', { count: 1 }));
  await s.patch('merge', `${core}/a`, { count: 2, lastTimestamp: '2026-01-01T00:00:00Z' });
  await s.patch('strategic', `${core}/a`, { count: 3 });
  await s.patch('merge', `${core}/a`, { involvedObject: { name: 'q' }, reason: 'Q' });
  await s.get(`${newer}/a`);
  await s.post(newer, newEvent(s, 'b'));
  await s.patch('merge', `${newer}/b`, { note: 'other' });
  await s.patch('merge', `${newer}/b`, { metadata: { labels: { a: 'b' } } });
  await s.patch('merge', `${core}/b`, { message: 'other' });
});
add('a generated name', async (s) => {
  const { core, newer } = paths(s);
  for (const path of [core, newer]) {
    const body = path === core ? coreEvent(s, '') : newEvent(s, '');
    const { status, json } = await s.quietly('POST', path, { ...body, metadata: { generateName: 'pod.17' } });
    s.note('created', [status, /^pod\.17[a-z0-9]{5}$/.test(json.metadata.name as string)]);
  }
});
add('a Lease is taken over', async (s) => {
  const { leases } = paths(s);
  const first = {
    holderIdentity: 'a',
    leaseDurationSeconds: 15,
    acquireTime: '2026-01-01T00:00:00.000000Z',
    renewTime: '2026-01-01T00:00:00.000000Z',
    leaseTransitions: 0,
  };
  const { json } = await s.post(leases, lease('l', first));
  await s.post(leases, lease('l', { ...first, holderIdentity: 'b' }));
  const { resourceVersion } = json.metadata;
  const renewed = await s.put(
    `${leases}/l`,
    lease('l', { ...first, renewTime: '2026-01-01T00:00:02.123456Z' }, { resourceVersion }),
  );
  await s.put(`${leases}/l`, lease('l', { ...first, holderIdentity: 'b' }, { resourceVersion }));
  await s.put(
    `${leases}/l`,
    lease(
      'l',
      { ...first, holderIdentity: 'b', leaseTransitions: 1 },
      { resourceVersion: renewed.json.metadata.resourceVersion },
    ),
  );
  await s.patch('merge', `${leases}/l`, { spec: { holderIdentity: '', leaseDurationSeconds: 1 } });
  await s.patch('strategic', `${leases}/l`, { spec: { holderIdentity: null } });
  await s.put(`${leases}/l`, lease('l', first));
  await s.delete(`${leases}/l`);
});
add('what a Lease may say', async (s) => {
  const { leases } = paths(s);
  for (const spec of [
    {},
    { leaseDurationSeconds: 0 },
    { leaseDurationSeconds: -1 },
    { leaseDurationSeconds: 'x' },
    { leaseTransitions: -1 },
    { leaseTransitions: -1, leaseDurationSeconds: 0 },
    { renewTime: '2026-01-01T00:00:00Z' },
    { renewTime: 'x' },
    { holderIdentity: 5 },
    { strategy: 'OldestEmulationVersion' },
    { preferredHolder: 'x' },
  ]) {
    await s.post(`${leases}?dryRun=All`, lease('l', spec));
  }
  await s.post(`${leases}?dryRun=All`, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'l' },
  });
});
add('times are kept as they are', async (s) => {
  const { leases, newer } = paths(s);
  for (const [at, time] of [
    '2026-01-01T00:00:00.123456Z',
    '2026-01-01T00:00:00.1Z',
    '2026-01-01T00:00:00.123456789Z',
    '2026-01-01T00:00:00Z',
    '2026-01-01T02:00:00.000000+02:00',
    '2026-01-01T00:00:00.000000',
    '',
  ].entries()) {
    const { status, json } = await s.quietly('POST', leases, lease(`l${at}`, { renewTime: time }));
    s.note(`a Lease, ${time}`, status === 201 ? (json.spec?.renewTime ?? 'none') : { status, message: json.message });
    const event = await s.quietly(
      'POST',
      newer,
      newEvent(s, `e${at}`, { eventTime: time, deprecatedFirstTimestamp: time }),
    );
    s.note(
      `an Event, ${time}`,
      event.status === 201
        ? [event.json.eventTime, event.json.deprecatedFirstTimestamp]
        : { status: event.status, message: event.json.message },
    );
  }
});
