import { afterEach, describe, expect, test } from 'vitest';
import type { HandlerContext } from '../../../src/engine/handling/handler-context.js';
import { defineMemo } from '../../../src/engine/handling/object-memo.js';
import type { StoredObject } from '../../../src/engine/kube-object.js';
import { on, ProcessingRig, type RigOptions } from './rig.js';

let rig: ProcessingRig;
const start = (options: RigOptions): ProcessingRig => (rig = new ProcessingRig(options));
afterEach(() => rig.stop());

describe('a condition that throws', () => {
  test.each([
    ['when', { when: () => fail() }],
    ['labels app', { labels: { app: () => fail() } }],
    ['annotations note', { annotations: { note: () => fail() } }],
    ['value', { field: ['spec', 'size'], value: () => fail() }],
  ])('%s: names its handler, throttles the object, and holds nobody else back', async (option, filter) => {
    start({ handlers: [{ id: 'picky', triggers: [on.create(filter)] }] });
    await rig.create({ spec: { size: 1 } });
    const [record] = rig.logs.filter(({ level }) => level === 'error');
    expect(record?.error).toMatchObject({ message: 'no such thing' });
    expect(record?.fields).toMatchObject({ handler: 'Tests.picky', condition: option });
    expect(rig.processor.throttled).toBe(1);
    expect(rig.fatals).toEqual([]);
  });
});

function fail(): never {
  throw new Error('no such thing');
}

describe('former ids of a handler', () => {
  test('lead to its progress: nothing runs again, and what was open goes on', async () => {
    let failing = true;
    const run = (): void => {
      if (failing) throw new Error('not yet');
    };
    const before: RigOptions = {
      handlers: [
        { id: 'done', triggers: [on.create(), on.update()] },
        { id: 'open', triggers: [on.create()], policy: { backoff: () => 60_000 }, run },
      ],
    };
    start(before);
    await rig.create({ spec: { size: 1 } });
    const { server } = rig;
    await rig.stop();

    failing = false;
    start({
      server,
      handlers: [
        { id: 'finished', formerIds: ['done'], triggers: [on.create(), on.update()] },
        {
          id: 'ongoing',
          formerIds: ['ancient', 'open'],
          triggers: [on.create()],
          policy: { backoff: () => 60_000 },
          run,
        },
      ],
    });
    await rig.list();
    expect(rig.causes).toEqual([]);
    await rig.advance(80_000);
    expect(rig.calls.map(({ handler, cause, retry }) => [handler, cause, retry])).toEqual([['ongoing', 'create', 1]]);
    await rig.change({ spec: { size: 2 } });
    expect(rig.causes).toEqual(['ongoing create', 'finished update']);
    expect(JSON.stringify(rig.record)).not.toMatch(/"(done|open|ancient)"/);
  });
});

describe('the parameter of a decorator', () => {
  test('is handed to the method as it is', async () => {
    const param = { factor: 3 };
    let seen: unknown;
    start({
      handlers: [{ id: 'made', param, triggers: [on.create()], run: (context) => void (seen = context.param) }],
    });
    await rig.create();
    expect(seen).toBe(param);
  });
});

describe('a typed memo', () => {
  test('is made for each object at its first use, and shared by its handlers', async () => {
    const seen = defineMemo(() => new Set<string>());
    const sizes: number[] = [];
    const note = (name: string) => (context: HandlerContext<StoredObject>) => {
      sizes.push(context.memo.of(seen).add(name).size);
    };
    start({
      handlers: [
        { id: 'one', triggers: [on.create()], run: note('one') },
        { id: 'two', triggers: [on.create()], run: note('two') },
      ],
    });
    await rig.create();
    await rig.create({ name: 'b', uid: 'u-b' });
    expect(sizes).toEqual([1, 2, 1, 2]);
  });
});

describe('fields that the server drops', () => {
  test('are named once, with their definition', async () => {
    start({
      handlers: [
        {
          id: 'made',
          triggers: [on.create(), on.update()],
          run: ({ patch }) => {
            patch.merge({ metadata: { labels: { kept: 'yes' } } });
            return { known: 1, pruned: { deep: 1 }, none: null, list: [] };
          },
        },
      ],
    });
    rig.server.prunes = (object) => {
      const status = object['status'] as Record<string, unknown> | undefined;
      if (status === undefined) return object;
      const { pruned: _pruned, ...kept } = status;
      return { ...object, status: kept };
    };
    await rig.create({ spec: { size: 1 } });
    await rig.change({ spec: { size: 2 } });
    const told = rig.logs.filter(({ message }) => message.startsWith('The server drops fields'));
    expect(told.map(({ fields }) => fields)).toMatchObject([
      { definition: 'widgets.demo.example', fields: ['/status/pruned'] },
    ]);
  });
});
