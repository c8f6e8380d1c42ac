import 'reflect-metadata';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import dns from 'node:dns';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ParseIntPipe } from '@nestjs/common';
import type { RequestRecord } from '@nestjs-operator/apiserver';
import {
  CustomResource,
  HandlerContext,
  KubeObject,
  Name,
  OnCreate,
  OnUpdate,
  ResourceHandlers,
  Spec,
} from 'nestjs-operator';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { UndiciTransport } from '../../../libs/operator/src/engine/client/transport/undici-transport.js';
import type { EmbeddedWorld } from '../../support/embedded-world.js';
import { Widget } from '../../support/kinds.js';
import { openWorld } from './open-world.js';

@ResourceHandlers(Widget)
class WidgetCalls {
  readonly calls: string[] = [];

  @OnCreate()
  @OnUpdate()
  note(ctx: HandlerContext<Widget>): void {
    this.calls.push(`${ctx.cause} ${ctx.meta.name} ${String(ctx.spec['n'])}`);
  }
}

const widget = (name: string, n: number): object => ({
  apiVersion: 'demo.example/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default' },
  spec: { n },
});
const ref = (name: string) => ({ apiVersion: 'demo.example/v1', kind: 'Widget', name, namespace: 'default' });
/** Written in the store itself: what the test does must not suffer from the faults that it makes. */
const setN = ({ stage: { api } }: EmbeddedWorld, name: string, n: number): Promise<unknown> =>
  api.patch(ref(name), { spec: { n } });
const createWidget = ({ stage: { api } }: EmbeddedWorld, name: string, n: number): Promise<unknown> =>
  api.create(widget(name, n) as Record<string, unknown>);

/** Requests for the collection of widgets, oldest first. */
const requests = ({ stage: { api } }: EmbeddedWorld, verb: 'watch' | 'list'): RequestRecord[] =>
  api.requests.filter((record) => record.verb === verb && record.resource === 'widgets');

async function startWithOne(
  world: EmbeddedWorld,
  operator: Parameters<EmbeddedWorld['startOperator']>[0]['operator'] = {},
) {
  const running = await world.startOperator({ providers: [WidgetCalls], operator });
  const { calls } = running.module.get(WidgetCalls);
  await createWidget(world, 'a', 1);
  await world.until(() => calls.length === 1);
  await running.settled();
  expect(calls).toEqual(['create a 1']);
  return { ...running, calls };
}

describe('watches', () => {
  it('[TC-01] a half-open connection is noticed within the silence limit, and the watch resumes', async () => {
    const world = await openWorld();
    const { calls, clock } = await startWithOne(world);
    const { api } = world.stage;
    // A quiet night: what matters must not be that the connection is young.
    await clock.advance(3 * 60_000);
    const told = api.watches.list({ resource: 'widgets' })[0]!.revision;

    expect(api.watches.cut({ how: 'stall', resource: 'widgets' })).toBe(1);
    api.requests.clear();
    const stalledAt = clock.monotonic();
    await createWidget(world, 'b', 1);
    await world.until(() => calls.length > 1, 90_000);

    expect(clock.monotonic() - stalledAt).toBeLessThanOrEqual(90_000);
    const watches = requests(world, 'watch');
    expect(watches).toHaveLength(1);
    // From the last version, so that no list is needed.
    expect(Number(watches[0]!.query.get('resourceVersion'))).toBeGreaterThanOrEqual(told);
    expect(watches[0]!.query.has('sendInitialEvents')).toBe(false);
    expect(requests(world, 'list')).toEqual([]);
    await world.expectQuiet();
    expect(calls).toEqual(['create a 1', 'create b 1']);
  });

  it('[TC-02] a watch that ends for any reason comes back, and each change is handled once', async () => {
    const world = await openWorld();
    const { api, clock } = world.stage;
    const host = 'kubernetes.test';
    const { lookup } = dns;
    let resolvable = true;
    const resolve = vi.spyOn(dns, 'lookup').mockImplementation(((name: string, options: object, done: Function) => {
      if (name !== host) return lookup(name, options as dns.LookupOptions, done as never);
      if (resolvable) return lookup('127.0.0.1', options as dns.LookupOptions, done as never);
      const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), {
        code: 'ENOTFOUND',
        syscall: 'getaddrinfo',
      });
      return setImmediate(() => done(error));
    }) as typeof dns.lookup);
    onTestFinished(() => resolve.mockRestore());
    const kubeConfig = api.kubeConfig();
    kubeConfig.clusters[0]!.cluster.server = `http://${host}:${api.port}`;
    const { calls, exit, operator } = await startWithOne(world, { kubeConfig });
    const pid = process.pid;
    const widgets = { resource: 'widgets' } as const;
    let n = 1;
    const changed = async (): Promise<void> => {
      n += 1;
      await setN(world, 'a', n);
    };
    const handled = async (): Promise<void> => {
      await world.until(() => calls.at(-1) === `update a ${n}`);
      await world.until(() => api.watches.list(widgets).length === 1);
      // Past the time that counts as health, so that each end is judged by itself.
      await clock.advance(3 * 60_000);
      expect(calls).toHaveLength(n);
    };

    for (const how of ['end', 'reset', 'midline'] as const) {
      expect(api.watches.cut({ how, ...widgets })).toBe(1);
      await changed();
      await handled();
    }

    const bad = api.faults.add({
      match: { verb: 'watch', ...widgets, times: 3 },
      do: { action: 'answer', status: 502, body: '<html>Bad Gateway</html>' },
    });
    api.watches.cut({ how: 'end', ...widgets });
    await changed();
    await handled();
    expect(bad.hits).toBe(3);

    resolvable = false;
    resolve.mockClear();
    api.watches.cut({ how: 'reset', ...widgets });
    await changed();
    await clock.advance(20_000);
    expect(resolve.mock.calls.filter(([name]) => name === host).length).toBeGreaterThan(1);
    expect(calls).toHaveLength(n - 1);
    resolvable = true;
    await handled();

    await api.faults.refuseConnections(true);
    await changed();
    await clock.advance(5_000);
    expect(calls).toHaveLength(n - 1);
    await api.faults.refuseConnections(false);
    await handled();

    expect(calls).toEqual(['create a 1', ...[2, 3, 4, 5, 6, 7].map((value) => `update a ${value}`)]);
    expect(exit.exits).toEqual([]);
    expect(process.pid).toBe(pid);
    expect(operator.getStatus().state).toBe('running');
    await world.expectQuiet();
  });

  it('[TC-02] waits between tries grow and are capped', async () => {
    const world = await openWorld();
    const { api, clock } = world.stage;
    const { calls, exit } = await startWithOne(world);
    const fault = api.faults.add({
      match: { verb: 'watch', resource: 'widgets' },
      do: { action: 'answer', status: 502 },
    });
    api.watches.cut({ how: 'reset', resource: 'widgets' });
    api.requests.clear();
    await clock.advance(15 * 60_000);
    const times = requests(world, 'watch').map(({ at }) => at);
    const waits = times.slice(1).map((at, index) => at - times[index]!);
    expect(waits.length).toBeGreaterThan(15);
    // The first six double from 0.8 s on, each varied by up to twice that; then comes the cap of 30 s.
    for (const [index, wait] of waits.entries()) {
      const base = Math.min(30_000, 800 * 2 ** (index + 1));
      expect(wait).toBeGreaterThanOrEqual(base - 1);
      expect(wait).toBeLessThanOrEqual(2 * base + 1);
    }
    fault.remove();
    await setN(world, 'a', 2);
    await world.until(() => calls.length === 2);
    expect(calls).toEqual(['create a 1', 'update a 2']);
    expect(exit.exits).toEqual([]);
    await world.expectQuiet();
  });

  it.each([
    ['by the default back-off', {}],
    ['at about one second', { watching: { backoff: { initial: '500ms', factor: 1, cap: '500ms' } } }],
  ])('[TC-04] twenty abrupt closes after the headers lead to twenty reconnects, %s', async (_title, operator) => {
    const world = await openWorld();
    const { api } = world.stage;
    const { calls } = await startWithOne(world, operator);
    const widgets = { resource: 'widgets' } as const;
    const fault = api.faults.add({
      match: { verb: 'watch', ...widgets, times: 20 },
      do: { action: 'reset', when: 'afterHeaders' },
    });
    api.requests.clear();
    api.watches.cut({ how: 'reset', ...widgets });
    await setN(world, 'a', 2);
    let most = 0;
    await world.until(() => {
      most = Math.max(most, api.watches.list(widgets).length);
      return fault.hits === 20 && api.watches.list(widgets).length === 1;
    }, 3_600_000);
    await createWidget(world, 'b', 1);
    await world.until(() => calls.length === 3);

    expect(fault.hits).toBe(20);
    expect(requests(world, 'watch')).toHaveLength(21);
    // The reflector asks for the server's version in between, and lists nothing.
    expect(requests(world, 'list').length).toBeLessThanOrEqual(10);
    expect(requests(world, 'list').every(({ query }) => query.get('limit') === '1')).toBe(true);
    expect(most).toBe(1);
    expect(api.watches.list(widgets)).toHaveLength(1);
    await world.expectQuiet();
    expect(calls).toEqual(['create a 1', 'update a 2', 'create b 1']);
  });
});

@CustomResource({ group: 'demo.example', version: 'v1', kind: 'Sized', plural: 'sizeds', scope: 'Namespaced' })
class Sized extends KubeObject<{ size: number }> {}

@ResourceHandlers(Sized)
class SizedHandlers {
  readonly handled: string[] = [];

  @OnCreate()
  ensure(@Name() name: string, @Spec('size', ParseIntPipe) size: number): void {
    this.handled.push(`${name} ${size}`);
  }
}

const sizedDefinition = (type: 'string' | 'integer'): Record<string, unknown> => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'sizeds.demo.example' },
  spec: {
    group: 'demo.example',
    scope: 'Namespaced',
    names: { plural: 'sizeds', singular: 'sized', kind: 'Sized' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { size: { type } } } },
          },
        },
      },
    ],
  },
});

describe('objects that are hard to read', () => {
  it("[TC-07] an object that the user's conversion cannot read is backed off alone, the others are served", async () => {
    const world = await openWorld();
    const { api, clock } = world.stage;
    const sized = (name: string, size: unknown): Record<string, unknown> => ({
      apiVersion: 'demo.example/v1',
      kind: 'Sized',
      metadata: { name, namespace: 'default' },
      spec: { size },
    });
    await api.apply(sizedDefinition('string'));
    await api.create(sized('bad', 'x'));
    await api.apply(sizedDefinition('integer'));
    await expect(api.create(sized('worse', 'y'))).rejects.toThrow('spec.size');

    const { module, logs, exit } = await world.startOperator({ providers: [SizedHandlers] });
    const { handled } = module.get(SizedHandlers);
    await api.create(sized('good', 5));
    await world.until(() => handled.length === 1);
    expect(handled).toEqual(['good 5']);

    api.requests.clear();
    await clock.advance(30 * 60_000);
    expect(handled).toEqual(['good 5']);
    const reports = logs.find({ message: 'Handler failed and will be called again' });
    for (const { fields } of reports)
      expect(fields).toMatchObject({ key: 'default/bad', handler: 'SizedHandlers.ensure' });
    // 1 s, doubled up to 5 min, 20 % less at most: no more than that many in half an hour.
    expect(reports.length).toBeGreaterThan(8);
    expect(reports.length).toBeLessThan(20);
    for (const [index, { fields }] of reports.entries()) {
      expect(fields['delay']).toBeGreaterThanOrEqual(0.8 * Math.min(300_000, 1_000 * 2 ** index) - 1);
    }
    const perAttempt = api.requests
      .filter(({ resource }) => resource === 'sizeds')
      .filter(({ verb }) => verb !== 'watch');
    expect(perAttempt.length).toBeLessThan(20);
    expect(exit.exits).toEqual([]);

    await api.patch(
      { apiVersion: 'demo.example/v1', kind: 'Sized', name: 'bad', namespace: 'default' },
      { spec: { size: 7 } },
    );
    await world.until(() => handled.length === 2);
    expect(handled).toEqual(['good 5', 'bad 7']);
    await world.expectQuiet();
  });

  const texts = {
    emoji: '\u{1F469}\u200D\u{1F680}\u{1F1E9}\u{1F1EA}\u{10FFFD}',
    combining: 'e\u0301 a\u0308\u0323 \u1100\u1161\u11A8',
    rightToLeft: '\u0627\u0644\u0639\u0631\u0628\u064A\u0629 \u05E2\u05D1\u05E8\u05D9\u05EA \u200F',
    separators: 'one\u2028two\u2029three',
    mark: '\uFEFFafter the mark\uFEFF',
  };
  const annotations = Object.fromEntries(
    Object.entries(texts).map(([key, value]) => [`text.demo.example/${key}`, value]),
  );
  // 900 KB that no compression and no repetition makes easier.
  const bytes = Buffer.alloc(900 * 1024);
  for (let index = 0, state = 1; index < bytes.length; index += 1) {
    state = (state * 48_271) % 2_147_483_647;
    bytes[index] = state & 255;
  }

  function cutBodies(size: number): void {
    const { send } = UndiciTransport.prototype;
    const spy = vi.spyOn(UndiciTransport.prototype, 'send').mockImplementation(async function (
      this: UndiciTransport,
      request,
    ) {
      const response = await send.call(this, request);
      return request.pool === 'watches' ? { ...response, body: pieces(response.body, size) } : response;
    });
    onTestFinished(() => spy.mockRestore());
  }

  /** Reading a million chunks takes turns of the event loop in which nothing is in flight. Time stands still meanwhile. */
  async function read(done: () => boolean): Promise<void> {
    while (!done()) await new Promise((resolve) => setImmediate(resolve));
  }

  async function* pieces(body: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      for (let at = 0; at < chunk.length; at += size) yield chunk.subarray(at, at + size);
    }
  }

  @ResourceHandlers('secrets')
  class SecretReader {
    readonly calls: string[] = [];
    data: Record<string, string> = {};

    @OnCreate()
    @OnUpdate()
    read({ cause, object, meta }: HandlerContext): void {
      this.calls.push(`${cause} ${meta.name}`);
      if (meta.name === 'big') this.data = object['data'] as Record<string, string>;
    }
  }

  @ResourceHandlers(Widget)
  class TextReader {
    readonly calls: string[] = [];
    seen: Record<string, string> = {};

    @OnCreate()
    @OnUpdate()
    read({ cause, meta }: HandlerContext<Widget>): void {
      this.calls.push(cause);
      this.seen = Object.fromEntries(Object.keys(annotations).map((key) => [key, meta.annotations?.[key] ?? '']));
    }
  }

  it.each([1, 7, 4096])(
    '[TC-08] lines of 900 KB and characters cut apart arrive whole, in chunks of %i bytes',
    async (size) => {
      const world = await openWorld();
      const { api, clock } = world.stage;
      // On the wire where that is fast enough, and everywhere in what the transport hands on.
      api.faults.add({ match: { resource: 'widgets' }, do: { action: 'rechunk', bytes: size } });
      cutBodies(size);
      const { module } = await world.startOperator({ providers: [SecretReader, TextReader] });
      const [secret, text] = [module.get(SecretReader), module.get(TextReader)];
      await api.create({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'big', namespace: 'default' },
        data: { blob: bytes.toString('base64') },
      });
      await api.create({ ...widget('texts', 1), metadata: { name: 'texts', namespace: 'default', annotations } });
      await read(() => secret.calls.length === 1 && text.calls.length === 1);

      expect(Buffer.from(secret.data['blob']!, 'base64').equals(bytes)).toBe(true);
      expect(text.seen).toEqual(annotations);
      expect(JSON.stringify(text.seen)).not.toContain('\uFFFD');

      // Lines come in order: what comes after the echo of the own write has been read after it.
      await api.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'marker', namespace: 'default' } });
      await read(() => secret.calls.length === 2);
      // Read once more, in a whole list: what nobody touched is no change. A million chunks once more would take too long.
      if (size > 1) {
        api.compact();
        api.watches.cut({ how: 'reset' });
        await clock.advance(10_000);
        await api.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'another', namespace: 'default' } });
        await read(() => secret.calls.length === 3);
      }
      await world.expectQuiet();
      expect(secret.calls).toEqual(['create big', 'create marker', ...(size > 1 ? ['create another'] : [])]);
      expect(text.calls).toEqual(['create']);
      const stored = await api.get({ apiVersion: 'v1', kind: 'Secret', name: 'big', namespace: 'default' });
      expect(stored?.['data']).toEqual({ blob: bytes.toString('base64') });
    },
    120_000,
  );
});

describe('a service account token that is rotated', () => {
  async function start() {
    const folder = await mkdtemp(join(tmpdir(), 'token-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const tokenFile = join(folder, 'token');
    await writeFile(tokenFile, 'token-1\n');
    const users = ['administrator', 'token-1', 'token-2'].map((name) => ({ name, token: name }));
    const world = await openWorld({ users });
    const { api } = world.stage;
    const kubeConfig = { ...api.kubeConfig(), users: [{ name: 'administrator', user: { tokenFile } }] };
    const running = await startWithOne(world, { kubeConfig });
    expect(new Set(requests(world, 'watch').map(({ user }) => user))).toEqual(new Set(['token-1']));
    const refuse = () =>
      api.faults.add({ match: { user: 'token-1' }, do: { action: 'answer', status: 401, reason: 'Unauthorized' } });
    return { ...running, world, tokenFile, refuse };
  }

  it('[TC-10] is read again when the server refuses the old one, and nothing is lost', async () => {
    const { world, calls, clock, exit, tokenFile, refuse } = await start();
    const { api } = world.stage;
    await writeFile(tokenFile, 'token-2\n');
    const refused = refuse();
    api.requests.clear();
    api.watches.cut({ how: 'end', resource: 'widgets' });
    await setN(world, 'a', 2);
    await createWidget(world, 'b', 1);
    await world.until(() => calls.length === 3);
    await clock.advance(5_000);
    expect(calls).toEqual(['create a 1', 'update a 2', 'create b 1']);
    expect(refused.hits).toBe(1);
    const users = api.requests.all().map(({ user }) => user);
    expect(users[0]).toBe('token-1');
    expect(new Set(users.slice(1))).toEqual(new Set(['token-2']));
    expect(exit.exits).toEqual([]);
    await world.expectQuiet();
  });

  it('[TC-10] is read regularly, so that a running watch goes on without a refusal', async () => {
    const { world, calls, clock, tokenFile, refuse } = await start();
    const { api } = world.stage;
    await writeFile(tokenFile, 'token-2\n');
    const watching = api.watches.list({ resource: 'widgets' });
    await clock.advance(61_000);
    const refused = refuse();
    api.requests.clear();
    await setN(world, 'a', 2);
    await world.until(() => calls.length === 2);
    await clock.advance(1_000);
    expect(api.watches.list({ resource: 'widgets' }).map(({ user }) => user)).toEqual(watching.map(({ user }) => user));
    expect(refused.hits).toBe(0);
    expect(api.requests.all().map(({ user }) => user)).toContain('token-2');
    await world.expectQuiet();
  });

  it('[TC-10] that is never renewed ends in bounded tries and a code other than zero', async () => {
    const { world, clock, exit, logs, operator, refuse } = await start();
    const { api } = world.stage;
    refuse();
    api.requests.clear();
    api.watches.cut({ how: 'end', resource: 'widgets' });
    const ended = expect(operator.done).rejects.toThrow();
    await clock.advanceUntil(() => exit.exits.length > 0, 10 * 60_000);
    await ended;
    expect(exit.code).toBe(1);
    expect(exit.exits[0]).toBe(1);
    const tries = requests(world, 'watch').length;
    expect(tries).toBeGreaterThan(5);
    // Each try may send the file's token a second time.
    expect(tries).toBeLessThan(60);
    expect(logs.find({ level: 'error' }).some(({ error }) => String(error).includes('401'))).toBe(true);
    expect(JSON.stringify(logs.records)).not.toContain('token-1');
    await world.expectQuiet();
  });
});
