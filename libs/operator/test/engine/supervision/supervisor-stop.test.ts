import { describe, expect, it } from 'vitest';
import { StopDeadlineError } from '../../../src/errors/stop-deadline.error.js';
import { controlled, createWorld, obedient } from './support.js';

function runningWorld(...args: Parameters<typeof createWorld>) {
  const world = createWorld(...args);
  world.supervisor.begin();
  world.supervisor.run('watcher of a', obedient);
  world.supervisor.run('lease', obedient, { phase: 'lease' });
  world.supervisor.markRunning();
  return world;
}

const never = (): Promise<void> => new Promise(() => undefined);

describe('a clean stop', () => {
  it('cancels the tasks, runs each step once, and leaves the process alone', async () => {
    const { supervisor, clock, exit, lines, participant, watchdog } = runningWorld();
    const first = supervisor.stop({ reason: 'close' });
    const second = supervisor.stop();
    await clock.advance(100);
    await Promise.all([first, second, supervisor.done, supervisor.stop()]);

    expect(lines()).toEqual([
      'info Operator stops',
      'debug Task cancelled watcher of a',
      'debug Root tasks stopped',
      'debug Task cancelled lease',
      'debug Hung tasks: none',
      'info Operator stopped',
    ]);
    expect(participant.calls).toEqual(['stopIntake', 'stopBackground@0', 'cleanup@0', 'releaseLease@0', 'closeApp@0']);
    expect(participant.releasedClean).toBe(true);
    expect([exit.codes, exit.exits]).toEqual([[], []]);
    expect(supervisor.state).toBe('stopped');
    expect(supervisor.tasks.map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
    expect(watchdog).toEqual(['armed 25000', 'disarmed']);
    expect(clock.pending.size).toBe(0);
  });

  it('exits with 0 where the caller asks for it, also when another call began the stop', async () => {
    const { supervisor, clock, exit } = runningWorld();
    const stops = [supervisor.stop(), supervisor.stop({ exitAfterStop: true })];
    await clock.advance(100);
    await Promise.all(stops);
    expect(exit.exits).toEqual([{ code: 0, at: 0 }]);
    expect(exit.codes).toEqual([]);
  });

  it('exits with 1 when something fails on the way', async () => {
    const { supervisor, clock, exit, participant, errors } = runningWorld();
    participant.handler('slow', 5_000);
    const worker = controlled();
    supervisor.run('queue of a', worker.task);
    const stopped = supervisor.stop({ reason: 'SIGTERM', exitAfterStop: true });
    await clock.advance(1_000);
    const boo = new Error('boo');
    worker.fail(boo);
    await clock.advance(1_000);
    expect(exit.codes).toEqual([1]);
    await clock.advance(10_000);
    await stopped;
    expect(errors().map(({ message }) => message)).toEqual([
      'Root task failed unrecoverably; the operator stops',
      'Operator failed',
    ]);
    expect(exit.exits).toEqual([{ code: 1, at: 5_000 }]);
    await expect(supervisor.done).rejects.toMatchObject({ cause: boo });
  });

  it('takes ends and AbortErrors of tasks for cancellations from the end of the intake on', async () => {
    const { supervisor, clock, participant, lines } = runningWorld();
    const [ending, aborted, finite] = [controlled(), controlled(), controlled()];
    supervisor.run('ending', ending.task);
    supervisor.run('aborted', aborted.task);
    const finished = supervisor.runFinite('finite', finite.task);
    participant.handler('slow', 1_000);
    const stopped = supervisor.stop();
    ending.end();
    aborted.fail(new DOMException('This operation was aborted', 'AbortError'));
    finite.end();
    await finished;
    await clock.advance(2_000);
    await stopped;
    expect(lines().filter((line) => line.startsWith('debug Task cancelled'))).toEqual([
      'debug Task cancelled ending',
      'debug Task cancelled aborted',
      'debug Task cancelled finite',
      'debug Task cancelled watcher of a',
      'debug Task cancelled lease',
    ]);
    expect(supervisor.state).toBe('stopped');
  });

  it('does not count errors that only carry the reason of the stop', async () => {
    const { supervisor, clock, participant, errors } = runningWorld();
    participant.handler('slow', 1_000);
    const stopped = supervisor.stop();
    await clock.advance(0);
    supervisor.fail(new Error('request failed', { cause: participant.backgroundReason }), 'handler slow');
    await clock.advance(2_000);
    await stopped;
    expect(errors()).toEqual([]);
    expect(supervisor.exitCode).toBe(0);
  });

  it('of an operator that never began only closes the application', async () => {
    const { supervisor, clock, participant } = createWorld();
    const stopped = supervisor.stop();
    await clock.advance(100);
    await stopped;
    expect(participant.calls).toEqual(['closeApp@0']);
    expect(supervisor.begin()).toBe(false);
  });

  it('cuts a start short: what was started is stopped', async () => {
    const { supervisor, clock, participant } = createWorld();
    supervisor.begin();
    const stopped = supervisor.stop();
    expect(supervisor.markRunning()).toBe(false);
    supervisor.run('watcher', never);
    await clock.advance(100);
    await stopped;
    expect(participant.calls).toContain('cleanup@0');
    expect(supervisor.tasks).toEqual([]);
  });

  it('starts finite tasks during the drain, and none after it', async () => {
    const { supervisor, clock, participant } = runningWorld();
    participant.handler('slow', 1_000);
    const stopped = supervisor.stop();
    const calls: string[] = [];
    const task = (name: string) => () => {
      calls.push(name);
      return Promise.resolve();
    };
    await supervisor.runFinite('in drain', task('in drain'));
    participant.onCleanup = () => supervisor.runFinite('in clean-up', task('in clean-up'));
    await clock.advance(2_000);
    await stopped;
    expect(calls).toEqual(['in drain']);
  });
});

describe('closing the application', () => {
  it('from within lets the inner stop return, and still exits at the end', async () => {
    const { supervisor, clock, participant, exit } = runningWorld();
    const order: string[] = [];
    participant.onCloseApp = async () => {
      await supervisor.stop({ app: false });
      order.push('our hook');
      await new Promise<void>((resolve) => void clock.setTimer(10, resolve));
      order.push('hooks of the application');
    };
    supervisor.fail(new Error('boo'), 'x');
    await clock.advance(100);
    expect(order).toEqual(['our hook', 'hooks of the application']);
    expect(exit.exits).toEqual([{ code: 1, at: 10 }]);
  });

  it('by the caller: step 7 is left out, and the promise resolves when the application may close', async () => {
    const { supervisor, clock, participant, exit } = runningWorld();
    const stopped = supervisor.stop({ app: false, reason: 'close' });
    await clock.advance(100);
    await stopped;
    expect(participant.calls.at(-1)).toBe('releaseLease@0');
    expect(supervisor.state).toBe('stopped');
    expect(exit.exits).toEqual([]);
    expect(clock.pending.size).toBe(0);
  });

  it('by the caller during a crash: the exit waits for it, up to the deadline, without keeping the process alive', async () => {
    const { supervisor, clock, participant, exit, errors, watchdog } = runningWorld();
    supervisor.fail(new Error('boo'), 'x');
    const closing = supervisor.stop({ app: false });
    await clock.advance(100);
    await closing;
    expect(participant.calls.at(-1)).toBe('releaseLease@0');
    expect(exit.codes).toEqual([1]);
    expect(exit.exits).toEqual([]);
    expect([...clock.pending].map(({ due, background }) => [due, background])).toEqual([[25_000, true]]);
    await clock.advance(30_000);
    expect(errors().at(-1)!.message).toBe('The application did not close by the deadline; the process ends');
    expect(exit.exits).toEqual([{ code: 1, at: 25_000 }]);
    expect(watchdog).toEqual(['armed 25000']);
  });

  it('that fails is logged, counts as a failure and does not mask an earlier one', async () => {
    for (const earlier of [undefined, new Error('earlier')]) {
      const { supervisor, clock, participant, exit, errors } = runningWorld();
      const hook = new Error('hook');
      participant.onCloseApp = () => Promise.reject(hook);
      if (earlier !== undefined) supervisor.fail(earlier, 'x');
      const stopped = supervisor.stop({ exitAfterStop: true });
      await clock.advance(100);
      await stopped;
      expect(errors().filter(({ error }) => error === hook)).toHaveLength(1);
      expect(supervisor.failure!.cause).toBe(earlier ?? hook);
      expect(exit.exits).toEqual([{ code: 1, at: 0 }]);
    }
  });
});

describe('the drain', () => {
  it.each([
    ['clean', 20_000],
    ['crash', 2_000],
  ])('of a %s stop lets handlers end within %i ms', async (kind, drain) => {
    const { supervisor, clock, participant } = runningWorld();
    participant.handler('handler ensure of a one', drain - 1);
    if (kind === 'crash') supervisor.fail(new Error('boo'), 'x');
    const stopped = supervisor.stop();
    await clock.advance(drain);
    await stopped;
    expect(participant.calls.filter((call) => call.startsWith('abortHandlers'))).toEqual([]);
    expect(participant.calls).toContain(`cleanup@${drain - 1}`);
    expect(participant.releasedClean).toBe(true);
  });

  it.each([
    ['clean', 20_000],
    ['crash', 2_000],
  ])('of a %s stop aborts handlers after %i ms and names them', async (kind, drain) => {
    const { supervisor, clock, participant, records } = runningWorld();
    participant.handler('handler ensure of a one', 60_000);
    if (kind === 'crash') supervisor.fail(new Error('boo'), 'x');
    const stopped = supervisor.stop();
    await clock.advance(drain);
    await stopped;
    expect(participant.calls).toContain(`abortHandlers@${drain}`);
    const warning = records.filter(({ level }) => level === 'warn');
    expect(warning.map(({ message, fields }) => [message, fields])).toEqual([
      ['Handlers still run at the end of the drain; they are aborted', { handlers: ['handler ensure of a one'] }],
    ]);
    expect(participant.releasedClean).toBe(true);
  });

  it('tells daemons at once', async () => {
    const { supervisor, clock, participant } = runningWorld();
    participant.handler('slow', 60_000);
    const stopped = supervisor.stop({ reason: 'SIGTERM' });
    await clock.advance(0);
    expect(participant.calls).toEqual(['stopIntake', 'stopBackground@0']);
    expect(participant.backgroundReason).toMatchObject({ code: 'OPERATOR_STOPPING', reason: 'SIGTERM' });
    await clock.advance(30_000);
    await stopped;
  });

  it('gives a handler that ignores its signal the grace, leaves the lease, and still cleans up', async () => {
    const { supervisor, clock, participant, exit, records } = runningWorld();
    participant.running.add('handler stubborn of a one');
    participant.onAbort = () => undefined;
    supervisor.fail(new Error('boo'), 'x');
    await clock.advance(30_000);
    expect(participant.calls).toEqual([
      'stopIntake',
      'stopBackground@0',
      'abortHandlers@2000',
      'cleanup@7000',
      'releaseLease@7000',
      'closeApp@7000',
    ]);
    expect(participant.releasedClean).toBe(false);
    const hung = records.find(({ message }) => message.startsWith('Hung tasks'))!;
    expect([hung.level, hung.fields]).toEqual(['warn', { tasks: ['handler stubborn of a one'] }]);
    expect(exit.exits).toEqual([{ code: 1, at: 7_000 }]);
  });

  it('leaves time for the later steps when it used up its own', async () => {
    const { supervisor, clock, participant, exit } = runningWorld();
    participant.running.add('handler stubborn of a one');
    participant.onAbort = () => undefined;
    const stopped = supervisor.stop({ exitAfterStop: true });
    await clock.advance(30_000);
    await stopped;
    expect(participant.calls.slice(2)).toEqual([
      'abortHandlers@20000',
      'cleanup@22500',
      'releaseLease@22500',
      'closeApp@22500',
    ]);
    expect(exit.exits).toEqual([{ code: 0, at: 22_500 }]);
  });
});

describe('hung tasks', () => {
  it('get the grace, are named, and do not hold the exit', async () => {
    const { supervisor, clock, participant, exit, records } = runningWorld();
    supervisor.run('event recorder', never);
    const stopped = supervisor.stop({ exitAfterStop: true });
    await clock.advance(30_000);
    await stopped;
    expect(participant.calls).toContain('cleanup@5000');
    const hung = records.find(({ message }) => message.startsWith('Hung tasks'))!;
    expect([hung.level, hung.fields]).toEqual(['warn', { tasks: ['task event recorder'] }]);
    expect(participant.releasedClean).toBe(false);
    expect(exit.exits).toEqual([{ code: 0, at: 5_000 }]);
  });
});

describe('clean-up', () => {
  it('runs once, after all root tasks ended, with the lease task still running', async () => {
    const { supervisor, clock, participant } = runningWorld();
    let states: unknown;
    participant.onCleanup = () => {
      states = supervisor.tasks;
      return Promise.resolve();
    };
    supervisor.fail(new Error('boo'), 'x');
    await clock.advance(100);
    expect(states).toEqual([
      { name: 'watcher of a', state: 'cancelled' },
      { name: 'lease', state: 'running' },
    ]);
    expect(participant.calls.filter((call) => call.startsWith('cleanup'))).toHaveLength(1);
  });

  it('that fails is logged and does not mask the cause', async () => {
    const { supervisor, clock, participant, errors } = runningWorld();
    const [boo, bad] = [new Error('boo'), new Error('bad clean-up')];
    participant.onCleanup = () => Promise.reject(bad);
    supervisor.fail(boo, 'x');
    await clock.advance(100);
    expect(errors().map(({ message, error }) => [message, error])).toEqual([
      ['Unrecoverable error; the operator stops', boo],
      ['A step of the stop failed; the stop goes on', bad],
      ['Operator failed', supervisor.failure],
    ]);
    expect(supervisor.failure!.cause).toBe(boo);
  });

  it('that hangs is aborted early enough for the application to close', async () => {
    const { supervisor, clock, participant } = runningWorld();
    let aborted = -1;
    participant.onCleanup = (signal) => {
      signal.addEventListener('abort', () => (aborted = clock.monotonic()));
      return never();
    };
    const stopped = supervisor.stop();
    await clock.advance(30_000);
    await stopped;
    expect(aborted).toBe(20_000);
    expect(participant.calls.at(-1)).toBe('closeApp@22500');
    expect(supervisor.state).toBe('stopped');
  });
});

describe('the deadline', () => {
  it('ends a crash whatever hangs, with level 3 written synchronously', async () => {
    const { supervisor, clock, participant, exit, emergency, records, lines, watchdog } = runningWorld();
    participant.onCloseApp = never;
    supervisor.fail(new Error('outer', { cause: new Error('root cause') }), 'x');
    await clock.advance(0);
    expect([...clock.pending].map(({ due, background }) => [due, background])).toEqual([[25_000, false]]);
    await clock.advance(30_000);
    expect(exit.exits).toEqual([{ code: 1, at: 25_000 }]);
    expect(records.at(-1)!.error).toBe(supervisor.failure);
    expect(lines().at(-2)).toBe('debug Hung tasks: none');
    expect(emergency).toHaveLength(1);
    expect(emergency[0]).toContain('Caused by: Error: root cause');
    expect(records.some(({ error }) => error instanceof StopDeadlineError && error.step === 'application')).toBe(true);
    expect(watchdog).toEqual(['armed 25000']);
  });

  it('makes a clean stop a failure', async () => {
    const { supervisor, clock, participant, exit } = runningWorld();
    participant.onRelease = never;
    participant.onCloseApp = never;
    const stopped = supervisor.stop();
    await clock.advance(30_000);
    await stopped;
    expect(exit.exits).toEqual([{ code: 1, at: 25_000 }]);
    await expect(supervisor.done).rejects.toMatchObject({ cause: { code: 'OPERATOR_STOP_DEADLINE' } });
  });

  it('drops the remaining steps', async () => {
    const { supervisor, clock, participant } = runningWorld({ shutdown: { drain: 25_000 } });
    participant.handler('slow', 26_000);
    const stopped = supervisor.stop();
    await clock.advance(60_000);
    await stopped;
    expect(participant.calls.filter((call) => /cleanup|closeApp/.test(call))).toEqual([]);
    expect(supervisor.state).toBe('failed');
  });

  it('ends the promise but not the process with crash: reject', async () => {
    const { supervisor, clock, participant, exit, emergency } = runningWorld({ crash: 'reject' });
    participant.onCloseApp = never;
    const stopped = supervisor.stop({ exitAfterStop: true });
    await clock.advance(30_000);
    await stopped;
    await expect(supervisor.done).rejects.toMatchObject({ code: 'OPERATOR_FAILED' });
    expect([exit.codes, exit.exits, emergency]).toEqual([[], [], []]);
  });
});

describe('a participant that breaks its contract', () => {
  it('does not hold up the stop, whichever step throws', async () => {
    for (const step of ['stopIntake', 'stopBackground', 'drained', 'cleanup', 'releaseLease', 'closeApp'] as const) {
      const { supervisor, clock, participant, errors } = runningWorld();
      const boo = new Error(step);
      participant[step] = () => {
        throw boo;
      };
      const stopped = supervisor.stop();
      await clock.advance(60_000);
      await stopped;
      expect(errors()[0]).toMatchObject({ message: 'A step of the stop failed; the stop goes on', error: boo });
      expect(supervisor.failure!.cause).toBe(boo);
    }
  });

  it('does not hold up the stop when it cannot name its stragglers', async () => {
    const { supervisor, clock, participant, exit } = runningWorld();
    participant.stragglers = () => {
      throw new Error('no names');
    };
    supervisor.fail(new Error('boo'), 'x');
    await clock.advance(100);
    expect(exit.exits).toEqual([{ code: 1, at: 0 }]);
  });
});
