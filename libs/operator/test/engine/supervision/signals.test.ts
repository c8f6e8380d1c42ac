import { describe, expect, it } from 'vitest';
import { createLogger, type LogRecord } from '../../../src/engine/ports/index.js';
import { ownStopSignals } from '../../../src/engine/supervision/signals.js';
import { createWorld, FakeProcessEvents } from './support.js';

function signalWorld() {
  const world = createWorld();
  const events = new FakeProcessEvents();
  const records: LogRecord[] = [];
  const giveUp = ownStopSignals({
    events,
    clock: world.clock,
    exit: world.exit,
    supervisor: world.supervisor,
    logger: createLogger((record) => void records.push(record)),
  });
  world.supervisor.begin();
  world.supervisor.markRunning();
  return { ...world, events, signalRecords: records, giveUp };
}

describe('SIGTERM and SIGINT', () => {
  it.each(['SIGTERM', 'SIGINT'])('%s stops cleanly and exits with 0', async (signal) => {
    const { events, clock, exit, supervisor, errors } = signalWorld();
    events.emit(signal, signal);
    await clock.advance(100);
    expect(supervisor.state).toBe('stopped');
    expect(exit.exits).toEqual([{ code: 0, at: 0 }]);
    expect(errors()).toEqual([]);
  });

  it('exit with 1 when the operator fails on the way', async () => {
    const { events, clock, exit, supervisor, participant } = signalWorld();
    participant.handler('slow', 5_000);
    events.emit('SIGTERM', 'SIGTERM');
    await clock.advance(1_000);
    supervisor.fail(new Error('boo'), 'worker');
    await clock.advance(10_000);
    expect(exit.exits).toEqual([{ code: 1, at: 5_000 }]);
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ])('a second one, %s, ends the process at once with %i and one record', async (signal, code) => {
    const { events, clock, exit, participant, signalRecords } = signalWorld();
    participant.handler('slow', 15_000);
    events.emit('SIGTERM', 'SIGTERM');
    await clock.advance(999);
    events.emit(signal, signal);
    expect(exit.exits).toEqual([]);
    await clock.advance(1);
    events.emit(signal, signal);
    expect(exit.exits).toEqual([{ code, at: 1_000 }]);
    expect(signalRecords.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([
      'Second signal; the process ends at once',
    ]);
    await clock.advance(30_000);
  });

  it('the first one during a crash joins the stop, the second one ends it', async () => {
    const { events, clock, exit, participant, supervisor } = signalWorld();
    participant.handler('slow', 1_900);
    supervisor.fail(new Error('boo'), 'worker');
    await clock.advance(500);
    events.emit('SIGTERM', 'SIGTERM');
    expect(exit.exits).toEqual([]);
    await clock.advance(1_000);
    events.emit('SIGTERM', 'SIGTERM');
    expect(exit.exits).toEqual([{ code: 143, at: 1_500 }]);
    await clock.advance(30_000);
  });

  it.each([
    [undefined, 0],
    [new Error('boo'), 1],
  ])('one after the stop exits with the recorded code (failure: %s)', async (failure, code) => {
    const { events, clock, exit, supervisor } = signalWorld();
    if (failure !== undefined) supervisor.fail(failure, 'worker');
    const stopped = supervisor.stop({ app: false });
    await clock.advance(10);
    await stopped;
    expect(exit.exits).toEqual([]);
    events.emit('SIGTERM', 'SIGTERM');
    expect(exit.exits).toEqual([{ code, at: 10 }]);
    await clock.advance(30_000);
  });

  it('can be given up', () => {
    const { events, giveUp } = signalWorld();
    expect(events.listenerCount('SIGTERM') + events.listenerCount('SIGINT')).toBe(2);
    giveUp();
    giveUp();
    expect(events.listenerCount('SIGTERM') + events.listenerCount('SIGINT')).toBe(0);
  });
});
