import { describe, expect, it, vi } from 'vitest';
import { Rendering } from '../src/http/rendering.js';
import { Representations } from '../src/pipeline/representations.js';
import { configMap, configMaps, server, widget, widgets } from './support/fixtures.js';
import { WatchStream } from './support/http.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const forms = {
  object: 'application/json',
  metadata: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
};

describe('an event for many watches', () => {
  it.each([
    ['built-in objects', configMaps, configMap('a', { x: 'y' })],
    ['custom objects', widgets, widget('a')],
  ])('is made into bytes once per form, however many there are: %s', async (_, path, object) => {
    const api = await server();
    const ask = (form: keyof typeof forms): Promise<WatchStream> =>
      WatchStream.open(api.url, `${path}?watch=1`, { accept: forms[form] });
    const streams = [
      ...(await Promise.all(Array.from({ length: 60 }, () => ask('object')))),
      ...(await Promise.all(Array.from({ length: 40 }, () => ask('metadata')))),
    ];
    while (api.watches.list().length < 100) await turn();
    const whole = vi.spyOn(Representations.prototype, 'json');
    const partial = vi.spyOn(Rendering.prototype, 'metadata');
    await api.create(object);
    const lines = await Promise.all(streams.map((stream) => stream.next()));
    expect(lines.every(({ type }) => type === 'ADDED')).toBe(true);
    expect(lines.filter(({ object: { kind } }) => kind === 'PartialObjectMetadata')).toHaveLength(40);
    expect([whole.mock.calls.length, partial.mock.calls.length]).toEqual([1, 1]);
    vi.restoreAllMocks();
    for (const stream of streams) stream.close();
  });

  it('reaches each of a thousand watches whole and in order, beside answers of other kinds', async () => {
    const api = await server();
    const streams = await Promise.all(
      Array.from({ length: 1_000 }, () => WatchStream.open(api.url, `${configMaps}?watch=1`)),
    );
    while (api.watches.list().length < 1_000) await turn();
    for (let index = 0; index < 20; index++) await api.create(configMap(`c${index}`, { text: 'ä'.repeat(index * 50) }));
    api.watches.inject('{"type":"BOOKMARK","object":{}}');
    api.watches.cut({ how: 'end' });
    for (const stream of streams) expect(await stream.ended()).toBe('end');
    const first = JSON.stringify(streams[0]!.lines);
    expect(streams[0]!.lines.map(({ object }) => object.metadata?.name as string | undefined)).toEqual([
      ...Array.from({ length: 20 }, (_, index) => `c${index}`),
      undefined,
    ]);
    expect(streams.every(({ lines }) => JSON.stringify(lines) === first)).toBe(true);
  }, 60_000);
});
