import { describe, expect, it } from 'vitest';
import { decodeProtobuf } from '../src/protobuf/protobuf-body.js';
import { kubectlBodies } from './protobuf/kubectl-bodies.js';
import { configMap, configMaps, server, widget, widgets } from './support/fixtures.js';
import { call, type Answer, type CallOptions } from './support/http.js';
import { seeded } from './support/seeded.js';
import { double, envelope, field, metadata, varint } from './support/wire.js';

const protobuf = 'application/vnd.kubernetes.protobuf';
const send = (url: string, method: string, path: string, body: Buffer, more: CallOptions = {}): Promise<Answer> =>
  call(url, method, path, { body, contentType: protobuf, ...more });

/** The object in a body, as a client of JSON would have sent it. */
const decoded = (body: Buffer): unknown =>
  JSON.parse(JSON.stringify(decodeProtobuf(body, { apiVersion: 'v1', kind: 'ConfigMap' }).object));

describe('what kubectl sends', () => {
  it.each(kubectlBodies)('$command', ({ body, object }) => {
    expect(decoded(Buffer.from(body, 'base64'))).toEqual(object);
  });

  const created = kubectlBodies.filter(({ path }) => !path.includes('review'));

  it.each(created)('is stored as its JSON is: $command', async ({ path, body, object }) => {
    // A Job tells of its own uid in its labels.
    const plain = await server({ random: seeded(1) });
    const binary = await server({ random: seeded(1) });
    for (const api of [plain, binary]) {
      await api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: path.includes('/x/') ? 'x' : 'y' } });
    }
    const wanted = await call(plain.url, 'POST', path, { body: object });
    const answer = await send(binary.url, 'POST', path, Buffer.from(body, 'base64'));
    const settled = ({ status, json }: Answer): unknown => ({
      status,
      object: { ...json, metadata: { ...json.metadata, uid: '', creationTimestamp: '', managedFields: [] } },
    });
    expect(settled(answer)).toEqual(settled(wanted));
    expect(answer.status).toBe(201);
    // The log shows what was sent, for assertions.
    expect(binary.requests.all().at(-1)?.body).toEqual(object);
  });
});

describe('a message', () => {
  const time = (seconds: number, nanos: number): Buffer[] => [field(1, seconds), field(2, nanos)];

  it('keeps what is set to zero where absence is something else, and leaves out what is empty elsewhere', () => {
    const spec = (...more: Buffer[]): Buffer => envelope('apps/v1', 'Deployment', metadata('d'), field(2, more));
    expect(decoded(spec(field(1, 0), field(5, 0)))).toMatchObject({ spec: { replicas: 0 } });
    expect(decoded(spec(field(5, 0)))).not.toHaveProperty('spec.replicas');
    expect(decoded(spec(field(5, 0)))).not.toHaveProperty('spec.minReadySeconds');
    expect(decoded(spec(field(5, 3)))).toHaveProperty('spec.minReadySeconds', 3);
  });

  it('has null for lists that JSON always shows, and none of the others', () => {
    const role = envelope('rbac.authorization.k8s.io/v1', 'Role', metadata('r'));
    expect(decoded(role)).toEqual({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'r' },
      rules: null,
    });
  });

  it('has times in seconds and in microseconds', () => {
    const lease = envelope(
      'coordination.k8s.io/v1',
      'Lease',
      metadata('l'),
      field(2, [
        field(1, 'me'),
        field(2, 15),
        field(3, time(1_767_225_600, 0)),
        field(4, time(1_767_225_601, 123_456_789)),
      ]),
    );
    expect(decoded(lease)).toMatchObject({
      spec: {
        holderIdentity: 'me',
        leaseDurationSeconds: 15,
        acquireTime: '2026-01-01T00:00:00.000000Z',
        renewTime: '2026-01-01T00:00:01.123456Z',
      },
    });
    const event = envelope('v1', 'Event', metadata('e'), field(6, time(1_767_225_600, 999)), field(7, []));
    expect(decoded(event)).toMatchObject({
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: null,
      eventTime: null,
    });
  });

  it('has bytes as base64, maps in order, and texts of any script', () => {
    const secret = envelope(
      'v1',
      'Secret',
      metadata('s', field(11, [field(1, 'z'), field(2, 'ü')]), field(11, [field(1, 'a'), field(2, '😀')])),
      field(2, [field(1, 'k'), field(2, Buffer.from([0, 255]))]),
      field(4, [field(1, 'plain'), field(2, 'text')]),
    );
    expect(JSON.stringify(decoded(secret))).toContain('"labels":{"a":"😀","z":"ü"}');
    expect(decoded(secret)).toMatchObject({ data: { k: 'AP8=' }, stringData: { plain: 'text' } });
  });

  it('has integers of 64 bits, negative ones too', () => {
    const pod = (value: bigint): Buffer =>
      envelope('v1', 'Pod', metadata('p'), field(2, [field(14, [field(2, value), field(4, value)])]));
    const text = (value: bigint): string =>
      JSON.stringify(decodeProtobuf(pod(value), { apiVersion: '', kind: '' }).object);
    expect(text(9_223_372_036_854_775_807n)).toContain('"runAsUser":9223372036854775807');
    expect(text(-1n)).toContain('"runAsUser":-1');
    expect(text(7n)).toContain('"supplementalGroups":[7]');
    const packed = envelope('v1', 'Pod', metadata('p'), field(2, [field(14, [field(4, [varint(1), varint(300)])])]));
    expect(decoded(packed)).toMatchObject({ spec: { securityContext: { supplementalGroups: [1, 300] } } });
  });

  it('has quantities, numbers that may be texts, lists of texts in maps, and raw JSON', () => {
    const quota = envelope(
      'v1',
      'ResourceQuota',
      metadata('q'),
      field(2, [field(1, [field(1, 'cpu'), field(2, [field(1, '1500m')])])]),
    );
    expect(decoded(quota)).toMatchObject({ spec: { hard: { cpu: '1500m' } } });
    const budget = (value: Buffer[]): Buffer =>
      envelope('policy/v1', 'PodDisruptionBudget', metadata('b'), field(2, [field(1, value)]));
    expect(decoded(budget([field(1, 1), field(2, 0), field(3, '50%')]))).toMatchObject({
      spec: { minAvailable: '50%' },
    });
    expect(decoded(budget([field(1, 0), field(2, 3), field(3, '')]))).toMatchObject({ spec: { minAvailable: 3 } });
    const extra = field(5, [field(1, 'scopes'), field(2, [field(1, 'a'), field(1, 'b')])]);
    const review = envelope('authorization.k8s.io/v1', 'SubjectAccessReview', field(2, [field(3, 'me'), extra]));
    expect(decoded(review)).toMatchObject({ spec: { user: 'me', extra: { scopes: ['a', 'b'] } } });
    const owned = field(17, [field(1, 'm'), field(7, [field(1, '{"f:data":{}}')])]);
    expect(decoded(envelope('v1', 'ConfigMap', metadata('c', owned)))).toMatchObject({
      metadata: { managedFields: [{ manager: 'm', fieldsV1: { 'f:data': {} } }] },
    });
  });

  it('has the schemas of definitions, whatever forms they take', () => {
    const property = (name: string, ...schema: Buffer[]): Buffer => field(29, [field(1, name), field(2, schema)]);
    const schema = [
      field(5, 'object'),
      property('any', field(8, [field(1, '{"a":[1]}')]), field(38, true)),
      property('list', field(5, 'array'), field(24, [field(1, [field(5, 'string')])])),
      property('tuple', field(24, [field(2, [field(5, 'string')]), field(2, [field(5, 'integer')])])),
      property('open', field(30, [field(1, true)]), double(9, 0.5)),
      property('closed', field(30, [field(1, false)])),
      property('typed', field(30, [field(1, true), field(2, [field(5, 'string')])])),
      field(32, [field(1, 'a'), field(2, [field(2, 'b')])]),
    ];
    const version = [field(1, 'v1'), field(2, true), field(3, true), field(4, [field(1, schema)])];
    const body = envelope(
      'apiextensions.k8s.io/v1',
      'CustomResourceDefinition',
      metadata('d'),
      field(2, [field(1, 'g'), field(7, version)]),
    );
    expect(decoded(body)).toMatchObject({
      spec: {
        group: 'g',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  any: { default: { a: [1] }, 'x-kubernetes-preserve-unknown-fields': true },
                  list: { type: 'array', items: { type: 'string' } },
                  tuple: { items: [{ type: 'string' }, { type: 'integer' }] },
                  open: { additionalProperties: true, maximum: 0.5 },
                  closed: { additionalProperties: false },
                  typed: { additionalProperties: { type: 'string' } },
                },
                dependencies: { a: ['b'] },
              },
            },
          },
        ],
      },
    });
  });

  it('is merged where a field comes twice, and nobody minds fields that are unknown', () => {
    const twice = envelope(
      'v1',
      'ConfigMap',
      metadata('c'),
      field(1, [field(3, 'default')]),
      field(99, 'x'),
      field(98, 5),
      double(97, 1),
    );
    expect(decoded(twice)).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'c', namespace: 'default' },
    });
  });

  it('is of the kind that the path asks for where it does not say so', () => {
    expect(decoded(envelope('', '', metadata('c')))).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    expect(decoded(envelope('a/b/c', 'ConfigMap', metadata('c')))).toMatchObject({ apiVersion: 'v1' });
  });
});

describe('a body that is broken is refused in the words of the real server', () => {
  const good = envelope('v1', 'ConfigMap', metadata('p1'), field(2, [field(1, 'k'), field(2, 'v')]));
  const raw = (...bytes: number[]): Buffer => envelope('v1', 'ConfigMap', Buffer.from(bytes));
  const unrecognized = (why: string, shown: string): string =>
    `the object provided is unrecognized (must be of type ConfigMap): ${why} (${shown})`;
  const unhandled = (why: string, kind = 'ConfigMap'): string =>
    `${kind} in version "v1" cannot be handled as a ConfigMap: ${why}`;
  const prefix = 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]';

  it.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), unrecognized('empty data', '<empty>')],
    ['the prefix alone', Buffer.from('k8s\0'), unrecognized('empty body', '6b387300')],
    ['JSON', Buffer.from('{"metadata":{}}'), unrecognized(prefix, '{"metadata":{}}')],
    ['no prefix', Buffer.from('0a0102030405', 'hex'), unrecognized(prefix, '0a0102030405')],
    ['half an envelope', good.subarray(0, 9), unrecognized('unexpected EOF', '6b3873000a0f0a0276')],
    ['half an object', raw(0x0a, 0x7f, 1), unhandled('unexpected EOF')],
    ['a number in place of metadata', raw(0x08, 0x01), unhandled('proto: wrong wireType = 0 for field ObjectMeta')],
    ['a number in place of a name', raw(0x0a, 2, 0x08, 1), unhandled('proto: wrong wireType = 0 for field Name')],
    ['a number in place of a uid', raw(0x0a, 2, 0x28, 1), unhandled('proto: wrong wireType = 0 for field UID')],
    ['the end of no group', raw(0x0c), unhandled('proto: ConfigMap: wiretype end group for non-group')],
    ['field zero', raw(0x02, 0), unhandled('proto: ConfigMap: illegal tag 0 (wire type 2)')],
    ['a number without end', raw(...Array.from({ length: 11 }, () => 0xff)), unhandled('proto: integer overflow')],
    [
      'a negative length',
      raw(0x0a, ...Array.from({ length: 9 }, () => 0xff), 1),
      unhandled('proto: negative length found during unmarshaling'),
    ],
    ['an unknown wire type', raw(0x9f, 0x06), unhandled('proto: illegal wireType 7')],
    [
      'another kind',
      envelope('v1', 'Secret', metadata('p')),
      unhandled('converting (v1.Secret) to (core.ConfigMap): unknown conversion', 'Secret'),
    ],
    [
      'a kind that there is not',
      envelope('v1', 'Foo', metadata('p')),
      unhandled('no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"', 'Foo'),
    ],
  ])('%s', async (_what, body, message) => {
    const { url } = await server();
    const answer = await send(url, 'POST', configMaps, body);
    expect([answer.status, answer.json.reason, answer.json.message]).toEqual([400, 'BadRequest', message]);
  });

  it('whatever is cut off or changed in it, without an internal error', async () => {
    const { url } = await server();
    const deployment = Buffer.from(kubectlBodies.find(({ path }) => path.endsWith('deployments'))!.body, 'base64');
    const path = '/apis/apps/v1/namespaces/default/deployments?dryRun=All';
    const bodies = [...deployment.keys()].flatMap((at) => {
      const changed = Buffer.from(deployment);
      changed[at] = changed[at]! ^ 0x55;
      return [deployment.subarray(0, at), changed];
    });
    const answers = await Promise.all(bodies.map((body) => send(url, 'POST', path, body)));
    expect(new Set(answers.map(({ status }) => status)).has(500)).toBe(false);
    for (const { status, json } of answers)
      if (status !== 201) expect(json).toMatchObject({ kind: 'Status', code: status });
  });

  it('and one that is nested without end', async () => {
    const { url } = await server();
    let schema = field(5, 'object');
    for (let depth = 0; depth < 20_000; depth++) schema = field(28, schema);
    const version = [field(1, 'v1'), field(4, [field(1, schema)])];
    const body = envelope(
      'apiextensions.k8s.io/v1',
      'CustomResourceDefinition',
      metadata('d'),
      field(2, [field(7, version)]),
    );
    const answer = await send(url, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', body);
    expect([answer.status, answer.json.message]).toEqual([
      400,
      expect.stringContaining('exceeded max depth') as string,
    ]);
  });
});

describe('requests in protobuf', () => {
  it('write and delete objects, with options', async () => {
    const { url } = await server();
    await call(url, 'POST', configMaps, { body: configMap('c', { a: '1' }, { finalizers: ['x.example/a'] }) });
    const put = await send(
      url,
      'PUT',
      `${configMaps}/c`,
      envelope('v1', 'ConfigMap', metadata('c', field(14, 'x.example/a')), field(2, [field(1, 'a'), field(2, '2')])),
    );
    expect(put.json).toMatchObject({ data: { a: '2' } });
    const options = (...fields: Buffer[]): Buffer => envelope('v1', 'DeleteOptions', ...fields);
    const other = await send(url, 'DELETE', `${configMaps}/c`, options(field(2, [field(1, 'another')])));
    expect(other.json).toMatchObject({ code: 409 });
    const wrong = await send(url, 'DELETE', `${configMaps}/c`, envelope('v1', 'ConfigMap', metadata('c')));
    expect(wrong.json).toMatchObject({
      code: 400,
      message: 'no kind "ConfigMap" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    });
    const marked = await send(url, 'DELETE', `${configMaps}/c`, options(field(4, 'Foreground'), field(5, '')));
    expect(marked.json).toMatchObject({ code: 422 });
    const deleted = await send(url, 'DELETE', `${configMaps}/c`, options(field(4, 'Foreground')));
    expect(deleted.json).toMatchObject({ metadata: { finalizers: ['x.example/a', 'foregroundDeletion'] } });
  });

  it('are refused for custom resources and as patches; their deletion takes options', async () => {
    const { url } = await server();
    const body = envelope('example.com/v1', 'Widget', metadata('w'));
    const accepted =
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml';
    expect((await send(url, 'POST', widgets, body)).json).toMatchObject({ code: 415, message: accepted });
    expect((await send(url, 'PATCH', `${widgets}/w`, body)).json).toMatchObject({ code: 415 });
    expect((await send(url, 'PATCH', `${configMaps}/w`, body)).json).toMatchObject({
      code: 415,
      message: '415: Unsupported Media Type',
    });
    await call(url, 'POST', widgets, { body: widget('w') });
    const options = envelope('v1', 'DeleteOptions', field(4, 'Orphan'));
    expect((await send(url, 'DELETE', `${widgets}/w`, options)).json).toMatchObject({
      metadata: { finalizers: ['orphan'] },
    });
  });

  it('are answered in JSON where that is accepted as well, and told in protobuf where it is not', async () => {
    const { url } = await server();
    const both = await call(url, 'GET', configMaps, { headers: { accept: `${protobuf},application/json` } });
    expect([both.status, both.headers['content-type']]).toEqual([200, 'application/json']);
    const alone = await call(url, 'GET', configMaps, { headers: { accept: protobuf } });
    expect([alone.status, alone.headers['content-type']]).toEqual([406, protobuf]);
    const message =
      'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf';
    expect(alone.text).toBe(
      envelope(
        'v1',
        'Status',
        field(1, [field(1, ''), field(2, ''), field(3, '')]),
        field(2, 'Failure'),
        field(3, message),
        field(4, 'NotAcceptable'),
        field(6, 406),
      ).toString(),
    );
  });
});
