import { describe, expect, it } from 'vitest';
import { TemporaryError } from '../../../src/errors/temporary.error.js';
import type { RecordOwner, RecordStore } from '../../../src/engine/persistence/record-store.js';
import { FakeServer } from './fake-server.js';
import { gate, on, ProcessingRig, type RigOptions } from './rig.js';

const handlers: RigOptions['handlers'] = [{ id: 'ensure', triggers: [on.create(), on.update()] }];

function statusRecord({ object }: ProcessingRig): string | undefined {
  const status = object['status'] as { nestjsOperator?: Record<string, string> } | undefined;
  return status?.nestjsOperator?.['op.example'];
}

function annotated({ object, records }: ProcessingRig): string | undefined {
  return object.metadata.annotations?.[records.annotation];
}

/** Records in memory, with what was asked for. */
class MemoryStore implements RecordStore {
  readonly records = new Map<string, string>();
  readonly asked: string[] = [];
  /** Comes before a call, and may fail or hold it. */
  before: (call: string, owner: RecordOwner | undefined) => unknown = () => undefined;

  async load(owner: RecordOwner): Promise<string | undefined> {
    await this.#note('load', owner);
    return this.records.get(owner.uid);
  }

  async save(owner: RecordOwner, record: string): Promise<void> {
    await this.#note('save', owner);
    this.records.set(owner.uid, record);
  }

  async remove(owner: RecordOwner): Promise<void> {
    await this.#note('remove', owner);
    this.records.delete(owner.uid);
  }

  async #note(call: string, owner: RecordOwner): Promise<void> {
    this.asked.push(call);
    await this.before(call, owner);
  }
}

describe('records in the status', () => {
  it('go out with what a handler returns, in one request, and leave no annotation', async () => {
    const rig = new ProcessingRig({
      handlers: [{ id: 'ensure', triggers: [on.create(), on.update()], run: () => ({ done: true }) }],
      store: 'status',
    });
    await rig.create({ spec: { n: 1 } });
    expect(rig.server.writes.map(({ what }) => what)).toEqual(['status']);
    expect(annotated(rig)).toBeUndefined();
    expect(JSON.parse(statusRecord(rig) as string)).toMatchObject({ v: 1, uid: rig.object.metadata.uid });
    expect(rig.object['status']).toMatchObject({ done: true });
    await rig.change({ spec: { n: 2 } });
    await rig.advance(60_000);
    expect(rig.causes).toEqual(['ensure create', 'ensure update']);
    expect(rig.calls[1]?.old).toEqual({ spec: { n: 1 } });

    const next = new ProcessingRig({ handlers, store: 'status', server: rig.server });
    await next.list();
    await next.advance(60_000);
    expect(next.causes).toEqual([]);
  });

  it('go out after everything else that handlers want changed', async () => {
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'ensure',
          triggers: [on.create()],
          run: (ctx) => {
            ctx.patch.merge({ metadata: { labels: { seen: 'yes' } } });
            return { done: true };
          },
        },
      ],
      store: 'status',
    });
    rig.server.intercept(({ path }) => (path.endsWith('/status') ? new Error('The connection broke.') : undefined));
    await rig.create();
    expect(rig.object.metadata.labels).toMatchObject({ seen: 'yes' });
    expect(rig.object['status']).toBeUndefined();
    expect(rig.causes).toEqual(['ensure create']);
  });

  it('are no part of what handlers of the status watch, whoever keeps them', async () => {
    const rig = new ProcessingRig({ handlers: [{ id: 'watch', triggers: [on.field('status')] }], store: 'status' });
    await rig.create({ status: { phase: 'New' } });
    await rig.change({ status: { ...(rig.object['status'] as object), phase: 'Old' } });
    const status = rig.object['status'] as { nestjsOperator: Record<string, string> };
    const others = { ...status.nestjsOperator, 'other.example': '{"v":1}' };
    await rig.change({ status: { ...status, nestjsOperator: others } });
    await rig.advance(60_000);
    expect(rig.causes).toEqual(['watch create', 'watch update']);
    expect(rig.calls[1]).toMatchObject({ old: { phase: 'New' }, new: { phase: 'Old' } });
    // Each keeps to its own.
    expect((rig.object['status'] as typeof status).nestjsOperator['other.example']).toBe('{"v":1}');
  });

  it('stay when a handler removes the whole status', async () => {
    const rig = new ProcessingRig({
      handlers: [{ id: 'wipe', triggers: [on.create()], run: ({ patch }) => patch.merge({ status: null } as object) }],
      store: 'status',
    });
    await rig.create({ status: { phase: 'New', nestjsOperator: { 'other.example': 'kept' } } });
    expect(rig.object['status']).toEqual({
      nestjsOperator: { 'other.example': 'kept', 'op.example': statusRecord(rig) },
    });
    expect(rig.messages('error')).toEqual([]);
  });

  it('that the schema drops are kept in annotations, with a warning and no second call', async () => {
    const server = new FakeServer();
    server.prunes = (object) => {
      const { nestjsOperator: _dropped, ...status } = (object['status'] ?? {}) as Record<string, unknown>;
      return object['status'] === undefined ? object : { ...object, status };
    };
    const rig = new ProcessingRig({ handlers, store: 'status', server });
    await rig.create({ spec: { n: 1 } });
    await rig.advance(120_000);
    expect(rig.causes).toEqual(['ensure create']);
    expect(annotated(rig)).toBeDefined();
    expect(rig.logs.filter(({ level }) => level === 'warn')).toMatchObject([
      {
        message: 'The server drops records from the status; they are kept in annotations instead',
        fields: { definition: 'widgets.demo.example', field: 'status.nestjsOperator' },
      },
    ]);
    const written = rig.server.writes.length;
    await rig.change({ spec: { n: 2 } });
    expect(rig.server.writes.length).toBe(written + 1);

    const next = new ProcessingRig({ handlers, store: 'status', server });
    await next.list();
    await next.advance(60_000);
    expect(next.causes).toEqual([]);
    await next.change({ spec: { n: 3 } });
    await next.advance(60_000);
    expect(next.causes).toEqual(['ensure update']);
    expect(JSON.parse(annotated(next) as string)).toMatchObject({ s: [{ e: { spec: { n: 3 } } }] });
  });

  it('that somebody strips are written back, in no hurry', async () => {
    const rig = new ProcessingRig({ handlers, store: 'status' });
    await rig.create();
    await rig.change({ status: {} });
    expect(statusRecord(rig)).toBeDefined();
    await rig.change({ status: {} });
    expect(statusRecord(rig)).toBeUndefined();
    await rig.advance(30_000);
    expect(statusRecord(rig)).toBeDefined();
    expect(rig.causes).toEqual(['ensure create']);
    expect(rig.events.map(({ reason, message }) => [reason, message])).toMatchObject([
      ['RecordRemoved', expect.stringContaining('status.nestjsOperator')],
      ['RecordRemoved', expect.anything()],
    ]);
  });
});

describe('records in both places', () => {
  it('are written to both, and read from either', async () => {
    for (const lost of ['status', 'annotation'] as const) {
      const rig = new ProcessingRig({ handlers, store: 'both' });
      await rig.create({ spec: { n: 1 } });
      expect(annotated(rig)).toBe(statusRecord(rig));
      expect(annotated(rig)).toBeDefined();
      await rig.stop();
      if (lost === 'status') await rig.change({ status: {} }, { silent: true });
      else await rig.change({ metadata: { annotations: {} } }, { silent: true });
      const next = new ProcessingRig({ handlers, store: 'both', server: rig.server });
      await next.list();
      await next.advance(60_000);
      expect(next.causes).toEqual([]);
      await next.change({ spec: { n: 2 } });
      expect(next.causes).toEqual(['ensure update']);
      expect(annotated(next)).toBe(statusRecord(next));
    }
  });
});

describe('a change of the store', () => {
  const places = ['annotations', 'status', 'both'] as const;
  const moves = places.flatMap((from) => places.filter((to) => to !== from).map((to) => ({ from, to })));

  it.each(moves)('from $from to $to takes records over and leaves none behind', async ({ from, to }) => {
    const rig = new ProcessingRig({ handlers, store: from });
    await rig.create({ spec: { n: 1 } });
    await rig.stop();
    const next = new ProcessingRig({ handlers, store: to, server: rig.server });
    await next.list();
    await next.advance(60_000);
    // Nothing to do, nothing to write.
    expect(next.causes).toEqual([]);
    const written = next.server.writes.length;
    await next.advance(60_000);
    expect(next.server.writes.length).toBe(written);
    await next.change({ spec: { n: 2 } });
    expect(next.causes).toEqual(['ensure update']);
    expect(next.calls[0]?.old).toEqual({ spec: { n: 1 } });
    expect(annotated(next) !== undefined).toBe(to !== 'status');
    expect(statusRecord(next) !== undefined).toBe(to !== 'annotations');
  });

  it('to a store of the application takes records over from the object', async () => {
    const rig = new ProcessingRig({ handlers });
    await rig.create({ spec: { n: 1 } });
    await rig.stop();
    const store = new MemoryStore();
    const next = new ProcessingRig({ handlers, store, server: rig.server });
    await next.list();
    await next.change({ spec: { n: 2 } });
    expect(next.causes).toEqual(['ensure update']);
    expect(annotated(next)).toBeUndefined();
    expect(store.records.size).toBe(1);
  });
});

describe('records in a store of the application', () => {
  it('are asked for once, saved after each outcome, and never stand on the object', async () => {
    const store = new MemoryStore();
    const rig = new ProcessingRig({ handlers, store });
    await rig.create({ spec: { n: 1 } });
    expect(rig.server.writes).toEqual([]);
    expect(store.asked).toEqual(['load', 'save']);
    await rig.change({ spec: { n: 2 } });
    expect(store.asked).toEqual(['load', 'save', 'save']);
    await rig.stop();
    const next = new ProcessingRig({ handlers, store, server: rig.server });
    await next.list();
    await next.advance(60_000);
    expect(next.causes).toEqual([]);
    expect(store.asked.slice(3)).toEqual(['load']);
    await next.change({ spec: { n: 3 } });
    expect(next.calls[0]?.old).toEqual({ spec: { n: 2 } });
  });

  it('are saved after what handlers want changed', async () => {
    const store = new MemoryStore();
    const seen: unknown[] = [];
    const rig = new ProcessingRig({
      handlers: [{ id: 'ensure', triggers: [on.create()], run: () => ({ done: true }) }],
      store,
    });
    store.before = (call) => call === 'save' && seen.push(rig.object['status']);
    await rig.create();
    expect(seen).toEqual([{ done: true }]);
  });

  it('a store that fails throttles the object; what succeeded is not done again, and other objects go on', async () => {
    const store = new MemoryStore();
    let down = true;
    store.before = (call, owner) => {
      if (down && call === 'save' && owner?.name === 'a') throw new Error('The database is away.');
    };
    const rig = new ProcessingRig({
      handlers: [{ id: 'ensure', triggers: [on.create()], run: () => ({ done: true }) }],
      store,
    });
    await rig.create({ name: 'a', uid: 'one' });
    await rig.create({ name: 'b', uid: 'two' });
    expect(store.records.size).toBe(1);
    await rig.advance(3_500);
    expect(rig.causes).toEqual(['ensure create', 'ensure create']);
    const errors = rig.logs.filter(({ level }) => level === 'error');
    expect(errors.map(({ message, fields }) => [message, fields['delay']])).toEqual([
      ['Processing an object failed; it is throttled', 1_000],
      ['Processing an object failed; it is throttled', 1_000],
      ['Processing an object failed; it is throttled', 2_000],
    ]);
    expect(errors[0]?.error).toMatchObject({
      code: 'OPERATOR_RECORD_STORE',
      operation: 'save',
      cause: { message: 'The database is away.' },
    });
    // The patch of the handler went out once.
    expect(rig.server.writes.length).toBe(2);
    down = false;
    await rig.advance(10_000);
    expect(store.records.size).toBe(2);
    expect(rig.causes).toHaveLength(2);
  });

  it('no handler runs before the record is known', async () => {
    const store = new MemoryStore();
    let down = true;
    store.before = (call) => {
      if (down && call === 'load') throw new Error('The database is away.');
    };
    const rig = new ProcessingRig({ handlers, store });
    await rig.create();
    await rig.advance(3_500);
    expect(rig.causes).toEqual([]);
    down = false;
    await rig.advance(10_000);
    expect(rig.causes).toEqual(['ensure create']);
  });

  it('a store that does not answer is given up after the time of a request', async () => {
    const store = new MemoryStore();
    const held = gate();
    store.before = (call) => (call === 'load' ? held.promise : undefined);
    const rig = new ProcessingRig({ handlers, store });
    await rig.create();
    await rig.advance(30_000);
    expect(rig.logs.filter(({ level }) => level === 'error')).toMatchObject([
      { error: { code: 'OPERATOR_RECORD_STORE', operation: 'load' } },
    ]);
    held.open();
    await rig.advance(2_000);
    expect(rig.causes).toEqual(['ensure create']);
  });

  it('are removed when the object is gone, and that is tried until it succeeds', async () => {
    const store = new MemoryStore();
    let failures = 3;
    store.before = (call) => {
      if (call === 'remove' && failures > 0) {
        failures -= 1;
        throw new Error('The database is away.');
      }
    };
    const rig = new ProcessingRig({ handlers, store });
    await rig.create();
    await rig.delete();
    await rig.advance(3_000);
    expect(store.records.size).toBe(1);
    await rig.advance(2_000);
    expect(store.records.size).toBe(0);
    expect(store.asked.filter((call) => call === 'remove')).toHaveLength(4);
    await rig.advance(60_000);
    expect(store.asked.filter((call) => call === 'remove')).toHaveLength(4);
  });

  it('of an object that was replaced is removed, that of its successor is not', async () => {
    const store = new MemoryStore();
    const rig = new ProcessingRig({ handlers, store });
    const first = await rig.create({ uid: 'one' });
    await rig.delete();
    await rig.create({ uid: 'two' });
    await rig.advance(5_000);
    expect([...store.records.keys()]).toEqual(['two']);
    expect(first.metadata.uid).toBe('one');
    expect(rig.causes).toEqual(['ensure create', 'ensure create']);
  });

  it('of objects that went while no operator ran are removed once the store lists them', async () => {
    const store = new MemoryStore();
    const rig = new ProcessingRig({ handlers, store });
    await rig.create({ uid: 'living' });
    store.records.set('dead', 'of old');
    const owner = (name: string, uid: string): RecordOwner => ({
      operator: 'op.example',
      group: 'demo.example',
      plural: 'widgets',
      namespace: 'ns',
      name,
      uid,
    });
    rig.processor.sweep([owner('a', 'living'), owner('a', 'dead'), owner('gone', 'never')]);
    await rig.advance(1_000);
    expect([...store.records.keys()]).toEqual(['living']);
  });

  it('holds the attempts of a failing handler across a restart', async () => {
    const store = new MemoryStore();
    const fail = (): never => {
      throw new TemporaryError('Not yet.', { delay: '5s' });
    };
    const failing: RigOptions['handlers'] = [{ id: 'ensure', triggers: [on.create()], run: fail }];
    const rig = new ProcessingRig({ handlers: failing, store });
    await rig.create();
    await rig.stop();
    const next = new ProcessingRig({ handlers: failing, store, server: rig.server });
    await next.list();
    await next.advance(6_000);
    expect(next.calls.map(({ retry }) => retry)).toEqual([1]);
  });
});
