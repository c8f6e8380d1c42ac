import { noElection } from '../../../src/engine/leaderelection/leadership-status.js';
import { describe, expect, it } from 'vitest';
import {
  judgeHealth,
  livenessReasons,
  readinessReasons,
  type HealthFacts,
} from '../../../src/engine/health/operator-health.js';
import type { LeadershipStatus } from '../../../src/engine/leaderelection/leadership-status.js';
import type { OperatorStatus, WatchStatus } from '../../../src/engine/operator-status.js';
import type { ProbeResult } from '../../../src/engine/health/probe-runner.js';

const watch: WatchStatus = {
  resource: 'widgets.v1.demo.example',
  namespace: undefined,
  state: 'watching',
  since: 1_000,
  synced: true,
  cause: undefined,
  lastEventAt: 9_000,
  degradedFor: undefined,
};

const status: OperatorStatus = {
  state: 'running',
  tasks: [{ name: 'watch guard', state: 'running' }],
  watches: [watch],
  objects: {},
  queued: {},
  due: 0,
  running: 2,
  stuck: 0,
  capacity: 50,
  throttled: 3,
  found: true,
  paused: false,
  leadership: noElection,
};

const probe: ProbeResult = { id: 'disk', ok: false, fails: 'none', error: 'full', at: 1 };

function facts(part: Partial<OperatorStatus> = {}, more: Partial<HealthFacts> = {}): HealthFacts {
  return {
    status: { ...status, ...part },
    eventLoop: { lag: 0, worst: 0, late: 0 },
    probes: [],
    limits: { degradedAfter: 10_000, maxLag: 5_000 },
    now: 10_000,
    ...more,
  };
}

const against = (given: HealthFacts) => {
  const { liveness, readiness } = judgeHealth(given);
  expect(liveness.ok).toBe(liveness.reasons.length === 0);
  expect(readiness.ok).toBe(readiness.reasons.length === 0);
  const names = (reasons: readonly { reason: string; subject?: string }[]): string[] =>
    reasons.map(({ reason, subject }) => (subject === undefined ? reason : `${reason}: ${subject}`));
  return { liveness: names(liveness.reasons), readiness: names(readiness.reasons) };
};

const degraded = (degradedFor: number, more: Partial<WatchStatus> = {}): WatchStatus => {
  return { ...watch, state: 'degraded', cause: 'list answered 503', degradedFor, ...more };
};

describe('judgeHealth', () => {
  it('finds nothing against an operator that runs in sync', () => {
    const health = judgeHealth(facts());
    expect(health).toMatchObject({
      state: 'running',
      liveness: { ok: true, reasons: [] },
      readiness: { ok: true, reasons: [] },
      handlers: { running: 2, stuck: 0, limit: 50 },
      throttled: 3,
    });
    expect(health.watches).toEqual([
      {
        resource: 'widgets.v1.demo.example',
        namespace: undefined,
        state: 'watching',
        since: 1_000,
        synced: true,
        cause: undefined,
        lastEventAge: 1_000,
        degradedFor: undefined,
      },
    ]);
  });

  it.each<[OperatorStatus['state'], string[], string[]]>([
    ['idle', [], ['not-started']],
    ['starting', [], ['starting']],
    ['running', [], []],
    ['draining', [], ['stopping']],
    ['stopping', [], ['stopping']],
    ['stopped', [], ['stopping']],
    ['failed', ['failed'], ['failed']],
  ])('knows the state %s', (state, liveness, readiness) => {
    expect(against(facts({ state }))).toEqual({ liveness, readiness });
  });

  it('is not ready while resources are looked for, or a watch has never been in sync', () => {
    const unsynced = { ...degraded(1), synced: false, namespace: 'team-a' };
    expect(against(facts({ found: false, watches: [watch, unsynced] }))).toEqual({
      liveness: [],
      readiness: ['looking-up', 'not-synced: widgets.v1.demo.example in team-a'],
    });
  });

  it('is not ready when a watch is out of sync for too long, and alive all the while', () => {
    expect(against(facts({ watches: [degraded(9_999)] }))).toEqual({ liveness: [], readiness: [] });
    expect(against(facts({ watches: [degraded(10_000)] }))).toEqual({
      liveness: [],
      readiness: ['degraded: widgets.v1.demo.example'],
    });
    expect(judgeHealth(facts({ watches: [degraded(61_000)] })).readiness.reasons[0]?.message).toBe(
      'It has been out of sync for 61 s: list answered 503.',
    );
  });

  const lease: LeadershipStatus = {
    state: 'leading',
    since: 1,
    lease: 'ops/demo.example',
    identity: 'a',
    holder: 'a',
    failing: undefined,
  };

  it('is ready as a leader in sync, and as a standby that has nothing to look at before it leads', () => {
    expect(against(facts({ leadership: lease })).readiness).toEqual([]);
    const cold = { found: false, watches: [] };
    expect(against(facts({ leadership: { ...lease, state: 'standby' }, ...cold })).readiness).toEqual([]);
    expect(against(facts({ leadership: { ...lease, state: 'acquiring' }, ...cold })).readiness).toEqual([]);
    expect(against(facts({ leadership: lease, ...cold })).readiness).toEqual(['looking-up']);
  });

  it('is not ready as a standby that looks at the cluster already and is not in sync', () => {
    const warm = { leadership: { ...lease, state: 'standby' as const }, watches: [{ ...watch, synced: false }] };
    expect(against(facts(warm)).readiness).toEqual(['not-synced: widgets.v1.demo.example']);
  });

  it('is not ready when the lead is lost, or the lease cannot be had for too long, and alive all the while', () => {
    expect(against(facts({ leadership: { ...lease, state: 'losing' } }))).toEqual({
      liveness: [],
      readiness: ['lead-lost: ops/demo.example'],
    });
    const failing = (since: number) =>
      against(facts({ leadership: { ...lease, state: 'standby', failing: { since, message: '403' } } }));
    expect(failing(1).readiness).toEqual([]);
    expect(failing(0)).toEqual({ liveness: [], readiness: ['lease-failing: ops/demo.example'] });
  });

  it('waits quietly for a kind that is gone', () => {
    const gone = { ...watch, state: 'kind-gone' as const };
    expect(against(facts({ watches: [gone] }))).toEqual({ liveness: [], readiness: [] });
  });

  it('is not alive when a task has ended and the operator goes on', () => {
    const tasks = [
      { name: 'watch guard', state: 'failed' as const },
      { name: 'event recorder', state: 'cancelled' as const },
    ];
    expect(against(facts({ tasks })).liveness).toEqual(['task-dead: watch guard']);
    expect(against(facts({ tasks, state: 'draining' })).liveness).toEqual([]);
  });

  it('is not alive when as many handlers are stuck as may run', () => {
    expect(against(facts({ stuck: 49 })).liveness).toEqual([]);
    expect(against(facts({ stuck: 50 }))).toEqual({ liveness: ['handlers-stuck'], readiness: [] });
  });

  it('is not alive when timers are late again and again', () => {
    const late = (times: number) => against(facts({}, { eventLoop: { lag: 6_000, worst: 6_000, late: times } }));
    expect(late(2)).toEqual({ liveness: [], readiness: [] });
    expect(late(3)).toEqual({ liveness: ['event-loop-late'], readiness: [] });
  });

  it('takes failed probes for what they say they mean', () => {
    const probes = [
      probe,
      { ...probe, id: 'queue', fails: 'readiness' as const },
      { ...probe, id: 'lock', fails: 'liveness' as const },
      { ...probe, id: 'fine', fails: 'liveness' as const, ok: true },
    ];
    expect(against(facts({}, { probes }))).toEqual({
      liveness: ['probe-failed: lock'],
      readiness: ['probe-failed: queue'],
    });
    expect(judgeHealth(facts({}, { probes })).probes).toEqual(probes);
    expect(against(facts({ state: 'starting' }, { probes })).readiness).toEqual(['starting', 'probe-failed: queue']);
  });

  it('gives no negative age when the wall clock was set back', () => {
    expect(judgeHealth(facts({}, { now: 0 })).watches[0]?.lastEventAge).toBe(0);
  });

  it('has a list of all reasons', () => {
    expect(new Set(livenessReasons).size).toBe(livenessReasons.length);
    expect(new Set(readinessReasons).size).toBe(readinessReasons.length);
  });
});
