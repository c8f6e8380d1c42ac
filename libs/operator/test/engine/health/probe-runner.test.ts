import { describe, expect, it } from 'vitest';
import { ProbeRunner } from '../../../src/engine/health/probe-runner.js';
import type { ActivityContext, ActivityDefinition } from '../../../src/engine/handling/handler-definition.js';
import { HandlerRunner } from '../../../src/engine/handling/handler-runner.js';
import { createLogger, type LogRecord } from '../../../src/engine/ports/index.js';
import { FakeClock } from '../client/fake-clock.js';
import { ticks } from '../queueing/support.js';

function rig(probes: Readonly<Record<string, (context: ActivityContext) => unknown>>) {
  const clock = new FakeClock();
  const records: LogRecord[] = [];
  const logger = createLogger((record) => records.push(record));
  const runner = new HandlerRunner({ clock, stuckAfter: 600_000, logger });
  const calls: string[] = [];
  const activities = Object.keys(probes).map((id): ActivityDefinition => ({
    id,
    origin: `Tests.${id}`,
    on: 'probe',
    policy: {},
    probe: { fails: 'readiness', timeout: 800, maxAge: 10_000 },
  }));
  const probeRunner = new ProbeRunner({
    activities: [{ id: 'connect', origin: 'Tests.connect', on: 'startup', policy: {} }, ...activities],
    invoker: {
      invokeActivity: async ({ id }, context) => {
        calls.push(id);
        return probes[id]?.(context);
      },
    },
    runner,
    clock,
    logger,
  });
  return { clock, runner, records, calls, results: (call = true) => probeRunner.results({ call }) };
}

const failing = (): never => {
  throw new Error('disk is full');
};
const forever = (): Promise<never> => new Promise(() => undefined);

describe('ProbeRunner', () => {
  it('says what probes return, as JSON', async () => {
    const { results, clock } = rig({ free: () => ({ bytes: 5, at: new Date(0) }), nothing: () => undefined });
    const at = clock.now();
    expect(await results()).toEqual([
      { id: 'free', fails: 'readiness', ok: true, value: { bytes: 5, at: '1970-01-01T00:00:00.000Z' }, at },
      { id: 'nothing', fails: 'readiness', ok: true, at },
    ]);
    expect(clock.pending).toBe(0);
  });

  it('calls nobody again before the result is old, and only one at a time', async () => {
    const { results, calls, clock } = rig({ free: () => Promise.resolve(1) });
    await Promise.all([results(), results()]);
    clock.advance(9_999);
    await results();
    expect(calls).toEqual(['free']);
    clock.advance(1);
    await results();
    expect(calls).toEqual(['free', 'free']);
  });

  it('tells a failure once, and that it is over', async () => {
    let broken = true;
    const { results, records, clock } = rig({ disk: () => (broken ? failing() : 'ok') });
    expect(await results()).toMatchObject([{ ok: false, error: 'disk is full' }]);
    clock.advance(10_000);
    await results();
    broken = false;
    clock.advance(10_000);
    expect(await results()).toMatchObject([{ ok: true, value: 'ok' }]);
    expect(records.map(({ level, message, fields }) => [level, message, fields['probe']])).toEqual([
      ['warn', 'Probe failed', 'Tests.disk'],
      ['info', 'Probe succeeds again', 'Tests.disk'],
    ]);
  });

  it('answers in time, aborts what takes longer, and does not call it again before it has ended', async () => {
    let signal: AbortSignal | undefined;
    const end = Promise.withResolvers<string>();
    const { results, calls, clock, runner } = rig({
      slow: (context) => {
        signal = context.signal;
        return end.promise;
      },
    });
    const answer = results();
    await ticks();
    clock.advance(800);
    expect(await answer).toMatchObject([{ ok: false, error: 'The probe has not answered within 800 ms.' }]);
    expect(signal?.aborted).toBe(true);
    clock.advance(20_000);
    expect(await results()).toMatchObject([{ ok: false }]);
    expect(calls).toEqual(['slow']);
    end.resolve('at last');
    await ticks();
    expect(runner.running).toBe(0);
    expect(await results()).toMatchObject([{ ok: true, value: 'at last' }]);
    expect(calls).toEqual(['slow', 'slow']);
  });

  it('lets one that hangs keep no other from its result', async () => {
    const { results, clock } = rig({ hangs: forever, works: () => 1 });
    const answer = results();
    await ticks();
    clock.advance(800);
    expect((await answer).map(({ id, ok }) => [id, ok])).toEqual([
      ['hangs', false],
      ['works', true],
    ]);
  });

  it('refuses what is no JSON', async () => {
    const { results } = rig({ big: () => 1n });
    expect(await results()).toMatchObject([{ ok: false, error: 'What the probe returned is no JSON.' }]);
  });

  it('says only what is known when it must not call', async () => {
    const { results, calls } = rig({ free: () => 1 });
    expect(await results(false)).toEqual([]);
    await results();
    expect(await results(false)).toMatchObject([{ ok: true, value: 1 }]);
    expect(calls).toEqual(['free']);
  });
});
