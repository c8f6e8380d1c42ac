import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../../../src/engine/defaults.js';
import { judgeFailure, type FailureInput } from '../../../src/engine/handling/attempt-outcome.js';
import { FatalError } from '../../../src/errors/fatal.error.js';
import { PermanentError } from '../../../src/errors/permanent.error.js';
import { TemporaryError } from '../../../src/errors/temporary.error.js';

const judge = (input: Partial<FailureInput>): ReturnType<typeof judgeFailure> =>
  judgeFailure({
    error: new Error('any'),
    policy: { errors: 'temporary' },
    failures: 1,
    runtime: 0,
    retry: defaultConfig.retry,
    random: { next: () => 0.5 },
    ...input,
  });

describe('a failed attempt', () => {
  it.each([
    ['arbitrary', new Error('x'), 'temporary', { kind: 'retry', delay: 1_000 }],
    ['arbitrary', new Error('x'), 'permanent', { kind: 'final', reason: 'permanent' }],
    ['arbitrary', new Error('x'), 'ignored', { kind: 'ignored' }],
    ['temporary', new TemporaryError('x', { delay: '3s' }), 'permanent', { kind: 'retry', delay: 3_000 }],
    ['temporary', new TemporaryError('x', { delay: 0 }), 'temporary', { kind: 'retry', delay: 0 }],
    ['permanent', new PermanentError('x'), 'ignored', { kind: 'final', reason: 'permanent' }],
    ['fatal', new FatalError('x'), 'ignored', { kind: 'fatal' }],
    ['thrown text', 'text', 'temporary', { kind: 'retry' }],
  ] as const)('with a %s error (%s) under "%s" is judged', (_name, error, errors, verdict) => {
    expect(judge({ error, policy: { errors } })).toMatchObject({ ...verdict, error });
  });

  it('waits twice as long each time, up to the cap, give or take a fifth', () => {
    const delays = [1, 2, 3, 9, 10, 2_000].map((failures) => judge({ failures }));
    expect(delays.map((verdict) => 'delay' in verdict && verdict.delay)).toEqual([
      1_000, 2_000, 4_000, 256_000, 300_000, 300_000,
    ]);
    expect(judge({ random: { next: () => 0 } })).toMatchObject({ delay: 800 });
    expect(judge({ random: { next: () => 0.999_999 } })).toMatchObject({ delay: expect.closeTo(1_200, 0) as number });
  });

  it('is the last one when the attempts or the time are used up', () => {
    expect(judge({ policy: { retries: 2 }, failures: 2 })).toMatchObject({ kind: 'final', reason: 'retries' });
    expect(judge({ policy: { giveUpAfter: 5_000 }, runtime: 4_001 })).toMatchObject({
      kind: 'final',
      reason: 'giveUpAfter',
    });
    expect(judge({ policy: { giveUpAfter: 5_000 }, runtime: 4_000 })).toMatchObject({ kind: 'retry' });
  });

  it('is judged by what its error is mapped to, and by both errors when the mapping fails', () => {
    const asHandlerError = (cause: unknown): unknown => new PermanentError('mapped', { cause });
    expect(judge({ policy: { asHandlerError } })).toMatchObject({ kind: 'final', error: { message: 'mapped' } });
    const failing = judge({
      policy: {
        asHandlerError: () => {
          throw new Error('mapping');
        },
      },
    });
    expect(failing).toMatchObject({ kind: 'retry', error: { errors: [{ message: 'any' }, { message: 'mapping' }] } });
  });

  it.each([Number.NaN, -1, Infinity, 'throws'])('never runs wild when its back-off gives %s', (given) => {
    const backoff = (): number => {
      if (typeof given === 'string') throw new Error(given);
      return given;
    };
    expect(judge({ policy: { backoff } })).toMatchObject({ kind: 'retry', delay: 300_000 });
  });
});
