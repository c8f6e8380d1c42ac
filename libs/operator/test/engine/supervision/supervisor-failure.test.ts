import { describe, expect, it } from 'vitest';
import { OperatorFailedError } from '../../../src/errors/operator-failed.error.js';
import { ProcessingFailedError } from '../../../src/errors/processing-failed.error.js';
import { TaskEndedError } from '../../../src/errors/task-ended.error.js';
import { ThrownValueError } from '../../../src/errors/thrown-value.error.js';
import { causeChain } from '../../../src/engine/supervision/cause-chain.js';
import { controlled, createWorld, obedient, settle } from './support.js';

describe('failure of a root task', () => {
  it('is logged at level 2 and 3 around the shutdown, in order, and ends the process with code 1', async () => {
    const { supervisor, clock, exit, lines, records, participant } = createWorld();
    const boo = new Error('boo');
    const watcher = controlled();
    supervisor.begin();
    supervisor.run('watcher of a', watcher.task);
    supervisor.run('watcher of b', obedient);
    supervisor.run('event recorder', obedient);
    supervisor.run('lease', obedient, { phase: 'lease' });
    supervisor.markRunning();

    watcher.fail(new ProcessingFailedError('a.v1.demo.example', { cause: boo }));
    await settle();
    expect(exit.codes).toEqual([1]);
    expect(exit.exits).toEqual([]);
    await clock.advance(100);

    expect(lines()).toEqual([
      'error Root task failed unrecoverably; the operator stops watcher of a',
      'debug Task cancelled watcher of b',
      'debug Task cancelled event recorder',
      'debug Root tasks stopped',
      'debug Task cancelled lease',
      'debug Hung tasks: none',
      'error Operator failed watcher of a',
    ]);
    expect(exit.exits).toEqual([{ code: 1, at: 0 }]);
    expect(participant.calls).toEqual(['stopIntake', 'stopBackground@0', 'cleanup@0', 'releaseLease@0', 'closeApp@0']);
    const [level2, level3] = records.filter(({ level }) => level === 'error');
    expect(level2!.context).toBe('Supervisor');
    expect(level2!.error).toBeInstanceOf(ProcessingFailedError);
    expect((level2!.error as Error).message).toContain('failed unrecoverably');
    expect((level2!.error as Error).cause).toBe(boo);
    expect(level3!.error).toBeInstanceOf(OperatorFailedError);
    expect(causeChain(level3!.error)).toEqual([level3!.error, level2!.error, boo]);
    expect(records.at(-1)).toBe(level3);
    await expect(supervisor.done).rejects.toBe(level3!.error);
    expect(supervisor.state).toBe('failed');
    expect(clock.pending.size).toBe(0);
  });

  it('lets the first error win and logs the later ones', async () => {
    const { supervisor, clock, errors } = createWorld();
    supervisor.begin();
    supervisor.markRunning();
    const tasks = ['one', 'two', 'three'].map((name) => {
      const task = controlled();
      supervisor.run(name, task.task);
      return { name, ...task };
    });
    const thrown = tasks.map(({ name, fail }) => {
      const error = new Error(name);
      fail(error);
      return error;
    });
    await clock.advance(100);

    expect(errors().map(({ message, error }) => [message, error])).toEqual([
      ['Root task failed unrecoverably; the operator stops', thrown[0]],
      ['Later failure while stopping', thrown[1]],
      ['Later failure while stopping', thrown[2]],
      ['Operator failed', supervisor.failure],
    ]);
    expect(supervisor.failure!.cause).toBe(thrown[0]);
    expect(supervisor.tasks.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
  });

  it('treats a normal end before the stop as one: a warning, level 2 and 3, code 1', async () => {
    const { supervisor, clock, exit, lines } = createWorld();
    supervisor.begin();
    supervisor.markRunning();
    const task = controlled();
    supervisor.run('event recorder', task.task);
    task.end();
    await clock.advance(100);

    expect(lines()).toEqual([
      'warn Task finished unexpectedly event recorder',
      'error Root task failed unrecoverably; the operator stops event recorder',
      'debug Root tasks stopped',
      'debug Hung tasks: none',
      'error Operator failed event recorder',
    ]);
    expect(supervisor.failure!.cause).toBeInstanceOf(TaskEndedError);
    expect(exit.exits).toEqual([{ code: 1, at: 0 }]);
  });

  it('takes an AbortError before any stop for the failure that it is', async () => {
    const { supervisor, clock } = createWorld();
    supervisor.begin();
    const task = controlled();
    supervisor.run('watcher', task.task);
    const abort = new DOMException('aborted by mistake', 'AbortError');
    task.fail(abort);
    await clock.advance(100);
    expect(supervisor.failure!.cause).toBe(abort);
  });

  it('covers tasks that throw synchronously or throw no Error', async () => {
    const { supervisor, clock, errors } = createWorld();
    supervisor.begin();
    supervisor.run('odd', () => {
      // oxlint-disable-next-line typescript/only-throw-error
      throw 'plain text';
    });
    await clock.advance(100);
    expect(supervisor.failure!.cause).toBeInstanceOf(ThrownValueError);
    expect(errors()[0]!.error).toBe(supervisor.failure!.cause);
  });

  it('covers finite tasks, whose end alone is in order', async () => {
    const { supervisor, clock, lines } = createWorld();
    supervisor.begin();
    supervisor.markRunning();
    await supervisor.runFinite('request', () => Promise.resolve());
    await clock.advance(1_000);
    expect(supervisor.state).toBe('running');
    expect(supervisor.tasks).toEqual([]);
    expect(lines()).toEqual([]);

    const boo = new Error('boo');
    await supervisor.runFinite('dynamic watcher', () => Promise.reject(boo));
    await clock.advance(100);
    expect(supervisor.failure!.origin).toBe('dynamic watcher');
    expect(supervisor.failure!.cause).toBe(boo);
  });
});

describe('a reported failure', () => {
  it('returns at once: the intake has stopped, everything else follows on a fresh macrotask', async () => {
    const { supervisor, clock, participant, exit, watchdog } = createWorld();
    supervisor.begin();
    supervisor.markRunning();
    supervisor.fail(new Error('boo'), 'handler x');
    expect(supervisor.state).toBe('draining');
    expect(participant.calls).toEqual(['stopIntake']);
    expect(exit.codes).toEqual([1]);
    expect(watchdog).toEqual(['armed 25000']);
    await settle();
    expect(participant.calls).toEqual(['stopIntake']);
    await clock.advance(0);
    expect(participant.calls.at(-1)).toBe('closeApp@0');
  });

  it('is logged, never lost, when it comes after a clean stop, and makes the code 1', async () => {
    const { supervisor, clock, errors, exit } = createWorld();
    supervisor.begin();
    const stopped = supervisor.stop();
    await clock.advance(100);
    await stopped;
    const late = new Error('late');
    supervisor.fail(late, 'socket');
    expect(errors().map(({ message, error }) => [message, error])).toEqual([['Later failure while stopping', late]]);
    expect(exit.codes).toEqual([1]);
    expect(supervisor.exitCode).toBe(1);
    await expect(supervisor.done).resolves.toBeUndefined();
  });

  it('does not touch the process with crash: reject', async () => {
    const { supervisor, clock, exit, watchdog, participant } = createWorld({ crash: 'reject' });
    supervisor.begin();
    supervisor.markRunning();
    const boo = new Error('boo');
    supervisor.fail(boo, 'handler x');
    await clock.advance(30_000);
    await expect(supervisor.done).rejects.toMatchObject({ code: 'OPERATOR_FAILED', cause: boo });
    expect(participant.calls.at(-1)).toBe('releaseLease@0');
    expect([exit.codes, exit.exits]).toEqual([[], []]);
    expect(watchdog).toEqual(['disarmed']);
  });

  it('closes the application with crash: reject only when that was asked for', async () => {
    const { supervisor, clock, participant } = createWorld({ crash: 'reject' });
    supervisor.begin();
    supervisor.markRunning();
    supervisor.fail(new Error('boo'), 'handler x');
    const stopped = supervisor.stop();
    await clock.advance(30_000);
    await stopped;
    expect(participant.calls.at(-1)).toBe('closeApp@0');
  });

  it('goes to the termination log as one line per link', async () => {
    const written: string[] = [];
    const { supervisor, clock } = createWorld({ terminationLog: { write: (text) => void written.push(text) } });
    supervisor.begin();
    supervisor.fail(new Error('outer', { cause: new Error('inner') }), 'handler x');
    await clock.advance(100);
    expect(written).toHaveLength(1);
    expect(written[0]!.split('\n')).toEqual([
      'OperatorFailedError [OPERATOR_FAILED]: The operator failed unrecoverably in: handler x. The chain of causes tells why.',
      'Caused by: Error: outer',
      'Caused by: Error: inner',
    ]);
  });

  it('still ends the process when the log sink throws', async () => {
    const { supervisor, clock, exit, emergency } = createWorld({
      write: () => {
        throw new Error('disk full');
      },
    });
    supervisor.begin();
    supervisor.fail(new Error('boo'), 'handler x');
    await clock.advance(100);
    expect(exit.exits).toEqual([{ code: 1, at: 0 }]);
    const text = emergency.join('');
    expect(text).toContain('Operator failed');
    expect(text).toContain('Caused by: Error: boo');
    expect(text).toContain('disk full');
  });
});

describe('a failed start', () => {
  it('rejects at the end of the same sequence, with the chain', async () => {
    const { supervisor, clock, participant, errors, exit } = createWorld();
    supervisor.begin();
    const boo = new Error('no database');
    const start = supervisor.failStart(boo);
    const outcome = expect(start).rejects.toMatchObject({ code: 'OPERATOR_FAILED', origin: 'start', cause: boo });
    await clock.advance(100);
    await outcome;
    expect(participant.calls.at(-1)).toBe('closeApp@0');
    expect(errors().map(({ message }) => message)).toEqual(['The start failed; the operator stops', 'Operator failed']);
    expect(exit.exits).toEqual([{ code: 1, at: 0 }]);
    expect(supervisor.begin()).toBe(false);
    expect(supervisor.markRunning()).toBe(false);
  });

  it('is none when a clean stop cut it short', async () => {
    const { supervisor, clock, errors, participant } = createWorld();
    supervisor.begin();
    const stopped = supervisor.stop({ reason: 'SIGTERM' });
    await clock.advance(0);
    const start = supervisor.failStart(new Error('start-up handler aborted', { cause: participant.backgroundReason }));
    const outcome = expect(start).rejects.toThrow('start-up handler aborted');
    await clock.advance(100);
    await outcome;
    await stopped;
    expect(errors()).toEqual([]);
    expect(supervisor.state).toBe('stopped');
    expect(supervisor.exitCode).toBe(0);
  });
});

describe('records of the supervisor', () => {
  it('carry its context', async () => {
    const contexts = new Set<string>();
    const { supervisor, clock } = createWorld({ write: ({ context }) => void contexts.add(context) });
    supervisor.begin();
    supervisor.fail(new Error('boo'), 'x');
    await clock.advance(100);
    expect([...contexts]).toEqual(['Supervisor']);
  });
});
