import { describe, expect, it } from 'vitest';
import { TemporaryError } from '../../../src/errors/temporary.error.js';
import { on, ProcessingRig } from './rig.js';

const spec = (n: number, m = 0): { spec: { n: number; m: number } } => ({ spec: { n, m } });
const createOrN = [on.create(), on.update({ field: ['spec', 'n'] })];

describe('a handler for creation and for the change of one field', () => {
  it('keeps the back-off of a change through changes of other fields', async () => {
    let broken = false;
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'sized',
          triggers: createOrN,
          policy: { retries: 2 },
          run: () => {
            if (broken) throw new TemporaryError('later', { delay: 20_000 });
          },
        },
      ],
    });
    await rig.create(spec(1));
    broken = true;
    await rig.change(spec(2));
    for (let m = 1; m <= 5; m += 1) {
      await rig.advance(2_000);
      await rig.change(spec(2, m));
    }
    expect(rig.causes).toEqual(['sized create', 'sized update']);
    await rig.advance(10_000);
    expect(rig.calls.map(({ retry }) => retry)).toEqual([0, 0, 1]);
    await rig.change(spec(2, 6));
    await rig.advance(600_000);
    expect(rig.calls, 'the second attempt was the last one').toHaveLength(3);
  });

  it('is not called away from a change of its field by the change of another one', async () => {
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'sized',
          triggers: createOrN,
          policy: { abortOnChange: true },
          run: async ({ cause, signal, stopped }) => {
            if (cause !== 'create') await stopped.wait(1_000);
            signal.throwIfAborted();
          },
        },
      ],
    });
    await rig.create(spec(1));
    await rig.change(spec(2));
    await rig.change(spec(2, 1));
    await rig.advance(1_000);
    expect(rig.causes).toEqual(['sized create', 'sized update']);
  });

  it('does not repeat a part for a change of another field between two rounds', async () => {
    const parts: string[] = [];
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'sized',
          triggers: createOrN,
          run: ({ cause, parts: plan }) => {
            if (cause === 'create') return;
            plan.add('quick', () => void parts.push('quick'));
            plan.add('slow', () => {
              parts.push('slow');
              if (parts.length === 2) throw new TemporaryError('later', { delay: 5_000 });
            });
          },
        },
      ],
    });
    await rig.create(spec(1));
    await rig.change(spec(2));
    await rig.advance(2_000);
    await rig.change(spec(2, 1));
    await rig.advance(3_000);
    expect(parts).toEqual(['quick', 'slow', 'slow']);
  });

  it('sees the change of a field of the status', async () => {
    const rig = new ProcessingRig({
      handlers: [{ id: 'phase', triggers: [on.create(), on.update({ field: ['status', 'phase'] })] }],
    });
    await rig.create(spec(1));
    await rig.change({ status: { phase: 'up' } });
    await rig.change({ status: { phase: 'up', other: 1 } });
    expect(rig.causes).toEqual(['phase create', 'phase update']);
  });

  it('sees the change of its field, and no other, where only digests are kept', async () => {
    const long = 'x'.repeat(80_000);
    const rig = new ProcessingRig({ handlers: [{ id: 'sized', triggers: createOrN }] });
    await rig.create({ spec: { n: 1, m: 0, long } });
    await rig.change({ spec: { n: 1, m: 1, long } });
    await rig.change({ spec: { n: 2, m: 1, long } });
    expect(rig.causes).toEqual(['sized create', 'sized update']);
  });
});
