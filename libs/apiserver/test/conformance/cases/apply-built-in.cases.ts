import type { JsonObject } from '../../../src/index.js';
import { configMap } from '../bodies.js';
import { gadget, gadgetsOf } from '../gadgets.js';
import type { CaseBody, Read, Session } from '../session.js';

type Apply = (s: Session, path: string, manager: string, body: unknown, query?: string) => Promise<Read>;

const deployment = (containers: readonly JsonObject[], spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd' },
  spec: {
    selector: { matchLabels: { app: 'd' } },
    template: { metadata: { labels: { app: 'd' } }, spec: { containers } },
    ...spec,
  },
});

const service = (ports: readonly JsonObject[], spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 's' },
  spec: { clusterIP: 'None', ports, ...spec },
});

/**
 * Writes down who owns what, and some fields: the whole of these kinds differs, as the real server fills in what the
 * embedded one leaves alone.
 */
function notes(s: Session, { status, json }: Read, ...fields: readonly (readonly [string, unknown])[]): void {
  const { metadata, message, reason, details } = json as {
    metadata: { generation?: number; managedFields?: unknown };
    message?: string;
    reason?: string;
    details?: unknown;
  };
  s.note(
    'answer',
    status >= 400
      ? { status, message, reason, details }
      : { status, managedFields: metadata.managedFields, ...Object.fromEntries(fields) },
  );
}

const filledIn = new Set(['imagePullPolicy', 'resources', 'terminationMessagePath', 'terminationMessagePolicy']);

function withoutDefaults(container: JsonObject): JsonObject {
  const kept = Object.fromEntries(Object.entries(container).filter(([name]) => !filledIn.has(name)));
  const ports = kept['ports'] as JsonObject[] | undefined;
  return ports === undefined ? kept : { ...kept, ports: ports.map((port) => ({ ...port, protocol: undefined })) };
}

const quietly = (s: Session, path: string, manager: string, body: unknown): Promise<Read> =>
  s.quietly('PATCH', `${path}?fieldManager=${manager}`, body, 'application/apply-patch+yaml');

export function addBuiltInApplyCases(add: (name: string, run: CaseBody) => void, apply: Apply): void {
  add('a ConfigMap', async (s) => {
    const path = `${s.configMaps}/c`;
    await apply(s, path, 'm1', configMap('c', { a: '1', b: '1' }));
    await apply(s, path, 'm2', configMap('c', { c: '1' }));
    await apply(s, path, 'm2', configMap('c', { a: '2' }));
    await apply(s, path, 'm1', configMap('c', { b: '2' }));
    await apply(s, path, 'm1', { ...configMap('c', { b: '2' }), binaryData: { x: 'AAEC' } });
    await apply(s, path, 'm3', { ...configMap('c'), data: undefined, immutable: true });
    await apply(s, path, 'm1', configMap('c', { b: '3' }));
  });
  add('a Secret', async (s) => {
    const path = `/api/v1/namespaces/${s.namespace}/secrets/s`;
    const secret = (more: JsonObject) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, ...more });
    await apply(s, path, 'm1', secret({ stringData: { a: '1' } }));
    await apply(s, path, 'm2', secret({ data: { a: 'Mg==' } }));
    await apply(s, path, 'm1', secret({ stringData: { a: '2' } }));
    await apply(s, path, 'm1', secret({}));
  });
  add('labels, annotations, finalizers and owners', async (s) => {
    const path = `${s.configMaps}/c`;
    const owner = (uid: string, more: JsonObject = {}): JsonObject => ({
      apiVersion: 'v1',
      kind: 'Node',
      name: 'n',
      uid,
      ...more,
    });
    const body = (metadata: JsonObject): JsonObject => ({ ...configMap('c', {}, metadata), data: undefined });
    // A dry run, as the garbage collector would remove an object whose owners do not exist.
    const dry = '&dryRun=All';
    await apply(s, path, 'm1', body({ finalizers: ['x.example/a'], labels: { a: '1' } }));
    await apply(s, path, 'm2', body({ finalizers: ['x.example/b'], annotations: { a: '1' } }));
    await apply(s, path, 'm2', body({ finalizers: ['x.example/a'] }));
    await apply(s, path, 'm2', body({ ownerReferences: [owner('1'), owner('2')] }), dry);
    await apply(s, path, 'm2', body({ ownerReferences: [owner('1'), owner('1')] }), dry);
    await apply(s, path, 'm2', body({ labels: { a: '2' } }));
    await apply(s, path, 'm1', body({}));
    await apply(s, path, 'm2', body({}));
  });
  add('a map that is applied empty', async (s) => {
    const path = `${s.configMaps}/c`;
    await apply(s, path, 'm1', configMap('c', {}));
    await apply(s, path, 'm2', configMap('c', { a: '1' }));
    await apply(s, path, 'm2', configMap('c', { a: '1' }), '&force=true');
    await apply(s, path, 'm1', configMap('c', {}));
    await apply(s, path, 'm1', { ...configMap('c'), data: null });
  });
  add('owners of two managers', async (s) => {
    const path = `${await gadgetsOf(s)}/a`;
    const { json } = await s.post(s.configMaps, configMap('o'));
    const { json: other } = await s.post(s.configMaps, configMap('p'));
    const owner = ({ metadata: { name, uid } }: Read['json'], more: JsonObject = {}): JsonObject => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name,
      uid,
      ...more,
    });
    await apply(s, path, 'm1', gadget({}, { ownerReferences: [owner(json)] }));
    await apply(s, path, 'm2', gadget({}, { ownerReferences: [owner(other, { controller: true })] }));
    await apply(s, path, 'm3', gadget({}, { ownerReferences: [owner(other, { controller: false })] }));
    await apply(s, path, 'm3', gadget({}, { ownerReferences: [owner(json, { controller: true })] }), '&force=true');
    await apply(s, path, 'm1', gadget({}));
  });
  add('containers, ports and variables of a Deployment', async (s) => {
    const path = `/apis/apps/v1/namespaces/${s.namespace}/deployments/d`;
    const as = async (manager: string, containers: readonly JsonObject[], spec: JsonObject = {}): Promise<void> => {
      noted(await quietly(s, path, manager, deployment(containers, spec)));
    };
    const noted = (read: Read): void => {
      const { replicas, template } = (read.json.spec ?? {}) as JsonObject & { template?: JsonObject };
      const pod = template?.['spec'] as { containers: JsonObject[] } | undefined;
      notes(s, read, ['replicas', replicas], ['containers', pod?.containers.map(withoutDefaults)]);
    };
    await as(
      'm1',
      [
        {
          name: 'web',
          image: 'web:1',
          ports: [{ containerPort: 80 }, { containerPort: 53, protocol: 'UDP' }],
          env: [
            { name: 'A', value: '1' },
            { name: 'B', value: '1' },
          ],
          args: ['x'],
        },
      ],
      { replicas: 1 },
    );
    await as('m2', [{ name: 'side', image: 'side:1' }]);
    await as('m3', [{ name: 'web', image: 'web:2', env: [{ name: 'C', value: '1' }] }]);
    await as('m3', [{ name: 'web', env: [{ name: 'C', value: '1' }] }]);
    await as('m3', [{ name: 'web', ports: [{ containerPort: 80, protocol: 'TCP', name: 'h' }] }]);
    await as('m1', [{ name: 'web', image: 'web:1', args: ['y'] }], { replicas: 1 });
    await as('m2', [], { replicas: 2 });
    await as('m2', [], { replicas: 1 });
    noted(
      await s.quietly(
        'PATCH',
        `${path}?fieldManager=m4`,
        { spec: { template: { spec: { containers: [{ name: 'web', image: 'web:3' }] } } } },
        'application/strategic-merge-patch+json',
      ),
    );
    await as('m1', [{ name: 'web', image: 'web:1' }], { replicas: 1 });
  });
  add('a Deployment is scaled', async (s) => {
    const path = `/apis/apps/v1/namespaces/${s.namespace}/deployments/d`;
    const as = (manager: string, replicas: number): Promise<Read> =>
      quietly(s, path, manager, deployment([{ name: 'web', image: 'web:1' }], { replicas }));
    const noted = (read: Read): void => notes(s, read, ['replicas', read.json.spec?.replicas]);
    noted(await as('m1', 1));
    await s.patch('merge', `${path}/scale?fieldManager=m2`, { spec: { replicas: 2 } });
    noted(await s.quietly('GET', path));
    noted(await as('m1', 1));
    noted(
      await s.quietly(
        'PATCH',
        `${path}/status?fieldManager=m3`,
        { status: { replicas: 2 } },
        'application/merge-patch+json',
      ),
    );
    await s.get(`${path}/scale`);
  });
  add('ports of a Service', async (s) => {
    const path = `/api/v1/namespaces/${s.namespace}/services/s`;
    const as = async (manager: string, ports: readonly JsonObject[], spec: JsonObject = {}): Promise<void> => {
      const read = await quietly(s, path, manager, service(ports, spec));
      notes(s, read, [
        'ports',
        (read.json.spec?.ports as JsonObject[] | undefined)?.map(({ port, name }) => ({ port, name })),
      ]);
    };
    await as('m1', [{ name: 'h', port: 80, targetPort: 8080, protocol: 'TCP' }]);
    await as('m2', [{ name: 'd', port: 53, protocol: 'UDP', targetPort: 53 }]);
    await as('m3', [{ name: 'x', port: 80 }]);
    await as('m3', [{ port: 80, protocol: 'TCP', targetPort: 'web' }], { selector: { app: 'x' } });
    await as('m1', []);
  });
  add('a Lease, an Event, a Namespace', async (s) => {
    const lease = `/apis/coordination.k8s.io/v1/namespaces/${s.namespace}/leases/l`;
    const body = (holderIdentity: string) => ({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'l' },
      spec: { holderIdentity, renewTime: '2026-01-01T00:00:00.000000Z' },
    });
    await apply(s, lease, 'm1', body('x'));
    await apply(s, lease, 'm2', body('y'));
    await apply(s, `/api/v1/namespaces/${s.namespace}/events/e`, 'm1', {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', name: 'p', namespace: s.namespace },
      reason: 'R',
      type: 'Normal',
    });
    await apply(s, `/api/v1/namespaces/${s.namespace}`, 'm1', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: s.namespace, labels: { a: '1' } },
    });
  });
  add('types that built-in kinds do not have', async (s) => {
    const path = `${s.configMaps}/c`;
    await apply(s, path, 'm1', { ...configMap('c'), data: [] });
    await apply(s, path, 'm1', configMap('c', { a: 1 }));
    await apply(s, path, 'm1', { ...configMap('c'), zzz: 1 });
    await apply(s, path, 'm1', { ...configMap('c'), zzz: 1 }, '&fieldValidation=Strict');
    await apply(s, `/apis/apps/v1/namespaces/${s.namespace}/deployments/d`, 'm1', deployment([{ image: 'x' }]));
  });
  add('what kubectl applied on the client side goes over to the server side', async (s) => {
    const path = `${await gadgetsOf(s)}/a`;
    const applied = (spec: JsonObject): JsonObject =>
      gadget(spec, {
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': `${JSON.stringify(gadget(spec))}\n` },
      });
    await s.post(`${await gadgetsOf(s)}?fieldManager=kubectl-client-side-apply`, applied({ name: 'x', size: 1 }));
    await apply(s, path, 'kubectl', gadget({ name: 'y' }));
    await apply(s, path, 'kubectl', gadget({ name: 'y', size: 2 }));
    await apply(s, path, 'kubectl', gadget({ size: 2 }));
  });
  add('another manager goes over from the client side', async (s) => {
    const path = `${await gadgetsOf(s)}/a`;
    const body = gadget({ name: 'x', size: 1 });
    await s.post(`${await gadgetsOf(s)}?fieldManager=kubectl-client-side-apply`, {
      ...body,
      metadata: {
        name: 'a',
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(body) },
      },
    });
    await apply(s, path, 'm1', gadget({ name: 'y' }));
    await apply(s, path, 'kubectl', gadget({ name: 'y' }), '&force=true');
    await apply(s, path, 'kubectl-last-applied', gadget({ name: 'z' }));
  });
}
