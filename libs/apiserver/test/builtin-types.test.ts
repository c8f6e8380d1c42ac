import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../src/index.js';
import { canonicalQuantity, QuantityError } from '../src/schemas/quantity.js';
import { canonicalTime, TimeError } from '../src/schemas/go-time.js';
import { configMap, configMaps, server } from './support/fixtures.js';
import { call, type Answer } from './support/http.js';

const namespace = '/api/v1/namespaces/default';
const pods = `${namespace}/pods`;
const deployments = '/apis/apps/v1/namespaces/default/deployments';

const pod = (container: JsonObject, spec: JsonObject = {}): JsonObject => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'x', ...container }], ...spec },
});

const deployment = (spec: JsonObject = {}): JsonObject => ({
  metadata: { name: 'd' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'x' }] } },
    ...spec,
  },
});

describe('a body that does not fit its type', () => {
  const refused = async (path: string, body: unknown): Promise<string> => {
    const { url } = await server();
    const { status, json } = await call(url, 'POST', path, { body });
    expect([status, json.reason]).toEqual([400, 'BadRequest']);
    return (json.message as string).replace(/^.* cannot be handled as a \w+: /, '');
  };

  it.each<[string, string, unknown]>([
    ['string into Go struct field ConfigMap.data of type map[string]string', configMaps, configMap('a', 'x' as never)],
    ['number into Go struct field ConfigMap.data of type string', configMaps, configMap('a', { a: 1 })],
    ['number into Go struct field ObjectMeta.metadata.name of type string', configMaps, { metadata: { name: 5 } }],
    [
      'array into Go struct field ObjectMeta.metadata.labels of type map[string]string',
      configMaps,
      { metadata: { name: 'a', labels: ['a'] } },
    ],
    [
      'number 1.5 into Go struct field ObjectMeta.metadata.generation of type int64',
      configMaps,
      { metadata: { name: 'a', generation: 1.5 } },
    ],
    ['number into Go struct field Container.spec.containers.name of type string', pods, pod({ name: 1 })],
    [
      'string into Go struct field Container.spec.containers.ports of type []v1.ContainerPort',
      pods,
      pod({ ports: 'x' }),
    ],
    [
      'number 99999999999 into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32',
      pods,
      pod({ ports: [{ containerPort: 99_999_999_999 }] }),
    ],
    [
      'number into Go struct field Container.spec.containers.imagePullPolicy of type v1.PullPolicy',
      pods,
      pod({ imagePullPolicy: 5 }),
    ],
    [
      'bool into Go struct field HTTPGetAction.spec.containers.livenessProbe.ProbeHandler.httpGet.port of type int32',
      pods,
      pod({ livenessProbe: { httpGet: { port: true } } }),
    ],
    [
      'string into Go struct field Probe.spec.containers.livenessProbe.ProbeHandler.httpGet of type v1.HTTPGetAction',
      pods,
      pod({ livenessProbe: { httpGet: 'x' } }),
    ],
    [
      'string into Go struct field ResourceRequirements.spec.containers.resources.limits of type v1.ResourceList',
      pods,
      pod({ resources: { limits: 'x' } }),
    ],
    [
      'string into Go struct field DeploymentSpec.spec.replicas of type int32',
      deployments,
      deployment({ replicas: '1' }),
    ],
  ])('is refused: %s', async (words, path, body) => {
    expect(await refused(path, body)).toBe(`json: cannot unmarshal ${words}`);
  });

  it('is refused for a quantity, a time or base64 that cannot be read', async () => {
    expect(await refused(pods, pod({ name: 1, resources: { limits: { cpu: 'x' } } }))).toMatch(
      /^quantities must match the regular expression /,
    );
    expect(await refused(configMaps, { metadata: { name: 'a', deletionTimestamp: '2020-01-01' } })).toBe(
      'parsing time "2020-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"',
    );
    expect(await refused(configMaps, { metadata: { name: 'a' }, binaryData: { a: 'xx=' } })).toBe(
      'illegal base64 data at input byte 3',
    );
  });

  it('is refused as a patch that spoils the object', async () => {
    const { url } = await server();
    await call(url, 'POST', configMaps, { body: configMap('c', { a: '1' }) });
    const patch = (contentType: string, body: unknown): Promise<Answer> =>
      call(url, 'PATCH', `${configMaps}/c`, { contentType, body });
    const merged = await patch('merge', { data: { a: 1 } });
    expect(merged.json).toMatchObject({
      code: 422,
      reason: 'Invalid',
      details: { causes: [{ reason: 'FieldValueInvalid', field: 'patch' }] },
    });
    expect(merged.json.details).not.toHaveProperty('kind');
    expect(merged.json.message).toMatch(
      /^ "" is invalid: patch: Invalid value: ".*": json: cannot unmarshal number into Go struct field ConfigMap.data of type string$/,
    );
    expect((await patch('strategic', { data: { a: 1 } })).json.message).toBe(
      ' "" is invalid: patch: Invalid value: "map[data:map[a:1]]": cannot convert int64 to string',
    );
    expect((await patch('strategic', { data: 'x' })).json.message).toContain('cannot restore map from string');
    expect((await patch('json', [1])).json).toMatchObject({
      code: 400,
      message: 'error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp',
    });
  });
});

describe('members that are unknown or there twice', () => {
  const body = `{"metadata":{"name":"a","x":1},"y":1,"data":{"a":"1","a":"2"},"z":{"q":1}}`;
  const issues = ['unknown field "metadata.x"', 'unknown field "y"', 'duplicate field "data.a"', 'unknown field "z"'];

  it('are warned of, refused or left out silently, in the order of the text', async () => {
    const { url } = await server();
    const post = (validation: string): Promise<Answer> =>
      call(url, 'POST', `${configMaps}?dryRun=All&fieldValidation=${validation}`, { body });
    const warned = await post('Warn');
    expect(warned.json.data).toEqual({ a: '2' });
    expect(warned.headers.warning).toBe(
      issues.map((issue) => `299 - "${issue.replaceAll('"', String.raw`\"`)}"`).join(', '),
    );
    expect((await post('Strict')).json).toMatchObject({
      code: 400,
      message: `ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: ${issues.join(', ')}`,
    });
    const ignored = await post('Ignore');
    expect([ignored.status, ignored.headers.warning]).toEqual([201, undefined]);
    expect(ignored.json).not.toHaveProperty('y');
  });

  it('are found in YAML by their lines', async () => {
    const { url } = await server();
    const { json } = await call(url, 'POST', `${configMaps}?fieldValidation=Strict`, {
      contentType: 'application/yaml',
      body: 'metadata: {name: a, name: b}\ndata: {a: "1"}\nx: 5\ndata: {b: "2"}\n',
    });
    expect(json.message).toBe(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: yaml: unmarshal errors:\n' +
        '  line 1: key "name" already set in map\n  line 4: key "data" already set in map, unknown field "x"',
    );
  });

  it('are found in a JSON patch', async () => {
    const { url } = await server();
    await call(url, 'POST', configMaps, { body: configMap('c', { a: '1' }) });
    const { status, headers } = await call(url, 'PATCH', `${configMaps}/c`, {
      contentType: 'json',
      body: '[{"op":"add","path":"/data/b","value":"1","value":"2","zz":1}]',
    });
    expect(status).toBe(200);
    expect(headers.warning).toBe(
      String.raw`299 - "json patch duplicate field \"[0].value\"", 299 - "json patch unknown field \"[0].zz\""`,
    );
  });
});

describe('a built-in object', () => {
  it('is shown without what is empty, and with what is always shown', async () => {
    const { url } = await server();
    const { json } = await call(url, 'POST', configMaps, {
      body: { metadata: { name: 'a', labels: {}, annotations: null, finalizers: [] }, data: {}, immutable: false },
    });
    expect(json).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'a',
        namespace: 'default',
        uid: json.metadata.uid,
        resourceVersion: json.metadata.resourceVersion,
        creationTimestamp: json.metadata.creationTimestamp,
        ...(json.metadata.managedFields === undefined ? {} : { managedFields: json.metadata.managedFields }),
      },
      immutable: false,
    });
    const role = await call(url, 'POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles', {
      body: { metadata: { name: 'r' } },
    });
    expect(role.json.rules).toBeNull();
  });

  it('has quantities and times in one form', async () => {
    const { url } = await server();
    const { json } = await call(url, 'POST', pods, {
      body: pod({ resources: { limits: { cpu: 0.5, memory: '1024Mi' }, requests: { cpu: '100m' } } }),
    });
    expect(json.spec.containers[0].resources).toEqual({
      limits: { cpu: '500m', memory: '1Gi' },
      requests: { cpu: '100m', memory: '1Gi' },
    });
    const lease = await call(url, 'POST', '/apis/coordination.k8s.io/v1/namespaces/default/leases', {
      body: { metadata: { name: 'l' }, spec: { renewTime: '2020-01-01T01:01:01.123456+02:00' } },
    });
    expect(lease.json.spec.renewTime).toBe('2019-12-31T23:01:01.123456Z');
  });

  it('has the defaults that depend on nothing else', async () => {
    const { url } = await server();
    const { json } = await call(url, 'POST', deployments, { body: deployment() });
    expect(json.spec).toEqual({
      replicas: 1,
      selector: { matchLabels: { a: 'b' } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      template: {
        metadata: { labels: { a: 'b' } },
        spec: {
          containers: [
            {
              name: 'c',
              image: 'x',
              imagePullPolicy: 'Always',
              resources: {},
              terminationMessagePath: '/dev/termination-log',
              terminationMessagePolicy: 'File',
            },
          ],
          dnsPolicy: 'ClusterFirst',
          restartPolicy: 'Always',
          schedulerName: 'default-scheduler',
          securityContext: {},
          terminationGracePeriodSeconds: 30,
        },
      },
    });
    expect(json.status).toEqual({});
    const again = await call(url, 'PUT', `${deployments}/d`, { body: deployment() });
    expect(again.json.metadata).toMatchObject({
      generation: 1,
      resourceVersion: json.metadata.resourceVersion as string,
    });
  });

  it('has no status that its creator gave it', async () => {
    const { url } = await server();
    const { json } = await call(url, 'POST', deployments, { body: { ...deployment(), status: { replicas: 3 } } });
    expect(json.status).toEqual({});
  });
});

describe('a quantity', () => {
  it.each([
    ['1000', '1k'],
    ['1000m', '1'],
    ['0.5', '500m'],
    ['1.50', '1500m'],
    ['1e3', '1e3'],
    ['10e2', '1e3'],
    ['1.5e3', '1500'],
    ['05', '05'],
    ['+5k', '+5k'],
    ['1024', '1024'],
    ['1024Ki', '1Mi'],
    ['0.5Ki', '512'],
    ['0.3Ki', '307200m'],
    ['16Ei', '9223372036854775807'],
    ['-1000m', '-1'],
    ['0Gi', '0'],
    ['100000000000000000000', '100E'],
  ])('%s is %s', (given, canonical) => {
    expect(canonicalQuantity(given)).toBe(canonical);
  });

  it('counts resources in thousandths, rounded up', () => {
    expect(canonicalQuantity('1n')).toBe('1n');
    expect(canonicalQuantity('1n', true)).toBe('1m');
  });

  it.each(['', 'x', '1.2.3', '1kk', '1e', '1e1.5', '--1', '1K'])('is not %j', (text) => {
    expect(() => canonicalQuantity(text)).toThrow(QuantityError);
  });
});

describe('a time', () => {
  it.each([
    ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00Z'],
    ['2020-01-01T00:00:00.5Z', '2020-01-01T00:00:00Z'],
    ['2020-01-01T00:00:00+02:00', '2019-12-31T22:00:00Z'],
    ['2020-02-29T00:00:00Z', '2020-02-29T00:00:00Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  ])('%s is %s', (given, canonical) => {
    expect(canonicalTime(given)).toBe(canonical);
  });

  it.each([
    ['2020-13-01T00:00:00Z', 'parsing time "2020-13-01T00:00:00Z": month out of range'],
    ['2019-02-29T00:00:00Z', 'parsing time "2019-02-29T00:00:00Z": day out of range'],
    ['2020-01-01T24:00:00Z', 'parsing time "2020-01-01T24:00:00Z": hour out of range'],
    ['2020-01-01T00:00:00Zx', 'parsing time "2020-01-01T00:00:00Zx": extra text: "x"'],
    [
      '2020-01-01T00:00:00',
      'parsing time "2020-01-01T00:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"',
    ],
  ])('%s is refused', (text, message) => {
    expect(() => canonicalTime(text)).toThrow(new TimeError(message));
  });

  it('of six decimal places needs them', () => {
    expect(canonicalTime('2020-01-01T00:00:00.123456Z', true)).toBe('2020-01-01T00:00:00.123456Z');
    expect(() => canonicalTime('2020-01-01T00:00:00Z', true)).toThrow('cannot parse "Z" as ".000000"');
  });
});

describe('the generation of a built-in object', () => {
  const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';

  it('goes up with what the real server counts as its content', async () => {
    const { url } = await server();
    const generation = async (path: string, body: unknown): Promise<unknown> =>
      (await call(url, 'PATCH', path, { contentType: 'merge', body })).json.metadata.generation;
    await call(url, 'POST', slices, { body: { metadata: { name: 'e' }, addressType: 'IPv4', endpoints: [] } });
    expect(await generation(`${slices}/e`, { metadata: { annotations: { a: '1' } } })).toBe(1);
    expect(await generation(`${slices}/e`, { metadata: { labels: { a: '1' } } })).toBe(2);
    expect(await generation(`${slices}/e`, { endpoints: [{ addresses: ['10.0.0.1'] }] })).toBe(3);
    await call(url, 'POST', deployments, { body: deployment() });
    expect(await generation(`${deployments}/d`, { metadata: { labels: { a: '1' } } })).toBe(1);
    expect(await generation(`${deployments}/d`, { spec: { replicas: 2 } })).toBe(2);
    expect(await generation(`${deployments}/d/status`, { status: { replicas: 2 } })).toBe(2);
  });
});

describe('a pod that is deleted', () => {
  it('is seen to end before it is gone', async () => {
    const api = await server();
    await call(api.url, 'POST', pods, { body: pod({}) });
    const since = api.store.revision;
    const { json } = await call(api.url, 'DELETE', `${pods}/p`);
    expect(json).toMatchObject({ kind: 'Pod', metadata: { generation: 2, deletionGracePeriodSeconds: 0 } });
    expect(json.metadata.deletionTimestamp).toBeTypeOf('string');
    expect(api.store.eventsSince('/pods', since).map(({ type }) => type)).toEqual(['MODIFIED', 'DELETED']);
    expect((await call(api.url, 'GET', `${pods}/p`)).status).toBe(404);
  });
});
