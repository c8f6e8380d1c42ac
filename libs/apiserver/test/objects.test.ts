import { describe, expect, it } from 'vitest';
import { configMap, configMaps, server, widget, widgets } from './support/fixtures.js';
import { call, WatchStream } from './support/http.js';

describe('creating', () => {
  it('sets what only the server sets and ignores what the client says about it', async () => {
    const { url } = await server();
    const given = {
      uid: 'mine',
      generation: 7,
      creationTimestamp: '2020-01-01T00:00:00Z',
      deletionTimestamp: '2020-01-01T00:00:00Z',
      selfLink: '/x',
    };
    const { status, json } = await call(url, 'POST', widgets, {
      body: widget('a', { metadata: given, status: { phase: 'x' } }),
    });
    expect(status).toBe(201);
    expect(json.metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect(json.metadata.generation).toBe(1);
    expect(json.metadata.creationTimestamp).toMatch(/^2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(json.metadata.creationTimestamp).not.toBe(given.creationTimestamp);
    expect(Object.keys(json.metadata).sort()).toEqual(
      ['creationTimestamp', 'generation', 'managedFields', 'name', 'namespace', 'resourceVersion', 'uid'].sort(),
    );
    expect(json).not.toHaveProperty('status');
  });

  it('makes names from generateName', async () => {
    const { url } = await server();
    const one = await call(url, 'POST', configMaps, {
      body: configMap('', {}, { name: undefined, generateName: 'gen-' }),
    });
    const two = await call(url, 'POST', configMaps, {
      body: configMap('', {}, { name: undefined, generateName: 'gen-' }),
    });
    expect(one.json.metadata.name).toMatch(/^gen-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(two.json.metadata.name).not.toBe(one.json.metadata.name);
  });

  it('gives up on a generated name after collisions, with a Retry-After', async () => {
    const { url } = await server({ random: () => 0.5 });
    const body = configMap('', {}, { name: undefined, generateName: 'gen-' });
    expect((await call(url, 'POST', configMaps, { body })).status).toBe(201);
    const second = await call(url, 'POST', configMaps, { body });
    expect(second.json).toMatchObject({ code: 409, reason: 'AlreadyExists', details: { retryAfterSeconds: 1 } });
    expect(second.headers['retry-after']).toBe('1');
  });

  it.each([
    [
      'another namespace',
      widget('a', { metadata: { namespace: 'other' } }),
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      'a resourceVersion',
      widget('a', { metadata: { resourceVersion: '5' } }),
      500,
      'resourceVersion should not be set on objects to be created',
    ],
    [
      'another version',
      { ...widget('a'), apiVersion: 'example.com/v2' },
      400,
      'the API version in the data (example.com/v2) does not match the expected API version (example.com/v1)',
    ],
    [
      'another kind',
      { ...widget('a'), kind: 'Gadget' },
      422,
      'Gadget.example.com "a" is invalid: kind: Invalid value: "Gadget": must be Widget',
    ],
    [
      'no name',
      widget(''),
      422,
      'Widget.example.com "" is invalid: metadata.name: Required value: name or generateName is required',
    ],
  ])('refuses %s', async (_what, body, code, message) => {
    const { url } = await server();
    const { json } = await call(url, 'POST', widgets, { body });
    expect(json).toMatchObject({ kind: 'Status', status: 'Failure', code, message });
  });

  it('refuses a name that exists, and says so when the old object is being deleted', async () => {
    const { url } = await server();
    const body = widget('a', { metadata: { finalizers: ['x.example/a'] } });
    await call(url, 'POST', widgets, { body });
    const exists = await call(url, 'POST', widgets, { body });
    expect(exists.json).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'widgets.example.com "a" already exists',
      reason: 'AlreadyExists',
      details: { name: 'a', group: 'example.com', kind: 'widgets' },
      code: 409,
    });
    await call(url, 'DELETE', `${widgets}/a`);
    const deleting = await call(url, 'POST', widgets, { body });
    expect(deleting.json.message).toBe('object is being deleted: widgets.example.com "a" already exists');
  });

  it('needs the namespace to exist', async () => {
    const { url } = await server();
    const { json } = await call(url, 'POST', '/api/v1/namespaces/nope/configmaps', { body: configMap('a') });
    expect(json).toMatchObject({
      code: 404,
      message: 'namespaces "nope" not found',
      details: { name: 'nope', kind: 'namespaces' },
    });
  });

  it('stores nothing on a dry run and tells nobody', async () => {
    const { url, store } = await server();
    const before = store.revision;
    const { status, json } = await call(url, 'POST', `${widgets}?dryRun=All`, { body: widget('a') });
    expect(status).toBe(201);
    expect(json.metadata.uid).toBeTruthy();
    expect(json.metadata).not.toHaveProperty('resourceVersion');
    expect(store.revision).toBe(before);
    expect((await call(url, 'GET', `${widgets}/a`)).status).toBe(404);
  });

  it('turns stringData of a Secret into data', async () => {
    const { url } = await server();
    const { json } = await call(url, 'POST', '/api/v1/namespaces/default/secrets', {
      body: { metadata: { name: 's' }, stringData: { a: '1' } },
    });
    expect(json).toMatchObject({ type: 'Opaque', data: { a: 'MQ==' } });
    expect(json).not.toHaveProperty('stringData');
  });

  it('keeps odd content as it is', async () => {
    const { url } = await server();
    const any =
      '{"big":12345678901234567890,"negative":-9007199254740993,"line":"\u2028\u2029","emoji":"👩‍🚀","a.b/c":{"__proto__":1},"nil":null,"float":1.5}';
    const body = `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"odd"},"spec":{"size":1,"any":${any}}}`;
    await call(url, 'POST', widgets, { body });
    const patched = await call(url, 'PATCH', `${widgets}/odd`, {
      contentType: 'merge',
      body: { metadata: { labels: { a: 'b' } } },
    });
    for (const part of [
      '12345678901234567890',
      '-9007199254740993',
      '"__proto__":1',
      '\u2028\u2029',
      '👩‍🚀',
      '"nil":null',
      '"a.b/c"',
    ]) {
      expect(patched.text).toContain(part);
    }
  });
});

describe('replacing', () => {
  it('checks the version, changes the object and raises its generation', async () => {
    const { url } = await server();
    const { json } = await call(url, 'POST', widgets, { body: widget('a') });
    const put = await call(url, 'PUT', `${widgets}/a`, { body: { ...json, spec: { size: 2 } } });
    expect(put.json).toMatchObject({
      metadata: { generation: 2, uid: json.metadata.uid },
      spec: { size: 2, replicas: 1 },
    });
    const stale = await call(url, 'PUT', `${widgets}/a`, { body: { ...json, spec: { size: 3 } } });
    expect(stale.json).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on widgets.example.com "a": the object has been modified; please apply your changes to the latest version and try again',
    });
  });

  it('keeps the version of an object that stays the same, and emits nothing', async () => {
    const { url, store } = await server();
    const { json } = await call(url, 'POST', widgets, { body: widget('a') });
    const before = store.revision;
    const put = await call(url, 'PUT', `${widgets}/a`, { body: json });
    expect(put.json).toEqual(json);
    expect(store.revision).toBe(before);
  });

  it('wants a version for custom resources and none for most built-in ones', async () => {
    const { url } = await server();
    await call(url, 'POST', widgets, { body: widget('a') });
    await call(url, 'POST', configMaps, { body: configMap('c') });
    const custom = await call(url, 'PUT', `${widgets}/a`, { body: widget('a') });
    expect(custom.json).toMatchObject({ code: 422, details: { causes: [{ field: 'metadata.resourceVersion' }] } });
    expect((await call(url, 'PUT', `${configMaps}/c`, { body: configMap('c', { a: '1' }) })).status).toBe(200);
  });

  it('refuses another uid with 409 and another name with 400', async () => {
    const { url } = await server();
    const { json } = await call(url, 'POST', widgets, { body: widget('a') });
    const uid = await call(url, 'PUT', `${widgets}/a`, {
      body: { ...json, metadata: { ...json.metadata, uid: 'zzz' } },
    });
    expect(uid.json).toMatchObject({ code: 409, reason: 'Conflict' });
    expect(uid.json.message).toContain(
      `Precondition failed: UID in precondition: zzz, UID in object meta: ${json.metadata.uid}`,
    );
    const name = await call(url, 'PUT', `${widgets}/a`, {
      body: { ...json, metadata: { ...json.metadata, name: 'b' } },
    });
    expect(name.json).toMatchObject({
      code: 400,
      message: 'the name of the object (b) does not match the name on the URL (a)',
    });
  });

  it('creates on PUT only where the real server does', async () => {
    const { url } = await server();
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'l' },
      spec: { holderIdentity: 'a' },
    };
    expect(
      (await call(url, 'PUT', '/apis/coordination.k8s.io/v1/namespaces/default/leases/l', { body: lease })).status,
    ).toBe(201);
    expect((await call(url, 'PUT', `${configMaps}/x`, { body: configMap('x') })).status).toBe(404);
  });
});

describe('deleting', () => {
  it('answers a Status for most resources and the object for some', async () => {
    const { url } = await server();
    const { json } = await call(url, 'POST', configMaps, { body: configMap('c') });
    const deleted = await call(url, 'DELETE', `${configMaps}/c`);
    expect(deleted.json).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'c', kind: 'configmaps', uid: json.metadata.uid },
    });
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await call(url, 'POST', accounts, { body: { metadata: { name: 's' } } });
    expect((await call(url, 'DELETE', `${accounts}/s`)).json).toMatchObject({ kind: 'ServiceAccount' });
  });

  it('marks an object with finalizers, once, and raises its generation', async () => {
    const { url } = await server();
    await call(url, 'POST', widgets, { body: widget('a', { metadata: { finalizers: ['x.example/a'] } }) });
    const first = await call(url, 'DELETE', `${widgets}/a`);
    expect(first.json.metadata).toMatchObject({ generation: 2, deletionGracePeriodSeconds: 0 });
    expect(first.json.metadata.deletionTimestamp).toBeTruthy();
    const second = await call(url, 'DELETE', `${widgets}/a`);
    expect([second.status, second.json]).toEqual([200, first.json]);
    const added = await call(url, 'PATCH', `${widgets}/a`, {
      contentType: 'merge',
      body: { metadata: { finalizers: ['x.example/a', 'x.example/b'] } },
    });
    expect(added.json).toMatchObject({ code: 422 });
    expect(added.json.message).toContain(
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x.example/b"}',
    );
  });

  it.each(['merge', 'json', 'put'])('removes the object when the last finalizer goes (%s)', async (how) => {
    const { url } = await server();
    await call(url, 'POST', widgets, { body: widget('a', { metadata: { finalizers: ['x.example/a'] } }) });
    const marked = (await call(url, 'DELETE', `${widgets}/a`)).json;
    const watch = await WatchStream.open(url, `${widgets}?watch=1&resourceVersion=${marked.metadata.resourceVersion}`);
    const answer =
      how === 'put'
        ? await call(url, 'PUT', `${widgets}/a`, {
            body: { ...marked, metadata: { ...marked.metadata, finalizers: [] } },
          })
        : await call(url, 'PATCH', `${widgets}/a`, {
            contentType: how,
            body:
              how === 'merge' ? { metadata: { finalizers: null } } : [{ op: 'remove', path: '/metadata/finalizers' }],
          });
    // The object as it would have been written, under the version from before.
    expect(answer.status).toBe(200);
    expect(answer.json.metadata).not.toHaveProperty('finalizers');
    expect(answer.json.metadata).toMatchObject({
      deletionTimestamp: marked.metadata.deletionTimestamp,
      resourceVersion: marked.metadata.resourceVersion,
    });
    const gone = await watch.next();
    expect(gone.type).toBe('DELETED');
    expect(gone.object.metadata.finalizers).toEqual(['x.example/a']);
    expect(Number(gone.object.metadata.resourceVersion)).toBeGreaterThan(Number(marked.metadata.resourceVersion));
    expect((await call(url, 'GET', `${widgets}/a`)).status).toBe(404);
  });

  it('checks preconditions', async () => {
    const { url } = await server();
    const { json } = await call(url, 'POST', widgets, { body: widget('a') });
    const uid = await call(url, 'DELETE', `${widgets}/a`, { body: { preconditions: { uid: 'zzz' } } });
    expect(uid.json).toMatchObject({
      code: 409,
      message: `Operation cannot be fulfilled on Widget.example.com "a": the UID in the precondition (zzz) does not match the UID in record (${json.metadata.uid}). The object might have been deleted and then recreated`,
      details: { name: 'a', group: 'example.com', kind: 'Widget' },
    });
    const version = await call(url, 'DELETE', `${widgets}/a`, { body: { preconditions: { resourceVersion: '1' } } });
    expect(version.json.code).toBe(409);
    const right = { preconditions: { uid: json.metadata.uid, resourceVersion: json.metadata.resourceVersion } };
    expect((await call(url, 'DELETE', `${widgets}/a`, { body: right })).status).toBe(200);
  });

  it('takes its options from the body, else from the query', async () => {
    const { url } = await server({ gc: false });
    await call(url, 'POST', widgets, { body: widget('a') });
    await call(url, 'POST', widgets, { body: widget('b') });
    const fromBody = await call(url, 'DELETE', `${widgets}/a?propagationPolicy=Orphan`, {
      body: { propagationPolicy: 'Foreground' },
    });
    expect(fromBody.json.metadata.finalizers).toEqual(['foregroundDeletion']);
    const fromQuery = await call(url, 'DELETE', `${widgets}/b?propagationPolicy=Orphan`);
    expect(fromQuery.json.metadata.finalizers).toEqual(['orphan']);
  });

  it('deletes a collection by selector and answers what was in it', async () => {
    const { url } = await server();
    for (const [name, app] of [
      ['a', 'x'],
      ['b', 'x'],
      ['c', 'y'],
    ] as const) {
      await call(url, 'POST', widgets, { body: widget(name, { metadata: { labels: { app } } }) });
    }
    const { json } = await call(url, 'DELETE', `${widgets}?labelSelector=app%3Dx`);
    expect(json.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(['a', 'b']);
    const left = await call(url, 'GET', widgets);
    expect(left.json.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(['c']);
  });
});

describe('limits', () => {
  it('refuses a body over 3 MiB, an object over 1.5 MiB and annotations over 256 KiB', async () => {
    const { url } = await server();
    const big = (size: number): string => 'x'.repeat(size);
    const body = await call(url, 'POST', configMaps, { body: configMap('a', { a: big(3 * 1024 * 1024) }) });
    expect(body.json).toMatchObject({
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: 'Request entity too large: limit is 3145728',
    });
    const stored = await call(url, 'POST', widgets, {
      body: widget('a', { spec: { size: 1, any: { a: big(1.6 * 1024 * 1024) } } }),
    });
    expect(stored.json).toMatchObject({ code: 500, message: 'etcdserver: request is too large' });
    const annotations = { a: big(256 * 1024) };
    const noted = await call(url, 'POST', configMaps, { body: configMap('a', {}, { annotations }) });
    expect(noted.json).toMatchObject({
      code: 422,
      details: { causes: [{ reason: 'FieldValueTooLong', field: 'metadata.annotations' }] },
    });
    expect((await call(url, 'POST', configMaps, { body: configMap('a', { a: big(900 * 1024) }) })).status).toBe(201);
  });
});
