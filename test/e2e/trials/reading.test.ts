import 'reflect-metadata';
import { ParseIntPipe } from '@nestjs/common';
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
import { Widget } from '../../support/kinds.js';
import { openWorld } from './open-world.js';
import { widget } from './widgets.js';

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
