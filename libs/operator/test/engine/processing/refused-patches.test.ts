import { describe, expect, it } from 'vitest';
import { apiError } from './fake-server.js';
import { on, ProcessingRig, type TestHandler } from './rig.js';

/** A rig whose server refuses writes for as long as it is told to. */
function refusingRig(handlers: readonly TestHandler[]): { rig: ProcessingRig; refuse: (does: boolean) => void } {
  const rig = new ProcessingRig({ handlers });
  let refuses = true;
  rig.server.intercept((request) => (refuses && request.verb === 'patch' ? apiError(422, request) : undefined));
  return { rig, refuse: (does) => (refuses = does) };
}

const spec = (of: { readonly object: unknown }): Record<string, unknown> =>
  (of.object as { spec?: Record<string, unknown> }).spec ?? {};

describe('while the server refuses what a handler wants changed', () => {
  it('the failed attempts of a creation are counted on', async () => {
    const { rig } = refusingRig([
      {
        id: 'ensure',
        triggers: [on.create(), on.update()],
        run: ({ patch }) => {
          patch.merge({ spec: { mark: 'by the handler' } });
          throw new Error('not yet');
        },
      },
    ]);
    await rig.create({ spec: { size: 1 } });
    await rig.advance(120_000);
    const retries = rig.calls.map(({ retry }) => retry);
    expect(retries.length).toBeGreaterThan(3);
    expect(retries).toEqual(retries.map((_, index) => index));
  });

  it('the failed attempts of an update are counted on', async () => {
    let fails = false;
    const { rig, refuse } = refusingRig([
      {
        id: 'ensure',
        triggers: [on.create(), on.update()],
        run: ({ patch }) => {
          if (!fails) return;
          patch.update((object) => {
            (object as unknown as { spec: Record<string, unknown> }).spec['mark'] = 'by the handler';
          });
          throw new Error('not yet');
        },
      },
    ]);
    refuse(false);
    await rig.create({ spec: { size: 1 } });
    await rig.advance(5_000);
    fails = true;
    refuse(true);
    await rig.change({ spec: { size: 2 } });
    await rig.advance(120_000);
    const retries = rig.calls.filter(({ cause }) => cause === 'update').map(({ retry }) => retry);
    expect(retries.length).toBeGreaterThan(3);
    expect(retries).toEqual(retries.map((_, index) => index));
  });

  it('a success is not repeated, neither then nor once the patch is taken', async () => {
    const { rig, refuse } = refusingRig([
      {
        id: 'ensure',
        triggers: [on.create(), on.update()],
        run: ({ patch }) => patch.merge({ spec: { mark: 'by the handler' } }),
      },
    ]);
    await rig.create({ spec: { size: 1 } });
    await rig.advance(120_000);
    expect(rig.causes).toEqual(['ensure create']);
    refuse(false);
    await rig.advance(700_000);
    expect([rig.causes, spec(rig)]).toEqual([['ensure create'], { size: 1, mark: 'by the handler' }]);
  });

  it('what others change meanwhile is a new difference, also in the very field that the handler sets', async () => {
    const { rig } = refusingRig([
      {
        id: 'ensure',
        triggers: [on.create(), on.update()],
        run: ({ patch }) => patch.merge({ spec: { mark: 'by the handler' } }),
      },
    ]);
    await rig.create({ spec: { size: 1 } });
    await rig.advance(5_000);
    await rig.change({ spec: { size: 1, mark: 'by others' } });
    await rig.advance(60_000);
    await rig.change({ spec: { size: 2, mark: 'by others' } });
    await rig.advance(60_000);
    expect(rig.calls.map(({ cause, object }) => [cause, spec({ object })])).toEqual([
      ['create', { size: 1 }],
      ['update', { size: 1, mark: 'by others' }],
      ['update', { size: 2, mark: 'by others' }],
    ]);
  });

  it('wishes of earlier attempts stay known as its own', async () => {
    const { rig, refuse } = refusingRig([
      {
        id: 'ensure',
        triggers: [on.create(), on.update()],
        run: ({ patch, retry }) => {
          patch.merge({ spec: { [`attempt${retry}`]: true } });
          if (retry < 2) throw new Error('not yet');
        },
      },
    ]);
    await rig.create({ spec: { size: 1 } });
    await rig.advance(120_000);
    refuse(false);
    await rig.advance(700_000);
    expect(rig.causes).toEqual(['ensure create', 'ensure create', 'ensure create']);
    expect(spec(rig)).toEqual({ size: 1, attempt0: true, attempt1: true, attempt2: true });
  });

  it('a condition on the old value does not take the lack of them for a change', async () => {
    const filter = { field: ['spec', 'mark'], old: 'by the handler' };
    const { rig, refuse } = refusingRig([
      {
        id: 'ensure',
        triggers: [on.create(), on.update(filter)],
        run: ({ patch }) => patch.merge({ spec: { mark: 'by the handler' } }),
      },
    ]);
    await rig.create({ spec: { size: 1 } });
    await rig.advance(60_000);
    refuse(false);
    await rig.advance(700_000);
    expect([rig.causes, spec(rig)]).toEqual([['ensure create'], { size: 1, mark: 'by the handler' }]);
  });

  it('parts that are done are not called again, and failed ones are counted on', async () => {
    const { rig } = refusingRig([
      {
        id: 'ensure',
        triggers: [on.create(), on.update()],
        run: ({ parts }) => {
          parts.add('done', ({ patch }) => {
            rig.calls.push({ ...last(rig), handler: 'done' });
            patch.merge({ spec: { done: true } });
          });
          parts.add('open', ({ patch, retry }) => {
            rig.calls.push({ ...last(rig), handler: 'open', retry });
            patch.merge({ spec: { open: true } });
            throw new Error('not yet');
          });
        },
      },
    ]);
    await rig.create({ spec: { size: 1 } });
    await rig.advance(120_000);
    expect(rig.calls.filter(({ handler }) => handler === 'done')).toHaveLength(1);
    const retries = rig.calls.filter(({ handler }) => handler === 'open').map(({ retry }) => retry);
    expect(retries.length).toBeGreaterThan(3);
    expect(retries).toEqual(retries.map((_, index) => index));
  });
});

function last(rig: ProcessingRig): ProcessingRig['calls'][number] {
  const call = rig.calls.at(-1);
  if (call === undefined) throw new Error('No handler was called.');
  return call;
}
