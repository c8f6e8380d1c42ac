import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { KubeClient } from '../../../src/engine/client/kube/kube-client.js';
import type { WatchEvent } from '../../../src/engine/client/kube/kube-options.js';
import { defaultConfig } from '../../../src/engine/defaults.js';
import { FakeClock } from './fake-clock.js';
import type { Answerer } from './raw-server.js';
import { RawServer, sendJson, statusBody } from './raw-server.js';
import { failureOf, kubeConfig, testClient, until } from './setup.js';
import type { TestClient } from './setup.js';

interface WidgetObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec: { readonly size: number };
  readonly status?: { readonly phase: string };
}

const resourceKey: unique symbol = Symbol.for('nestjs-operator.resource');

abstract class Widget implements WidgetObject {
  declare readonly apiVersion: string;
  declare readonly kind: string;
  declare readonly metadata: { readonly name: string; readonly namespace?: string };
  declare readonly spec: { readonly size: number };
  declare readonly status?: { readonly phase: string };
  static readonly [resourceKey] = {
    group: 'demo.example',
    version: 'v1',
    plural: 'widgets',
    kind: 'Widget',
    scope: 'Namespaced',
  };
}

abstract class Nameless {
  declare readonly spec: string;
}

const widgets = '/apis/demo.example/v1/namespaces/ns/widgets';
const pods = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const nodes = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
const at = { namespace: 'ns', name: 'a' };

describe('KubeClient', () => {
  let clock: FakeClock;
  let server: RawServer;
  let answer: Answerer;
  let test: TestClient;
  let kube: KubeClient;

  beforeEach(async () => {
    clock = new FakeClock();
    answer = (_request, response) => sendJson(response, 200, { kind: 'Widget', metadata: { name: 'a' } });
    server = await new RawServer((request, response, index) => {
      if (request.url === '/api') {
        sendJson(response, 200, { kind: 'APIVersions', versions: ['v1'] });
      } else if (request.url === '/api/v1') {
        const resources = [
          { name: 'pods', kind: 'Pod', namespaced: true },
          { name: 'nodes', kind: 'Node', namespaced: false },
        ];
        sendJson(response, 200, { kind: 'APIResourceList', resources });
      } else if (request.url === '/apis') {
        sendJson(response, 200, { kind: 'APIGroupList', groups: [] });
      } else {
        return answer(request, response, index);
      }
    }).listen();
    test = testClient(clock, { kubeConfig: kubeConfig(server.url) });
    kube = new KubeClient({
      client: test.client,
      clock,
      random: { next: () => 0 },
      retries: defaultConfig.client.retries,
      fieldManager: 'demo.example',
    });
  });

  afterEach(async () => {
    await test.client.close();
    await until(() => server.open.size === 0);
    await server.close();
    expect(clock.pending).toBe(0);
  });

  const last = (): string => {
    const { method, url, body } = server.requests.at(-1)!;
    return `${method} ${url}${body === '' ? '' : ` ${body}`}`;
  };
  const widget = { metadata: at, spec: { size: 1 } };
  const typed =
    '{"metadata":{"namespace":"ns","name":"a"},"spec":{"size":1},"apiVersion":"demo.example/v1","kind":"Widget"}';
  const manifest = { apiVersion: 'v1', kind: 'Pod', metadata: at };

  it('gives objects the type of their class', async () => {
    const object = await kube.get(Widget, at);
    expectTypeOf(object).toEqualTypeOf<Widget>();
    expectTypeOf(kube.list(Widget)).toExtend<AsyncIterable<Widget>>();
    expectTypeOf(kube.watch(Widget)).toExtend<AsyncIterable<WatchEvent<Widget>>>();
    expect(object.metadata.name).toBe('a');
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ['gets', () => kube.get(Widget, at), `GET ${widgets}/a`],
    ['gets status', () => kube.get(Widget, at, { subresource: 'status' }), `GET ${widgets}/a/status`],
    ['gets by parts', () => kube.get(nodes, { name: 'N' }), 'GET /api/v1/nodes/N'],
    ['gets by a discovered plural', () => kube.get({ plural: 'pods' }, at), 'GET /api/v1/namespaces/ns/pods/a'],
    [
      'gets by a discovered kind',
      () => kube.get({ apiVersion: 'v1', kind: 'Node' }, { name: 'n' }),
      'GET /api/v1/nodes/n',
    ],
    ['creates', () => kube.create(Widget, widget), `POST ${widgets}?fieldManager=demo.example ${typed}`],
    [
      'creates a manifest',
      () => kube.create(manifest, { dryRun: true, fieldManager: 'x', fieldValidation: 'Strict' }),
      `POST /api/v1/namespaces/ns/pods?fieldManager=x&dryRun=All&fieldValidation=Strict ${JSON.stringify(manifest)}`,
    ],
    ['replaces', () => kube.replace(Widget, widget), `PUT ${widgets}/a?fieldManager=demo.example ${typed}`],
    [
      'replaces status',
      () => kube.replace(Widget, widget, { subresource: 'status' }),
      `PUT ${widgets}/a/status?fieldManager=demo.example ${typed}`,
    ],
    ['patches', () => kube.patch(Widget, at, { a: 1 }), `PATCH ${widgets}/a?fieldManager=demo.example {"a":1}`],
    [
      'applies',
      () => kube.apply(Widget, widget, { force: true }),
      `PATCH ${widgets}/a?fieldManager=demo.example&force=true ${typed}`,
    ],
    ['deletes', () => kube.delete(Widget, at), `DELETE ${widgets}/a {"apiVersion":"v1","kind":"DeleteOptions"}`],
    [
      'deletes this very object',
      () => kube.delete(Widget, at, { uid: 'u', resourceVersion: '7', propagationPolicy: 'Foreground', dryRun: true }),
      `DELETE ${widgets}/a {"apiVersion":"v1","kind":"DeleteOptions","propagationPolicy":"Foreground","dryRun":["All"],"preconditions":{"uid":"u","resourceVersion":"7"}}`,
    ],
    [
      'deletes many',
      () => kube.deleteCollection(Widget, { namespace: 'ns', labelSelector: 'a=b' }),
      `DELETE ${widgets}?labelSelector=a%3Db {"apiVersion":"v1","kind":"DeleteOptions"}`,
    ],
    ['reads scale', () => kube.getScale(Widget, at), `GET ${widgets}/a/scale`],
    [
      'scales',
      () => kube.scale(Widget, at, 3),
      `PATCH ${widgets}/a/scale?fieldManager=demo.example {"spec":{"replicas":3}}`,
    ],
  ])('%s', async (_title, send, expected) => {
    await send();
    expect(last()).toBe(expected);
  });

  it.each([
    [{ a: 1 }, {}, 'application/merge-patch+json'],
    [[{ op: 'test', path: '/a', value: 1 }], {}, 'application/json-patch+json'],
    [{ a: 1 }, { type: 'strategic' as const }, 'application/strategic-merge-patch+json'],
  ])('sends the patch %j %j as %s', async (patch, options, contentType) => {
    await kube.patch(Widget, at, patch, options);
    expect(server.requests.at(-1)!.headers['content-type']).toBe(contentType);
  });

  it('tells an object that goes from one that is kept', async () => {
    expect(await kube.delete(Widget, at)).toMatchObject({ metadata: { name: 'a' } });
    answer = (_request, response) => sendJson(response, 200, { kind: 'Status', status: 'Success' });
    expect(await kube.delete(Widget, at)).toBeUndefined();
  });

  it.each<[string, () => Promise<unknown>, string, RegExp]>([
    ['no namespace', () => kube.get(Widget, { name: 'a' }), 'OPERATOR_INVALID_REQUEST', /names no namespace/],
    ['a namespace too many', () => kube.get(nodes, at), 'OPERATOR_INVALID_REQUEST', /has no namespaces.*"ns"/],
    ['no name', () => kube.get(Widget, { namespace: 'ns', name: '' }), 'OPERATOR_INVALID_REQUEST', /has no name/],
    ['no metadata', () => kube.create(Widget, {} as never), 'OPERATOR_INVALID_REQUEST', /has no metadata/],
    ['no kind', () => kube.create(pods, { metadata: at }), 'OPERATOR_INVALID_REQUEST', /has no kind/],
    ['a plain class', () => kube.get(Nameless, at), 'OPERATOR_INVALID_REQUEST', /Class Nameless .*@CustomResource/],
    [
      'an unknown plural',
      () => kube.get({ plural: 'x' }, at),
      'OPERATOR_RESOURCE_NOT_SERVED',
      /has no x\..*CustomResourceDefinition/,
    ],
    [
      'an unserved version',
      () => kube.get({ plural: 'pods', group: '', version: 'v9' }, at),
      'OPERATOR_RESOURCE_NOT_SERVED',
      /has no pods\.v9\. It is served as v1\./,
    ],
    ['an unknown kind', () => kube.get({ apiVersion: 'v1', kind: 'X' }, at), 'OPERATOR_RESOURCE_NOT_SERVED', /X of v1/],
  ])('refuses %s before anything is sent', async (_title, send, code, message) => {
    const sent = (): number =>
      server.requests.filter(({ url }) => url.includes('namespaces/') || url.includes('nodes/')).length;
    const error = await failureOf(send());
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) as string });
    expect(sent()).toBe(0);
  });

  it('refuses to apply without a field manager', async () => {
    const nobody = new KubeClient({ client: test.client, clock, random: { next: () => 0 }, retries: [] });
    expect(await failureOf(nobody.apply(Widget, widget))).toMatchObject({ code: 'OPERATOR_INVALID_REQUEST' });
  });

  describe('lists', () => {
    const page = (names: readonly string[], next?: string): object => ({
      kind: 'PodList',
      apiVersion: 'v1',
      metadata: { resourceVersion: '9', ...(next === undefined ? {} : { continue: next }) },
      items: names.map((name) => ({ metadata: { name, uid: `uid-${name}` } })),
    });

    async function namesOf(objects: AsyncIterable<unknown>): Promise<string[]> {
      const names: string[] = [];
      for await (const object of objects) names.push((object as { metadata: { name: string } }).metadata.name);
      return names;
    }

    it('go from page to page', async () => {
      answer = (request, response) =>
        sendJson(response, 200, request.url.includes('continue=') ? page(['c']) : page(['a', 'b'], 'to/ken='));
      const options = { namespace: 'ns', labelSelector: 'a in (b)', pageSize: 2, resourceVersion: '0' };
      expect(await namesOf(kube.list(pods, options))).toEqual(['a', 'b', 'c']);
      expect(server.requests.map(({ url }) => url)).toEqual([
        '/api/v1/namespaces/ns/pods?labelSelector=a%20in%20(b)&limit=2&resourceVersion=0',
        '/api/v1/namespaces/ns/pods?labelSelector=a%20in%20(b)&limit=2&continue=to%2Fken%3D',
      ]);
    });

    it('stop asking when the reader has enough', async () => {
      answer = (_request, response) => sendJson(response, 200, page(['a'], 'more'));
      for await (const pod of kube.list(pods)) {
        expect(pod).toBeDefined();
        break;
      }
      expect(server.requests.map(({ url }) => url)).toEqual(['/api/v1/pods?limit=500']);
    });

    it('give built-in objects the apiVersion and kind that the server leaves out', async () => {
      answer = (_request, response) => sendJson(response, 200, page(['a']));
      expect(await kube.listPage(pods)).toEqual({
        items: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', uid: 'uid-a' } }],
        resourceVersion: '9',
        continue: undefined,
      });
    });

    it('begin again when their state is forgotten, and give each object once', async () => {
      let expired = false;
      answer = (request, response) => {
        if (!request.url.includes('continue='))
          sendJson(response, 200, page(expired ? ['a', 'x'] : ['a', 'b'], 'next'));
        else if (expired) sendJson(response, 200, page(['c']));
        else {
          expired = true;
          sendJson(response, 410, statusBody(410, 'Expired', 'too old'));
        }
      };
      expect(await namesOf(kube.list(pods))).toEqual(['a', 'b', 'x', 'c']);
    });

    it('give up when it is forgotten again and again', async () => {
      answer = (request, response) => {
        if (request.url.includes('continue=')) sendJson(response, 410, statusBody(410, 'Expired', 'too old'));
        else sendJson(response, 200, page(['a'], 'next'));
      };
      expect(await failureOf(namesOf(kube.list(pods)))).toMatchObject({ isGone: true });
      expect(server.requests).toHaveLength(8);
    });
  });

  describe('watches', () => {
    const line = (type: string, name: string, resourceVersion: string): string =>
      `${JSON.stringify({ type, object: { kind: 'Pod', metadata: { name, resourceVersion, note: 'a\u2028b' } } })}\n`;

    const versions = (): (string | null)[] =>
      server.requests.map(({ url }) => new URL(url, server.url).searchParams.get('resourceVersion'));

    async function take(count: number, options: Parameters<KubeClient['watch']>[1] = {}): Promise<string[]> {
      const taken: string[] = [];
      for await (const { type, object } of kube.watch<{ metadata: { name: string; note: string } }>(pods, options)) {
        expect(object.metadata.note).toBe('a\u2028b');
        taken.push(`${type} ${object.metadata.name}`);
        if (taken.length === count) break;
      }
      return taken;
    }

    it('give events and go on where they left off', async () => {
      answer = (_request, response, index) => {
        response.writeHead(200);
        if (index === 0) {
          response.write(line('ADDED', 'a', '1') + line('BOOKMARK', '', '5').slice(0, 9));
          setImmediate(() => response.end(line('BOOKMARK', '', '5').slice(9)));
        } else response.write(line('DELETED', 'a', '6'));
      };
      expect(await take(2, { namespace: 'ns', fieldSelector: 'a=b' })).toEqual(['ADDED a', 'DELETED a']);
      expect(versions()).toEqual([null, '5']);
      expect(server.requests[0]!.url).toBe(
        '/api/v1/namespaces/ns/pods?fieldSelector=a%3Db&watch=true&allowWatchBookmarks=true&timeoutSeconds=300',
      );
      await until(() => server.open.size === 0);
    });

    it('wait between failures, longer each time, and start over after an event', async () => {
      const times: number[] = [];
      answer = (_request, response, index) => {
        times.push(clock.monotonic());
        if (index === 0) sendJson(response, 503, {});
        else if (index === 1) response.destroy();
        else if (index === 2) {
          response.writeHead(200);
          response.write(line('ADDED', 'a', '1'));
          setImmediate(() => response.destroy());
        } else {
          response.writeHead(200);
          response.write(line('ADDED', 'b', '2'));
        }
      };
      const work = take(2, { resourceVersion: '0' });
      for (const delay of [1000, 1000, 1000]) {
        await until(() => clock.next === delay && test.client.inFlight === 0);
        clock.advance(delay);
      }
      expect(await work).toEqual(['ADDED a', 'ADDED b']);
      expect(versions()).toEqual(['0', '0', '0', '1']);
      expect(times).toEqual([0, 1000, 2000, 3000]);
    });

    it('reject with a 410, whether it is a status or an event', async () => {
      answer = (_request, response) => sendJson(response, 410, statusBody(410, 'Expired', 'too old'));
      expect(await failureOf(take(1))).toMatchObject({ isGone: true });
      answer = (_request, response) => {
        response.writeHead(200);
        response.write(`${JSON.stringify({ type: 'ERROR', object: statusBody(410, 'Expired', 'too old') })}\n`);
      };
      expect(await failureOf(take(1, { resourceVersion: '1' }))).toMatchObject({ code: 'OPERATOR_API', isGone: true });
    });

    it('give a connection up that outlives its time', async () => {
      answer = (_request, response, index) => {
        response.writeHead(200);
        if (index === 0) response.flushHeaders();
        else response.write(line('ADDED', 'a', '1'));
      };
      const work = take(1);
      await until(() => server.requests.length === 1 && clock.next === 330_000);
      clock.advance(330_000);
      expect(await work).toEqual(['ADDED a']);
    });

    it('end with their signal', async () => {
      answer = (_request, response) => {
        response.writeHead(200);
        response.flushHeaders();
      };
      const abort = new AbortController();
      const reason = new Error('enough');
      const work = failureOf(take(1, { signal: abort.signal }));
      await until(() => server.requests.length === 1 && test.client.inFlight === 0);
      abort.abort(reason);
      expect(await work).toBe(reason);
    });
  });
});
