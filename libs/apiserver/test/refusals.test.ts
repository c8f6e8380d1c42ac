import { describe, expect, it } from 'vitest';
import { configMap, configMaps, server, widgets } from './support/fixtures.js';
import { call } from './support/http.js';

interface Refused {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly body?: string;
  readonly accept?: string;
  readonly code: number;
  readonly message: string;
}

const get = (path: string, code: number, message: string): Refused => ({ method: 'GET', path, code, message });
const send = (method: string, path: string, type: string, body: string, code: number, message: string): Refused => ({
  method,
  path,
  type,
  body,
  code,
  message,
});

const json = 'application/json';
const yaml = 'application/yaml';
const apply = 'application/apply-patch+yaml';
const strategic = 'application/strategic-merge-patch+json';
const selected = (selector: string): string => `${configMaps}?labelSelector=${encodeURIComponent(selector)}`;
const byField = (selector: string, path = widgets): string => `${path}?fieldSelector=${encodeURIComponent(selector)}`;
const key = "name part must consist of alphanumeric characters, '-', '_' or '.'";
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const pod = {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'a' },
  spec: { containers: [{ name: 'c', image: 'i' }] },
};

/** What kube-apiserver says to each of them; a message may be the beginning of what it says. */
const refusals: Readonly<Record<string, Refused>> = {
  'a field that is not known, before one that cannot be read': get(
    byField('type=a,status.phase'),
    400,
    "invalid selector: 'type=a,status.phase'; can't understand 'status.phase'",
  ),
  'the first field by name': get(byField('type=a,spec.x=b'), 400, 'field label not supported: spec.x'),
  'a label with two faults': get(
    selected(`${'a'.repeat(63)}[a`),
    400,
    `unable to parse requirement: <nil>: Invalid value: "${'a'.repeat(63)}[a": name part must be no more than 63 bytes; ${key}`,
  ),
  'a label that a NUL ends': get(
    selected('a:\0b'),
    400,
    `unable to parse requirement: <nil>: Invalid value: "a:": ${key}`,
  ),
  'a sign among values': get(
    selected('a in (b,!c)'),
    400,
    "unable to parse requirement: found '!', expected: ',', or identifier",
  ),
  'several values': get(
    selected('a in (ü,b,ö)'),
    400,
    'unable to parse requirement: [values[1][a]: Invalid value: "ö": a valid label must be',
  ),
  'what follows a negation': get(selected('!a=b'), 400, "found '=', expected: ',' or 'end of string'"),
  'a character that cannot be printed': get(
    `${configMaps}?timeoutSeconds=%00`,
    400,
    String.raw`strconv.ParseInt: parsing "\x00": invalid syntax`,
  ),
  'a number that is too great': get(
    `${configMaps}?limit=9223372036854775808`,
    400,
    'strconv.ParseInt: parsing "9223372036854775808": value out of range',
  ),
  'a number that is too great, before a body that cannot be read': send(
    'DELETE',
    `${configMaps}?timeoutSeconds=99999999999999999999`,
    'application/vnd.kubernetes.protobuf',
    '{',
    400,
    'strconv.ParseInt: parsing "99999999999999999999": value out of range',
  ),
  'a token that is none, before a version beside it': get(
    `${configMaps}?continue=eyJ2IjoibS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJkZWZhdWx0In0&resourceVersion=1`,
    400,
    'invalid continue token: continue key is not valid: server does not recognize this encoded version m.k8s.io/v1',
  ),
  'a name that has to be quoted': get(`${configMaps}/a(%5C`, 404, String.raw`configmaps "a(\\" not found`),
  'half a character in JSON': send(
    'POST',
    configMaps,
    json,
    String.raw`{"apiVersion":"\ud800","kind":"ConfigMap"}`,
    400,
    'ConfigMap in version "\ufffd" cannot be handled as a ConfigMap',
  ),
  'half a character in YAML': send(
    'POST',
    configMaps,
    yaml,
    String.raw`{"apiVersion":"v1","data":{"a":"\ud83d\ude00"}}`,
    400,
    'the object provided is unrecognized (must be of type ConfigMap): yaml: found invalid Unicode character escape code',
  ),
  'half a character in an apply': send(
    'PATCH',
    `${configMaps}/a?fieldManager=m`,
    apply,
    String.raw`{"apiVersion":"v1","kind":"ConfigMap","data":{"a":"\ud800"}}`,
    400,
    'error decoding YAML: error converting YAML to JSON: yaml: found invalid Unicode character escape code',
  ),
  'YAML that does not end': send(
    'POST',
    configMaps,
    yaml,
    '{"apiVersion":"v1","kind":"Conf',
    400,
    'the object provided is unrecognized (must be of type ConfigMap): yaml: found unexpected end of stream',
  ),
  'YAML without a comma': send(
    'POST',
    configMaps,
    yaml,
    '{"spec"12:{}}',
    400,
    "the object provided is unrecognized (must be of type ConfigMap): yaml: did not find expected ',' or '}'",
  ),
  'options with two faults': send(
    'DELETE',
    `${configMaps}/a`,
    json,
    '{"preconditions":"x","dryRun":{}}',
    400,
    'json: cannot unmarshal string into Go struct field DeleteOptions.preconditions of type v1.Preconditions',
  ),
  'a selection before what is to be done with it': send(
    'DELETE',
    `${configMaps}?resourceVersion=1&resourceVersionMatch=x`,
    json,
    '{',
    422,
    'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Unsupported value: "x"',
  ),
  'the base of a name with what cannot be printed': send(
    'POST',
    configMaps,
    json,
    String.raw`{"metadata":{"generateName":"\u0001"}}`,
    422,
    String.raw`ConfigMap "\x01`,
  ),
  'a name that no path may have': get(`${configMaps}/a%25b`, 400, `Name parameter invalid: "a%b": may not contain '%'`),
  'a creation in a form that there is not, before its options': send(
    'POST',
    `${configMaps}?dryRun=x`,
    'text/html',
    '{}',
    415,
    'the body of the request was in an unknown format',
  ),
  'a deletion of a collection that is asked for as a watch': send(
    'DELETE',
    `${configMaps}?watch=1&sendInitialEvents=1`,
    json,
    '',
    422,
    'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting',
  ),
  'two numbers that are none': get(
    `${configMaps}?limit=x&timeoutSeconds=y`,
    400,
    'strconv.ParseInt: parsing "y": invalid syntax',
  ),
  'discovery of one group in the form of all': {
    ...get('/apis/apps', 406, 'only the following media types are accepted'),
    accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  },
  'a strategic patch with two faults': send(
    'PATCH',
    `${configMaps}/a`,
    strategic,
    '{"data":"x","metadata":[]}',
    422,
    ' "" is invalid: patch: Invalid value: "map[data:x metadata:[]]": cannot restore struct from: slice',
  ),
  'a version of a document that is no text': send(
    'DELETE',
    `${configMaps}/a`,
    json,
    '{"apiVersion":1,"kind":{}}',
    400,
    "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .apiVersion",
  ),
  'a number beyond all integers': send(
    'POST',
    '/api/v1/namespaces/default/pods',
    json,
    '{"spec":{"priority":1e+308}}',
    400,
    'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal number 1e+308 into Go struct field PodSpec.spec.priority of type int32',
  ),
  'a subject of a group that cannot be printed': send(
    'POST',
    '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    json,
    String.raw`{"metadata":{"name":"a"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"view"},"subjects":[{"kind":"User","name":"u","apiGroup":"\u0001"}]}`,
    422,
    String.raw`ClusterRoleBinding.rbac.authorization.k8s.io "a" is invalid: subjects[0].apiGroup: Unsupported value: "\x01"`,
  ),
  'a finalizer of a new namespace': send(
    'POST',
    '/api/v1/namespaces',
    json,
    '{"metadata":{"name":"n"},"spec":{"finalizers":["x"]}}',
    422,
    'Namespace "n" is invalid: spec.finalizers: Invalid value: "x": name is neither a standard finalizer name',
  ),
  'an event of the newer group without a name that has more faults': send(
    'POST',
    '/apis/events.k8s.io/v1/namespaces/default/events',
    json,
    '{}',
    422,
    'Event "" is invalid: [metadata.name: Required value: name or generateName is required, ',
  ),
  'options of another kind without a version': send(
    'DELETE',
    `${configMaps}/a`,
    json,
    '{"kind":"ConfigMap"}',
    400,
    'no kind "ConfigMap" is registered for version "meta.k8s.io/v1"',
  ),
  'a patch without a name, in a form that there is not': send(
    'PATCH',
    widgets,
    'application/cbor',
    '{}',
    415,
    'the body of the request was in an unknown format',
  ),
  'a document that is asked for with a body': send(
    'GET',
    '/api/v1',
    'text/html',
    '',
    415,
    '415: Unsupported Media Type',
  ),
  'an event without a name that has more faults': send(
    'POST',
    '/api/v1/namespaces/default/events',
    json,
    '{"involvedObject":{"namespace":"other"}}',
    422,
    'Event "" is invalid: involvedObject.namespace: Invalid value: "other": does not match event.namespace',
  ),
  'a field that no struct has, in two items of one name': send(
    'PATCH',
    '/api/v1/namespaces/default/pods/p',
    strategic,
    '{"spec":{"containers":[{"name":"c","x":[{}]},{"name":"c","x":[{}]}]}}',
    500,
    'unable to find api field in struct Container for the json field "x"',
  ),
  'a status of a service that is not there, with a field that is not known': send(
    'PATCH',
    '/api/v1/namespaces/default/services/absent/status?fieldManager=m',
    apply,
    '{"apiVersion":"v1","kind":"Service","metadata":{"name":"absent"},"spec":{"foo":1}}',
    500,
    'failed to create typed patch object (/absent; /v1, Kind=Service): .spec.foo: field not declared in schema',
  ),
  'a scale by a patch of another kind': send(
    'PATCH',
    `${deployments}/d/scale`,
    strategic,
    '{"kind":"Deployment","spec":{"replicas":-1}}',
    422,
    'Scale.autoscaling "d" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  ),
};

const objects = [
  configMap('a'),
  { ...pod, metadata: { name: 'p' } },
  {
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    metadata: { name: 'd' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  },
];

describe('a request that cannot be taken', () => {
  it.each(Object.entries(refusals))('is refused as by the real server: %s', async (_, refused) => {
    const api = await server({ objects });
    const { status, json: answer } = await call(api.url, refused.method, refused.path, {
      ...(refused.body === undefined ? {} : { body: refused.body }),
      headers: {
        ...(refused.type === undefined ? {} : { 'content-type': refused.type }),
        ...(refused.accept === undefined ? {} : { accept: refused.accept }),
      },
    });
    expect({ status, message: String(answer.message).slice(0, refused.message.length) }).toEqual({
      status: refused.code,
      message: refused.message,
    });
  });

  it('is an object that is to be created with a version that is none: the version does not count', async () => {
    const api = await server({ objects });
    const create = (resourceVersion: string) =>
      call(api.url, 'POST', configMaps, { body: configMap('a', {}, { resourceVersion }) });
    expect((await create('x')).json.reason).toBe('AlreadyExists');
    expect((await create('5')).json.message).toBe('resourceVersion should not be set on objects to be created');
  });

  it('is a merge patch with two faults: the first one by name is told', async () => {
    const api = await server({ objects });
    const { status, json: answer } = await call(api.url, 'PATCH', '/api/v1/namespaces/default/pods/p', {
      body: { spec: { containers: [{ name: 'c', ports: ['x'], env: true }] } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(status).toBe(422);
    expect(answer.message).toMatch(
      /json: cannot unmarshal bool into Go struct field Container.spec.containers.env of type \[\]v1.EnvVar$/,
    );
  });

  it('is a deletion with conditions in its query: they hold', async () => {
    const api = await server({ objects });
    const remove = (query: string) => call(api.url, 'DELETE', `${configMaps}/a?${query}`);
    expect((await remove('resourceVersion=00')).json.message).toMatch(/the ResourceVersion in the precondition \(00\)/);
    expect((await remove('uid=x')).json.message).toMatch(/the UID in the precondition \(x\)/);
    const { json: stored } = await call(api.url, 'GET', `${configMaps}/a`);
    expect((await remove(`uid=${stored.metadata.uid}`)).status).toBe(200);
  });

  it('asks for a form of the version of the server: there is one only', async () => {
    const api = await server();
    const accept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
    expect((await call(api.url, 'GET', '/version', { headers: { accept } })).json.major).toBe('1');
  });

  it('is a deletion with nothing in its body: the form of nothing does not matter', async () => {
    const api = await server({ objects });
    const headers = { 'content-type': 'text/html' };
    expect((await call(api.url, 'DELETE', `${configMaps}/a`, { body: '', headers })).status).toBe(200);
  });

  it('is for a document in a form that there is not: it is left out', async () => {
    const api = await server();
    const ask = (method: string, path: string, headers: Record<string, string>) =>
      call(api.url, method, path, { headers });
    const path = '/openapi/v3/apis/example.com/v1';
    expect(await ask('GET', path, { accept: 'text/html' })).toMatchObject({ status: 406, text: '' });
    expect(await ask('GET', path, { accept: ',;=' })).toMatchObject({ status: 200, text: '' });
    expect(await ask('GET', path, { 'if-none-match': '"x", *' })).toMatchObject({ status: 304, text: '' });
    expect(await ask('PATCH', '/openapi/v3', { 'if-none-match': '*' })).toMatchObject({ status: 412, text: '' });
    expect(await ask('GET', '/healthz/', {})).toMatchObject({ status: 404 });
    expect(await ask('GET', '/version/x', {})).toMatchObject({ status: 404, json: { reason: 'NotFound' } });
  });
});

describe('warnings', () => {
  it('tell of unknown fields of a strategic patch by their names, and of those of a scale', async () => {
    const api = await server({ objects });
    const patch = (path: string, body: object) =>
      call(api.url, 'PATCH', path, { body, headers: { 'content-type': strategic } });
    const { headers } = await patch('/api/v1/namespaces/default/pods/p', { metadata: { z: 1, y: 1 }, a: 1 });
    expect(headers['warning']).toBe(
      ['a', 'metadata.y', 'metadata.z'].map((field) => String.raw`299 - "unknown field \"${field}\""`).join(', '),
    );
    const merged = await call(api.url, 'PATCH', '/api/v1/namespaces/default/pods/p', {
      body: { z: 1, metadata: { b: 1 }, a: 1 },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(merged.headers['warning']).toBe(
      ['a', 'metadata.b', 'z'].map((field) => String.raw`299 - "unknown field \"${field}\""`).join(', '),
    );
    const scaled = await patch(`${deployments}/d/scale`, { spec: { replicas: 2, x: 1 } });
    expect(scaled.headers['warning']).toBe(String.raw`299 - "unknown field \"spec.x\""`);
  });
});
