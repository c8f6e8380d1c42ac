import { describe, expect, it } from 'vitest';
import { PermanentError } from '../../../src/errors/permanent.error.js';
import { TemporaryError } from '../../../src/errors/temporary.error.js';
import { on, ProcessingRig } from './rig.js';

describe('what is told of handlers', () => {
  it.each([
    [new Error('surprise'), 'error'],
    [new TemporaryError('later'), 'warn'],
  ] as const)('a retry after %s is at level %s', async (error, level) => {
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'fails',
          triggers: [on.create()],
          run: () => {
            throw error;
          },
        },
      ],
    });
    await rig.create();
    expect(rig.messages(level)).toContain('Handler failed and will be called again');
  });

  it.each([
    [new Error('surprise'), 'error'],
    [new PermanentError('no'), 'warn'],
  ] as const)('an end after %s is at level %s', async (error, level) => {
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'fails',
          triggers: [on.create()],
          policy: { retries: 1 },
          run: () => {
            throw error;
          },
        },
      ],
    });
    await rig.create();
    expect(rig.messages(level)).toContain('Handler failed for good');
  });

  it.each([[42], ['x'], [[1]]])('a returned %j is ignored, and that is said', async (value) => {
    const rig = new ProcessingRig({ handlers: [{ id: 'returns', triggers: [on.create()], run: () => value }] });
    await rig.create();
    expect(rig.messages('warn')).toEqual([expect.stringContaining('Handler returned no object')]);
    expect(rig.object).not.toHaveProperty('status');
  });

  it.each([['5m'], [5_000], [{ phase: 'x' }]])('a reconcile handler that returns %j is told of', async (value) => {
    const rig = new ProcessingRig({ handlers: [{ id: 'level', triggers: [on.reconcile()], run: () => value }] });
    await rig.create();
    expect(rig.messages('warn')).toEqual([expect.stringContaining('something else than { requeueAfter }')]);
  });

  it('a patch after the end of the call is not sent, and is told of', async () => {
    let late = (): void => undefined;
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'forgets',
          triggers: [on.create()],
          run: (context) => {
            late = () => context.patch.merge({ spec: { late: true } } as never);
          },
        },
      ],
    });
    await rig.create();
    late();
    await rig.advance(60_000);
    expect(rig.messages('error')).toEqual([expect.stringContaining('Patch after the end of the handler')]);
    expect(JSON.stringify(rig.object)).not.toContain('late');
  });
});

describe('the back-off of a reconcile handler that fails', () => {
  it('is not driven up by changes, each of which is tried at once', async () => {
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'level',
          triggers: [on.reconcile()],
          run: () => {
            throw new Error('down');
          },
        },
      ],
    });
    await rig.create();
    for (let size = 1; size <= 8; size += 1) {
      await rig.advance(50);
      await rig.change({ spec: { size } });
    }
    const burst = rig.calls.length;
    expect(burst).toBe(9);
    await rig.advance(8_000);
    expect(rig.calls.length - burst).toBeGreaterThanOrEqual(3);
  });
});
