import { describe, expect, it } from 'vitest';
import { ObjectSupersededError } from '../../../src/errors/object-superseded.error.js';
import { HandlerRunner, type HandlerCall } from '../../../src/engine/handling/handler-runner.js';
import { createLogger } from '../../../src/engine/ports/index.js';
import { FakeClock } from '../client/fake-clock.js';
import { ticks } from '../queueing/support.js';

function rig() {
  const clock = new FakeClock();
  const warnings: string[] = [];
  const runner = new HandlerRunner({
    clock,
    stuckAfter: 600_000,
    logger: createLogger(({ message }) => warnings.push(message)),
  });
  let stuck = 0;
  const call = (invoke: (signal: AbortSignal) => Promise<unknown>, timeout?: number): HandlerCall => {
    const controller = new AbortController();
    return {
      origin: 'Tests.run',
      subject: 'widgets ns/a',
      timeout,
      controller,
      invoke: () => invoke(controller.signal),
      onStuck: () => (stuck += 1),
    };
  };
  return { clock, runner, warnings, call, stuckCalls: () => stuck };
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
const deaf = (): Promise<never> => new Promise(() => undefined);

describe('HandlerRunner', () => {
  it('gives values and errors, and leaves no timer behind', async () => {
    const { runner, call, clock } = rig();
    const error = new Error('no');
    expect(await runner.run(call(() => Promise.resolve(5)))).toEqual({ kind: 'success', value: 5 });
    expect(await runner.run(call(() => Promise.reject(error), 10))).toEqual({ kind: 'failure', error });
    expect([clock.pending, runner.running]).toEqual([0, 0]);
  });

  it('has nothing to do with an abort that comes when the call has ended', async () => {
    const { runner, call, clock, warnings, stuckCalls } = rig();
    const one = call(() => Promise.resolve(5));
    await runner.run(one);
    one.controller.abort(new ObjectSupersededError('gone'));
    expect(clock.pending).toBe(0);
    clock.advance(30_000);
    expect([warnings, stuckCalls()]).toEqual([[], 0]);
  });

  it('aborts an attempt at its time-out, which is a failure; a value that comes all the same counts', async () => {
    const { runner, call, clock } = rig();
    const late = runner.run(call(untilAborted, 1_000));
    const stubborn = runner.run(
      call((signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('value'))), 1_000),
    );
    clock.advance(1_000);
    expect(await late).toMatchObject({ kind: 'failure', error: { code: 'OPERATOR_HANDLER_TIMEOUT' } });
    expect(await stubborn).toEqual({ kind: 'success', value: 'value' });
  });

  it('takes an end after an abort from outside as interrupted, not as failed', async () => {
    const { runner, call, warnings } = rig();
    const one = call(untilAborted);
    const running = runner.run(one);
    one.controller.abort(new ObjectSupersededError('deleting'));
    expect(await running).toMatchObject({ kind: 'interrupted' });
    const other = runner.run(call(untilAborted));
    const wrapped = runner.run(
      call((signal) => untilAborted(signal).catch((cause: unknown) => Promise.reject(new Error('lost', { cause })))),
    );
    runner.abortAll(new Error('stop'));
    expect(await other).toMatchObject({ kind: 'interrupted', reason: { code: 'OPERATOR_STOPPING' } });
    expect(await wrapped).toMatchObject({ kind: 'interrupted' });
    const begunLater = runner.run(call((signal) => (signal.aborted ? Promise.reject(new Error('aborted')) : deaf())));
    expect(await begunLater).toMatchObject({ kind: 'interrupted' });
    // Its own way of saying that it was aborted, which cannot be told from a failure.
    expect(warnings).toEqual(['Handler failed after it was told to end']);
  });

  it('does not swallow what fails on the way out', async () => {
    const { runner, call, warnings } = rig();
    const one = call((signal) => untilAborted(signal).catch(() => Promise.reject(new Error('could not tidy up'))));
    const running = runner.run(one);
    one.controller.abort(new ObjectSupersededError('deleting'));
    expect(await running).toMatchObject({ kind: 'interrupted' });
    expect(warnings).toEqual(['Handler failed after it was told to end']);
  });

  it('calls a handler stuck after 10 minutes, or 30 s past its abort, once; its own time-out replaces the 10 minutes', async () => {
    const { runner, call, clock, warnings, stuckCalls } = rig();
    const calls = [call(deaf), call(deaf, 1_000), call(deaf, 1_200_000)];
    // They never end, and are never waited for.
    const running = calls.map((one) => runner.run(one));
    expect(running).toHaveLength(3);
    await ticks();
    clock.advance(30_999);
    expect(stuckCalls()).toBe(0);
    clock.advance(1);
    expect([stuckCalls(), runner.stuck, runner.running]).toEqual([1, 1, 3]);
    clock.advance(600_000);
    expect(stuckCalls()).toBe(2);
    clock.advance(2_000_000);
    expect([stuckCalls(), warnings.length, runner.names().length]).toEqual([3, 3, 3]);
  });
});
