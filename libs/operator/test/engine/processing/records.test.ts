import { describe, expect, it } from 'vitest';
import { TemporaryError } from '../../../src/errors/temporary.error.js';
import { widgets } from '../watching/support.js';
import { apiError } from './fake-server.js';
import { on, ProcessingRig, type TestHandler } from './rig.js';

const ensure: readonly TestHandler[] = [{ id: 'ensure', triggers: [on.create(), on.update()] }];
const annotation = 'op.example/nestjs-operator.widgets';

const strip = (rig: ProcessingRig): Promise<void> => rig.change({ metadata: { annotations: {} } });

describe('a record that somebody strips', () => {
  it('is written back once at once, then no more than every 30 s; creation runs once', async () => {
    const rig = new ProcessingRig({ handlers: ensure });
    await rig.create();
    const times: number[] = [];
    rig.server.intercept(({ verb }) => void (verb === 'patch' && times.push(rig.clock.monotonic())));
    for (let second = 0; second < 100; second += 1) {
      if (rig.record !== undefined) await strip(rig);
      await rig.advance(1_000);
    }
    expect(times).toEqual([0, 30_000, 60_000, 90_000]);
    expect(rig.causes).toEqual(['ensure create']);
    expect(rig.events[0]).toMatchObject({ type: 'Warning', reason: 'RecordRemoved' });
  });

  it('does not slow down what comes after it was left alone, nor other patches meanwhile', async () => {
    const rig = new ProcessingRig({
      handlers: [
        { id: 'ensure', triggers: [on.create(), on.update()], run: ({ object }) => ({ saw: object['spec'] }) },
      ],
    });
    await rig.create({ spec: 1 });
    await strip(rig);
    expect(rig.record).toBeDefined();
    await strip(rig);
    await rig.change({ spec: 2 });
    expect([rig.object['status'], rig.record]).toEqual([{ saw: 2 }, undefined]);
    await rig.advance(30_000);
    expect(rig.record).toMatchObject({ s: [{ e: { spec: 2 } }] });
    await rig.change({ spec: 3 });
    expect(rig.record).toMatchObject({ s: [{ e: { spec: 3 } }] });
    expect(rig.causes).toEqual(['ensure create', 'ensure update', 'ensure update']);
  });
});

describe('a record', () => {
  it('of another object, or one that cannot be read, is none', async () => {
    const rig = new ProcessingRig({ handlers: ensure });
    await rig.create();
    const copied = rig.object.metadata.annotations ?? {};
    await rig.create({ name: 'b', uid: 'b', metadata: { annotations: copied } });
    await rig.create({
      name: 'c',
      uid: 'c',
      metadata: { annotations: { [annotation]: '{"v":1,"uid":"c","s":[null]}' } },
    });
    await rig.advance(5_000);
    expect(rig.causes).toEqual(['ensure create', 'ensure create', 'ensure create']);
  });

  it('under a former name of the operator is taken over and moved', async () => {
    const before = new ProcessingRig({ handlers: ensure });
    await before.create();
    const after = new ProcessingRig({
      handlers: ensure,
      server: before.server,
      config: { name: 'new.example', formerNames: ['op.example'] },
    });
    await after.list();
    await after.change({ spec: { n: 2 } });
    expect(after.causes).toEqual(['ensure update']);
    expect(Object.keys(after.object.metadata.annotations ?? {})).toEqual(['new.example/nestjs-operator.widgets']);
  });

  it('lets a new handler take over what the others have handled', async () => {
    const before = new ProcessingRig({ handlers: [...ensure, { id: 'remove', triggers: [on.delete()] }] });
    await before.create({ spec: 1 });
    const after = new ProcessingRig({
      handlers: [
        ...ensure,
        { id: 'remove', triggers: [on.create(), on.update(), on.delete()] },
        { id: 'added', triggers: [on.create(), on.update()] },
      ],
      server: before.server,
    });
    await after.list();
    expect(after.causes).toEqual([]);
    await after.change({ spec: 2 });
    expect(after.calls.map(({ handler, cause, old }) => [handler, cause, old])).toEqual(
      ['ensure', 'remove', 'added'].map((handler) => [handler, 'update', { spec: 1 }]),
    );
  });

  it('keeps one state however many handlers there are, when they have handled the same', async () => {
    const rig = new ProcessingRig({
      handlers: [
        ...ensure,
        ...['a', 'b', 'c'].map((name) => ({ id: name, triggers: [on.update({ field: ['spec', name] })] })),
      ],
    });
    await rig.create({ spec: { a: 1, b: 1, c: 1 } });
    await rig.change({ spec: { a: 2, b: 1, c: 1 } });
    await rig.change({ spec: { a: 2, b: 3, c: 1 } });
    expect(rig.record).toMatchObject({ s: [{ e: { spec: { a: 2, b: 3, c: 1 } } }], d: 0 });
    expect(rig.record).not.toHaveProperty('h');
    expect(rig.causes).toEqual(['ensure create', 'ensure update', 'a update', 'ensure update', 'b update']);
  });

  it('that finds no room is kept in memory, with one warning', async () => {
    const rig = new ProcessingRig({ handlers: ensure });
    await rig.create({ metadata: { annotations: { big: 'x'.repeat(256 * 1_024 - 400) } }, spec: 1 });
    await rig.change({ spec: 2 });
    await rig.change({ spec: 3 });
    await rig.advance(60_000);
    expect(rig.calls.map(({ cause, old }) => [cause, (old as { spec: number } | undefined)?.spec])).toEqual([
      ['create', undefined],
      ['update', 1],
      ['update', 2],
    ]);
    expect(rig.server.writes).toEqual([]);
    expect(rig.events.map(({ type, reason }) => [type, reason])).toEqual([['Warning', 'NoRoomForRecord']]);
    await rig.change({ metadata: { annotations: {} }, spec: 4 });
    expect(rig.record).toMatchObject({ s: [{ e: { spec: 4 } }] });
  });

  it('counts as written also while the store does not take the answer', async () => {
    const rig = new ProcessingRig({ handlers: ensure });
    rig.store.writeThrough = () => 'ignored';
    await rig.create({ spec: 1 });
    await rig.advance(60_000);
    expect([rig.causes, rig.server.writes.length]).toEqual([['ensure create'], 1]);
  });
});

describe('a record of another version of the resource', () => {
  const older = { ...widgets, version: 'v1beta1' };
  const handlers: readonly TestHandler[] = [
    ...ensure,
    { id: 'size', triggers: [on.update({ field: ['spec', 'size'] })] },
    {
      id: 'retried',
      triggers: [on.update({ field: ['spec', 'other'] })],
      run: () => {
        throw new TemporaryError('later', { delay: 60_000 });
      },
    },
  ];

  /** The server converts: `spec.size` is `spec.sizeInGi` in the older version. */
  async function migrate(change: Record<string, unknown>, { served = true } = {}): Promise<ProcessingRig> {
    const before = new ProcessingRig({ handlers, resource: older });
    await before.create({ apiVersion: 'demo.example/v1beta1', spec: { sizeInGi: 1, other: 1 } });
    const { annotations } = before.object.metadata;
    const stored = { ...before.object, spec: { sizeInGi: 1, other: 1, ...change } };
    before.server.objects.set('ns/a', {
      ...stored,
      apiVersion: 'demo.example/v1',
      spec: { size: `${(stored.spec as { sizeInGi: number }).sizeInGi}Gi`, other: stored.spec.other },
      metadata: { ...stored.metadata, ...(annotations === undefined ? {} : { annotations }) },
    });
    const after = new ProcessingRig({ handlers, server: before.server });
    after.server.intercept((request) => {
      if (!request.path.includes('/v1beta1/')) return undefined;
      return served ? { ...stored, metadata: after.object.metadata } : apiError(404, request, 'NotFound');
    });
    after.server.requests.length = 0;
    await after.list();
    return after;
  }

  it('is compared in that version: what has not changed counts as handled', async () => {
    const rig = await migrate({});
    await rig.advance(60_000);
    expect(rig.causes).toEqual([]);
    expect(rig.server.requests.map(({ verb }) => verb)).toEqual(['get', 'patch']);
    expect(rig.record).toMatchObject({ api: 'demo.example/v1', s: [{ e: { spec: { size: '1Gi', other: 1 } } }] });
    await rig.change({ spec: { size: '2Gi', other: 1 } });
    expect(rig.calls.map(({ handler, old }) => [handler, old])).toEqual([
      ['ensure', { spec: { size: '1Gi', other: 1 } }],
      ['size', '1Gi'],
    ]);
  });

  it('makes what has changed due as an update without old', async () => {
    const rig = await migrate({ other: 2 });
    expect(rig.calls.map(({ handler, cause, old }) => [handler, cause, old])).toEqual([
      ['ensure', 'update', undefined],
      ['size', 'update', undefined],
      ['retried', 'update', undefined],
    ]);
  });

  it('gives way to the present state, with an event, when that version is not served any more', async () => {
    const rig = await migrate({ sizeInGi: 5, other: 2 }, { served: false });
    await rig.advance(60_000);
    expect(rig.causes).toEqual([]);
    expect(rig.events).toMatchObject([{ type: 'Normal', reason: 'RecordRebased' }]);
    expect(rig.record).toMatchObject({ api: 'demo.example/v1', s: [{ e: { spec: { size: '5Gi', other: 2 } } }] });
  });
});
