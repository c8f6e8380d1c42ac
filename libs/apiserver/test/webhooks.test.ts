import { describe, expect, it } from 'vitest';
import type { WebhookFunction } from '../src/index.js';
import { hangUp, silence, WebhookReceiver } from './conformance/webhook-receiver.js';
import { server, widget, widgets } from './support/fixtures.js';
import { call } from './support/http.js';
import { gate, hookConfiguration, patching, register, responding, type Review } from './support/webhooks.js';

const ref = (name: string) => ({ apiVersion: 'example.com/v1', kind: 'Widget', name, namespace: 'default' });

describe('a webhook in the process', () => {
  it('gets a copy of the review, and changes what is stored', async () => {
    const seen: Review[] = [];
    const hook: WebhookFunction = (review, { path }) => {
      seen.push({ ...structuredClone(review), path });
      (review as Review).request.object.spec.size = 9;
      return {
        ...review,
        response: {
          uid: (review as Review).request.uid,
          allowed: true,
          ...patching({ op: 'replace', path: '/spec/size', value: 7 }),
        },
      };
    };
    const api = await server({ webhooks: { services: { 'hooks/hook': hook } } });
    await register(api);
    const { status, json } = await call(api.url, 'POST', widgets, { body: widget('a') });
    expect([status, json.spec.size]).toEqual([201, 7]);
    expect(seen).toMatchObject([
      {
        path: '/hook',
        kind: 'AdmissionReview',
        request: { operation: 'CREATE', name: 'a', object: { spec: { size: 1 } } },
      },
    ]);
  });

  it('is known by the port of its service, or by the service alone', async () => {
    const asked: string[] = [];
    const hook = (name: string): WebhookFunction =>
      responding(() => {
        asked.push(name);
        return {};
      });
    const api = await server({
      webhooks: { services: { 'hooks/hook:8443': hook('8443'), 'hooks/hook': hook('any') } },
    });
    const service = { namespace: 'hooks', name: 'hook' };
    await register(api, { name: 'a', clientConfig: { service: { ...service, port: 8443 } } });
    await register(api, { name: 'b', clientConfig: { service } });
    await api.create(widget('a'));
    expect(asked).toEqual(['8443', 'any']);
  });

  it('is not found where nothing is named for its service', async () => {
    const api = await server();
    await register(api);
    const { status, json } = await call(api.url, 'POST', widgets, { body: widget('a') });
    expect([status, json.message]).toEqual([
      500,
      'Internal error occurred: failed calling webhook "hook.hooks.example.com": failed to call webhook: Post "https://hook.hooks.svc:443/hook?timeout=10s": service "hook" not found',
    ]);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('it broke')), /failed to call webhook: it broke$/],
    ['answers no object', () => Promise.resolve(undefined as never), /answered no object$/],
    ['answers another review', () => Promise.resolve({ response: { uid: 'x' } }), /expected webhook response of/],
  ])('is subject to its failure policy when it %s', async (_what, hook, message) => {
    const api = await server({ webhooks: { services: { 'hooks/hook': hook } } });
    await register(api);
    await expect(api.create(widget('a'))).rejects.toThrow(message);
    await api.patch(
      { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingWebhookConfiguration', name: 'hook' },
      [{ op: 'replace', path: '/webhooks/0/failurePolicy', value: 'Ignore' }],
      { type: 'json' },
    );
    await expect(api.create(widget('a'))).resolves.toMatchObject({ spec: { size: 1 } });
  });

  it('may write to the server while it is asked', async () => {
    const api = await server({
      webhooks: {
        services: {
          'hooks/hook': responding(async ({ object }: Review) => {
            if (object.metadata.name === 'a') await api.create(widget('b'));
            await api.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `of-${object.metadata.name}` } });
            return {};
          }),
        },
      },
    });
    await register(api);
    await api.create(widget('a'));
    expect((await api.list({ apiVersion: 'v1', kind: 'ConfigMap' })).map(({ metadata }) => metadata.name)).toEqual([
      'of-a',
      'of-b',
    ]);
  });

  it('ends in a time-out when it changes the object that it is asked about, again and again', async () => {
    let size = 1;
    const api = await server({
      webhooks: {
        services: {
          'hooks/hook': responding(async ({ name, dryRun }: Review) => {
            if (!dryRun) await api.patch(ref(name), { status: { replicas: ++size } }, { subresource: 'status' });
            return {};
          }),
        },
      },
    });
    await api.create(widget('a'));
    await register(api);
    const { json } = await call(api.url, 'PATCH', `${widgets}/a`, {
      contentType: 'merge',
      body: { spec: { size: 2 } },
    });
    expect(json).toMatchObject({ code: 504, reason: 'Timeout' });
    expect(await api.get(ref('a'))).toMatchObject({ spec: { size: 1 }, status: { replicas: size } });
  });
});

describe('writes that wait for webhooks', () => {
  it('lose nothing when many writers race, whatever the order of the answers', async () => {
    let turn = 0;
    const slow = responding(async ({ object }: Review) => {
      // The later a write is asked about, the earlier it is answered.
      for (let left = 40 - (turn++ % 40); left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
      return patching({
        op: 'add',
        path: '/metadata/annotations',
        value: { seen: String(object.metadata.generation) },
      });
    });
    const api = await server({ webhooks: { services: { 'hooks/hook': slow } } });
    await api.create(widget('a', { spec: { any: { count: 0, list: [] } } }));
    await register(api);
    const writers = Array.from({ length: 12 }, (_, n) => n);
    await Promise.all(
      writers.flatMap((n) => [
        api.patch(ref('a'), { metadata: { labels: { [`w${n}`]: 'x' } } }),
        api.patch(ref('a'), [{ op: 'add', path: '/spec/any/list/-', value: n }], { type: 'json' }),
        increment(api.url),
      ]),
    );
    const { metadata, spec } = (await api.get(ref('a'))) as Review;
    expect(Object.keys(metadata.labels)).toHaveLength(writers.length);
    expect(spec.any.list.toSorted((a: number, b: number) => a - b)).toEqual(writers);
    expect(spec.any.count).toBe(writers.length);
  });

  /** Reads, counts on and replaces until no other came between. */
  async function increment(url: string): Promise<void> {
    for (;;) {
      const { json } = await call(url, 'GET', `${widgets}/a`);
      json.spec.any.count++;
      const { status } = await call(url, 'PUT', `${widgets}/a`, { body: json });
      if (status === 200) return;
      expect(status).toBe(409);
    }
  }

  it('keep the conflict of a version that they name', async () => {
    const asked = gate();
    const answer = gate();
    let first = true;
    const api = await server({
      webhooks: {
        services: {
          'hooks/hook': responding(async () => {
            if (!first) return {};
            first = false;
            asked.open();
            await answer.passed;
            return {};
          }),
        },
      },
    });
    const before = await api.create(widget('a'));
    await register(api);
    const put = call(api.url, 'PUT', `${widgets}/a`, { body: { ...before, spec: { size: 5 } } });
    await asked.passed;
    await api.patch(ref('a'), { spec: { mode: 'a' } });
    answer.open();
    expect((await put).json).toMatchObject({ code: 409, reason: 'Conflict' });
    expect(await api.get(ref('a'))).toMatchObject({ spec: { size: 1, mode: 'a' } });
  });

  it.each([
    ['its namespace', { apiVersion: 'v1', kind: 'Namespace', name: 'soon-gone' }, 404],
    [
      'its definition',
      { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name: 'widgets.example.com' },
      404,
    ],
  ])('store nothing when %s is gone when the answer comes', async (_what, gone, code) => {
    const asked = gate();
    const answer = gate();
    const api = await server({
      webhooks: {
        services: {
          'hooks/hook': responding(async () => {
            asked.open();
            await answer.passed;
            return {};
          }),
        },
      },
    });
    await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'soon-gone' } });
    await register(api, { kind: 'Validating' });
    const path = widgets.replace('default', 'soon-gone');
    const created = call(api.url, 'POST', path, { body: widget('a') });
    await asked.passed;
    await api.delete(gone);
    await api.waitFor(async () => (await api.get(gone)) === undefined);
    answer.open();
    expect((await created).status).toBe(code);
    expect(api.store.count('example.com/widgets')).toBe(0);
  });

  it('delete what is there when the answer comes, or begin anew', async () => {
    const old: Review[] = [];
    const asked = gate();
    const answer = gate();
    const api = await server({
      webhooks: {
        services: {
          'hooks/hook': responding(async ({ oldObject }: Review) => {
            old.push(oldObject.spec.size);
            asked.open();
            if (old.length === 1) await answer.passed;
            return {};
          }),
        },
      },
    });
    await api.create(widget('a'));
    await register(api, { kind: 'Validating', operations: ['DELETE'] });
    const deleted = api.delete(ref('a'));
    await asked.passed;
    await api.patch(ref('a'), { spec: { size: 8 } });
    answer.open();
    await deleted;
    expect(old).toEqual([1, 8]);
    expect(await api.get(ref('a'))).toBeUndefined();
  });

  it('are those of the controllers as well, which try again when they are refused', async () => {
    let allowed = false;
    const asked: string[] = [];
    const api = await server({
      webhooks: {
        services: {
          'hooks/hook': responding(({ userInfo, name }: Review) => {
            asked.push(`${userInfo.username} ${name}`);
            return { allowed };
          }),
        },
      },
    });
    await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
    await api.create({ ...widget('a'), metadata: { name: 'a', namespace: 'team' } });
    const { metadata } = await api.create(widget('owner'));
    const owner = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'owner', uid: metadata.uid! };
    await api.create({ ...widget('owned'), metadata: { name: 'owned', ownerReferences: [owner] } });
    await api.delete(ref('owner'));
    await api.waitFor(async () => (await api.get(ref('owned'))) === undefined);
    await api.create({ ...widget('owned'), metadata: { name: 'owned', ownerReferences: [owner] } });
    await api.waitFor(async () => (await api.get(ref('owned'))) === undefined);

    await register(api, { kind: 'Validating', operations: ['DELETE'] });
    await api.create({ ...widget('owned'), metadata: { name: 'owned', ownerReferences: [owner] } });
    await api.delete({ apiVersion: 'v1', kind: 'Namespace', name: 'team' });
    while (new Set(asked).size < 2 || asked.length < 6) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(new Set(asked)).toEqual(
      new Set([
        'system:serviceaccount:kube-system:namespace-controller a',
        'system:serviceaccount:kube-system:generic-garbage-collector owned',
      ]),
    );
    allowed = true;
    await api.waitFor(async () => (await api.get({ apiVersion: 'v1', kind: 'Namespace', name: 'team' })) === undefined);
    await api.waitFor(async () => (await api.get(ref('owned'))) === undefined);
  });

  it('go by the configurations of a restored state', async () => {
    const api = await server({
      webhooks: { services: { 'hooks/hook': responding(() => ({ allowed: false })) } },
    });
    const before = api.snapshot();
    await register(api, { kind: 'Validating' });
    const after = api.snapshot();
    api.restore(before);
    await api.create(widget('a'));
    api.restore(after);
    await expect(api.create(widget('a'))).rejects.toThrow('denied the request without explanation');
  });
});

describe('a webhook behind a connection', () => {
  it('stands behind a service, under whose name its certificate must be', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      receiver.reply('/hook', ({ review }) => ({
        ...review,
        response: { uid: review.request!['uid'], allowed: false, status: { message: 'heard' } },
      }));
      const origin = `https://${receiver.host}`;
      const api = await server({ webhooks: { services: { 'hooks/hook': origin } } });
      const service = { namespace: 'hooks', name: 'hook', path: '/hook' };
      await register(api, { clientConfig: { service, caBundle: receiver.caBundle } });
      await expect(api.create(widget('a'))).rejects.toThrow(/x509: certificate is not valid for any names, but wanted/);
      await register(api, {
        name: 'url',
        clientConfig: { url: `${origin}/hook`, caBundle: receiver.caBundle },
        kind: 'Validating',
      });
      await api.delete({
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'MutatingWebhookConfiguration',
        name: 'hook',
      });
      await expect(api.create(widget('a'))).rejects.toThrow('denied the request: heard');
    } finally {
      await receiver.close();
    }
  });

  it('ends with the server, whether it is silent or at work', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      receiver.reply('/silent', () => silence);
      const never = gate();
      const asked = gate();
      let aborted: boolean | undefined;
      const api = await server({
        webhooks: {
          services: {
            'hooks/stuck': async (_review, { signal }) => {
              signal.addEventListener('abort', () => (aborted = true));
              asked.open();
              await never.passed;
              return {};
            },
          },
        },
      });
      await register(api, { name: 'stuck', resources: ['configmaps'], failurePolicy: 'Ignore' });
      await register(api, {
        name: 'silent',
        failurePolicy: 'Ignore',
        clientConfig: { url: `https://${receiver.host}/silent`, caBundle: receiver.caBundle },
      });
      const pending = Promise.allSettled([
        api.create(widget('a')),
        api.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }),
        call(api.url, 'POST', widgets, { body: widget('b') }),
      ]);
      await asked.passed;
      while (!receiver.has('/silent')) await new Promise((resolve) => setImmediate(resolve));
      await api.close();
      const settled = await pending;
      expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
      expect(aborted).toBe(true);
      expect(api.store.count('example.com/widgets')).toBe(0);
      await api.activity.whenIdle();
    } finally {
      await receiver.close();
    }
  });

  it('is left with no connection after its answer', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.reply('/hook', ({ review }) => ({ ...review, response: { uid: review.request!['uid'], allowed: true } }));
    receiver.reply('/gone', () => hangUp);
    const connections = (): number =>
      process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
    const before = connections();
    const api = await server();
    try {
      for (const name of ['hook', 'gone']) {
        await register(api, {
          name,
          failurePolicy: 'Ignore',
          clientConfig: { url: `https://${receiver.host}/${name}`, caBundle: receiver.caBundle },
        });
      }
      for (let n = 0; n < 5; n++) await api.create(widget(`w${n}`));
      expect(receiver.take()).toHaveLength(10);
      while (connections() > before) await new Promise((resolve) => setImmediate(resolve));
    } finally {
      await receiver.close();
    }
  });
});

describe('the option', () => {
  it.each([
    [{ 'no-namespace': 'https://127.0.0.1:1' }, 'names no service'],
    [{ 'a/b': 'ftp://127.0.0.1' }, 'must be an origin'],
    [{ 'a/b': 'https://127.0.0.1:1/path' }, 'must be an origin'],
  ])('is refused: %j', async (services, message) => {
    await expect(server({ webhooks: { services } })).rejects.toMatchObject({
      code: 'APISERVER_INVALID_OPTIONS',
      message: expect.stringContaining(message) as string,
    });
  });

  it('stands beside configurations that are refused', async () => {
    const api = await server();
    const body = hookConfiguration({ matchConditions: [{ name: 'a', expression: '1' }] });
    const { status, json } = await call(
      api.url,
      'POST',
      '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
      { body },
    );
    expect([status, json.details.causes[0].field]).toEqual([422, 'webhooks[0].matchConditions[0].expression']);
  });
});
