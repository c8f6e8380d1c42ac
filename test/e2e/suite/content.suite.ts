import { HandlerContext, OnCreate, OnDelete, OnUpdate, ResourceHandlers, type StoredObject } from 'nestjs-operator';
import { afterAll, describe, expect, test } from 'vitest';
import { configMaps, Widget } from '../../support/kinds.js';
import { isGone } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { World } from '../../support/world.js';

/** The text of the server's answer to a GET: parsed numbers would have lost digits already. */
export type ReadText<W extends World> = (world: W, path: string) => Promise<string>;

// Present since Node 21, not in the TypeScript library that the project compiles against.
const { rawJSON, parse } = JSON as unknown as {
  rawJSON(text: string): unknown;
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
};

/** JSON whose numbers are kept as their source text. */
function parseExactly(text: string): Record<string, unknown> {
  return parse(text, (_key, value, { source }) => (typeof value === 'number' ? `number ${source}` : value)) as Record<
    string,
    unknown
  >;
}

const kilobytes = 900;
const texts = {
  emoji: '\u{1F469}\u200D\u{1F680} \u{1F1E9}\u{1F1EA}',
  separators: 'one\u2028two\u2029three\u0085four',
  combining: 'e\u0301 \u1100\u1161\u11A8',
  rightToLeft: '\u05E2\u05D1\u05E8\u05D9\u05EA \u200F',
  mark: '\uFEFFmarked',
  escapes: '"\\/\b\f\n\r\t<>&\u007F',
};
const annotations = { 'texts.demo.example/odd.key_with-all': Object.values(texts).join(' ') };

/** Keys that readers of dotted paths, of JSON pointers and of prototypes would stumble over, and values that mergers would. */
function oddSpec(filler: string): Record<string, unknown> {
  const spec: Record<string, unknown> = {
    texts,
    filler,
    'key.with.dots': { 'and/slash': 1, 'and~tilde': 2, '': 'empty' },
    nothing: null,
    nested: { nothing: null, list: [null, { nothing: null }, []], empty: {} },
    constructor: 'an own property',
    big: rawJSON('9007199254740993'),
    numbers: { list: [rawJSON('-9223372036854775808'), rawJSON('9223372036854775807')], half: 0.5 },
  };
  Object.defineProperty(spec, '__proto__', { value: { polluted: true }, enumerable: true });
  return spec;
}

/** What a handler sees of it: big integers are the doubles next to them. */
const seenAs = (spec: unknown): unknown => JSON.parse(JSON.stringify(spec));

@ResourceHandlers(Widget)
class OddHandlers {
  readonly calls: string[] = [];
  readonly specs: unknown[] = [];
  readonly olds: unknown[] = [];
  readonly annotations: unknown[] = [];

  @OnCreate()
  @OnUpdate()
  ensure(ctx: HandlerContext<Widget>): object {
    this.calls.push(`${ctx.cause} ${ctx.meta.name}`);
    this.specs.push(ctx.spec);
    this.olds.push((ctx.old as { spec?: unknown } | undefined)?.spec);
    this.annotations.push(ctx.meta.annotations?.[Object.keys(annotations)[0]!]);
    // A function is folded into the patch by comparing whole objects, the odd parts included.
    ctx.patch.update((object) => {
      object.metadata.labels = { ...object.metadata.labels, handled: ctx.cause };
    });
    return { texts: ctx.spec['texts'], nested: { 'key.with.dots': true } };
  }

  @OnDelete()
  remove(ctx: HandlerContext<Widget>): void {
    this.calls.push(`delete ${ctx.meta.name}`);
  }
}

@ResourceHandlers('configmaps')
class OddConfigMaps {
  readonly calls: string[] = [];
  data: unknown;

  @OnCreate({ labels: { suite: 'content' } })
  @OnUpdate({ labels: { suite: 'content' } })
  read({ cause, object }: HandlerContext): void {
    this.calls.push(cause);
    this.data = object['data'];
  }
}

/** Objects with odd content pass through unharmed: handlers see it, and the operator's own writes leave it as it is. */
export function contentSuite<W extends World>(createWorld: () => Promise<W>, readText: ReadText<W>): void {
  describe('odd content', () => {
    const worlds = new OpenWorlds<W>(createWorld);
    afterAll(() => worlds.close());

    test.each([
      ['whose state fits into the record', 'small', ''],
      [`of ${kilobytes} KB`, 'large', 'x'.repeat(kilobytes * 1024)],
    ])('passes through unharmed in a custom object %s', async (_title, name, filler) => {
      const world = await worlds.open();
      const { module, transport, logs } = await world.startOperator({ providers: [OddHandlers] });
      const handlers = module.get(OddHandlers);
      const ref = { name, namespace: world.namespace };
      const path = `/apis/demo.example/v1/namespaces/${world.namespace}/widgets/${name}`;
      const read = async (): Promise<Record<string, unknown>> => parseExactly(await readText(world, path));
      const spec = oddSpec(filler);
      const isStored = async (cause: string): Promise<boolean> =>
        (await world.admin.get(Widget, ref)).metadata.labels?.['handled'] === cause;

      await world.admin.create(Widget, { metadata: { ...ref, annotations }, spec });
      await world.until(() => isStored('create'));
      const exact = parseExactly(JSON.stringify({ spec }));
      const created = await read();
      expect(created['spec']).toEqual(exact['spec']);
      expect(created['status']).toEqual({ texts, nested: { 'key.with.dots': true } });
      expect((created['metadata'] as StoredObject['metadata']).annotations).toMatchObject(annotations);
      expect(handlers.specs[0]).toEqual(seenAs(spec));
      expect(Object.keys(handlers.specs[0] as object)).toContain('__proto__');
      expect(handlers.annotations[0]).toBe(Object.values(annotations)[0]);

      await world.admin.patch(Widget, ref, { spec: { more: 1 } });
      await world.until(() => isStored('update'));
      const updated = await read();
      expect(updated['spec']).toEqual({ ...(exact['spec'] as object), more: 'number 1' });
      expect(handlers.specs[1]).toEqual({ ...(seenAs(spec) as object), more: 1 });
      if (filler === '') expect(handlers.olds[1]).toEqual(seenAs(spec));

      await world.pass(3_000);
      expect(handlers.calls).toEqual([`create ${name}`, `update ${name}`]);
      const sent = JSON.stringify(transport.writes.map(({ body }) => body));
      expect(sent).not.toContain(filler === '' ? '\uFFFD' : filler);
      await world.admin.delete(Widget, ref);
      await world.until(() => isGone(world.admin, Widget, ref));
      expect(handlers.calls.at(-1)).toBe(`delete ${name}`);
      expect(logs.find({ level: 'error' })).toEqual([]);
    });

    test(`passes through unharmed in a ConfigMap of ${kilobytes} KB`, async () => {
      const world = await worlds.open();
      const { module, logs } = await world.startOperator({ providers: [OddConfigMaps] });
      const handlers = module.get(OddConfigMaps);
      const ref = { name: 'odd', namespace: world.namespace };
      const data = {
        ...Object.fromEntries(Object.entries(texts).map(([key, text]) => [`${key}.file.txt`, text])),
        filler: 'x'.repeat(kilobytes * 1024),
        numbers: '{"big": 9007199254740993}',
      };
      const metadata = { ...ref, annotations, labels: { suite: 'content' } };
      await world.admin.create(configMaps as { apiVersion: string; kind: string }, { metadata, data } as never);
      await world.until(() => handlers.calls.length === 1);
      expect(handlers.data).toEqual(data);
      await world.admin.patch(configMaps, ref, { data: { filler: 'less' } });
      await world.until(() => handlers.calls.length === 2);
      expect(handlers.data).toEqual({ ...data, filler: 'less' });
      await world.pass(3_000);
      expect(handlers.calls).toEqual(['create', 'update']);
      const stored = parseExactly(await readText(world, `/api/v1/namespaces/${world.namespace}/configmaps/odd`));
      expect(stored['data']).toEqual({ ...data, filler: 'less' });
      expect(logs.find({ level: 'error' })).toEqual([]);
    });

    test('leads to no write when nothing changes', () => worlds.expectQuiet());
  });
}
