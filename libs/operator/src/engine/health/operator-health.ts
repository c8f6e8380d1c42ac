import type { LeadershipStatus } from '../leaderelection/leadership-status.js';
import type { OperatorConfig } from '../operator-config.js';
import type { OperatorStatus, WatchStatus } from '../operator-status.js';
import type { OperatorState } from '../supervision/supervised.js';
import type { WatchState } from '../watching/watch-health.js';
import type { EventLoopHealth } from './event-loop-monitor.js';
import type { ProbeResult } from './probe-runner.js';

/** Why an operator is not alive. */
export const livenessReasons = ['failed', 'task-dead', 'handlers-stuck', 'event-loop-late', 'probe-failed'] as const;

/** Why an operator is not ready. */
export const readinessReasons = [
  'not-started',
  'starting',
  'stopping',
  'failed',
  'lead-lost',
  'lease-failing',
  'looking-up',
  'not-synced',
  'degraded',
  'probe-failed',
] as const;

export type LivenessReason = (typeof livenessReasons)[number];
export type ReadinessReason = (typeof readinessReasons)[number];

/** One reason against a verdict. */
export interface HealthReason<R extends string = string> {
  readonly reason: R;
  /** The task, watch or probe that it is about. Absent: the operator itself. */
  readonly subject?: string;
  /** One sentence. Holds no content of objects. */
  readonly message: string;
}

/** A yes or no, with everything that speaks against it. */
export interface HealthVerdict<R extends string = string> {
  readonly ok: boolean;
  /** Empty when `ok`. */
  readonly reasons: readonly HealthReason<R>[];
}

/** One watch, as far as its health is concerned. */
export interface WatchReport {
  /** `plural.version.group`. */
  readonly resource: string;
  /** `undefined`: all namespaces, or a resource that is in none. */
  readonly namespace: string | undefined;
  readonly state: WatchState;
  /** When it came to that state, milliseconds since 1970. */
  readonly since: number;
  /** It was in sync once since the start. */
  readonly synced: boolean;
  /** Why it is degraded. */
  readonly cause: string | undefined;
  /** Milliseconds since the server last sent something on it, bookmarks included. `undefined`: it never has. */
  readonly lastEventAge: number | undefined;
  /** Milliseconds for which it has been out of sync. `undefined`: it is in sync, or waits for its kind. */
  readonly degradedFor: number | undefined;
}

/** The operator's health at one moment. */
export interface OperatorHealth {
  readonly state: OperatorState;
  /** Held by `OperatorRef.pause()`. Neither alive nor ready depends on it. */
  readonly paused: boolean;
  /** Whether the process is worth keeping. Not: whether the cluster answers. */
  readonly liveness: HealthVerdict<LivenessReason>;
  /** Whether the operator does its work: all that it is to serve is in sync, or it stands by for another replica. */
  readonly readiness: HealthVerdict<ReadinessReason>;
  /** Who leads, where there is an election. */
  readonly leadership: LeadershipStatus;
  /** In the order of the handlers. */
  readonly watches: readonly WatchReport[];
  readonly handlers: {
    readonly running: number;
    /** Over their time, or deaf to their abort. */
    readonly stuck: number;
    /** As many stuck ones are the end of liveness. */
    readonly limit: number;
  };
  /** Objects that wait because the processing of them failed. */
  readonly throttled: number;
  readonly eventLoop: EventLoopHealth;
  /** Results of `@OnProbe` methods, in declaration order. */
  readonly probes: readonly ProbeResult[];
}

/** What health is judged by. */
export interface HealthFacts {
  readonly status: OperatorStatus;
  readonly eventLoop: EventLoopHealth;
  readonly probes: readonly ProbeResult[];
  readonly limits: Pick<OperatorConfig['health'], 'degradedAfter' | 'maxLag'>;
  /** Wall clock, milliseconds since 1970. */
  readonly now: number;
}

/** So many timers in a row have to be late: one stall that is over is no reason to end a process. */
const lateInARow = 3;

/** Judges the operator. Pure. */
export function judgeHealth(facts: HealthFacts): OperatorHealth {
  const { status, eventLoop, probes, now } = facts;
  return {
    state: status.state,
    paused: status.paused,
    liveness: verdict(againstLiveness(facts)),
    readiness: verdict(againstReadiness(facts)),
    leadership: status.leadership,
    watches: status.watches.map((watch) => report(watch, now)),
    handlers: { running: status.running, stuck: status.stuck, limit: status.capacity },
    throttled: status.throttled,
    eventLoop,
    probes,
  };
}

function verdict<R extends string>(reasons: readonly HealthReason<R>[]): HealthVerdict<R> {
  return { ok: reasons.length === 0, reasons };
}

function againstLiveness({ status, eventLoop, probes, limits }: HealthFacts): HealthReason<LivenessReason>[] {
  const { state, tasks, stuck, capacity } = status;
  const reasons: HealthReason<LivenessReason>[] = [];
  if (state === 'failed') reasons.push({ reason: 'failed', message: 'The operator has failed.' });
  if (state === 'running') {
    for (const { name, state: of } of tasks) {
      if (of === 'running' || of === 'cancelled') continue;
      reasons.push({ reason: 'task-dead', subject: name, message: `The task has ${of}, and the operator goes on.` });
    }
  }
  if (stuck >= capacity) {
    const message = `${stuck} handlers are stuck, as many as may run.`;
    reasons.push({ reason: 'handlers-stuck', message });
  }
  if (eventLoop.late >= lateInARow) {
    const message = `The last ${eventLoop.late} timers were late by more than ${limits.maxLag} ms, the last one by ${eventLoop.lag} ms.`;
    reasons.push({ reason: 'event-loop-late', message });
  }
  return [...reasons, ...failedProbes(probes, 'liveness')];
}

function againstReadiness(facts: HealthFacts): HealthReason<ReadinessReason>[] {
  const { status, probes, limits } = facts;
  const idle = notRunning[status.state];
  if (idle !== undefined) return [idle, ...failedProbes(probes, 'readiness')];
  const reasons = againstLeadership(facts);
  if (!status.found && !standsByCold(status)) {
    reasons.push({ reason: 'looking-up', message: 'Not all resources of the handlers have been found.' });
  }
  for (const watch of status.watches) {
    const reason = againstWatch(watch, limits.degradedAfter);
    if (reason !== undefined) reasons.push(reason);
  }
  return [...reasons, ...failedProbes(probes, 'readiness')];
}

function againstLeadership({ status, limits, now }: HealthFacts): HealthReason<ReadinessReason>[] {
  const { state, lease, failing } = status.leadership;
  const subject = lease === undefined ? {} : { subject: lease };
  const reasons: HealthReason<ReadinessReason>[] = [];
  if (state === 'losing')
    reasons.push({ reason: 'lead-lost', ...subject, message: 'What ran under the lead is ending.' });
  const failingFor = failing === undefined ? 0 : now - failing.since;
  if (failing !== undefined && failingFor >= limits.degradedAfter) {
    const message = `The lease could not be had for ${Math.floor(failingFor / 1_000)} s: ${failing.message}.`;
    reasons.push({ reason: 'lease-failing', ...subject, message });
  }
  return reasons;
}

/** It waits for the lead, and begins to look at the cluster only then. */
function standsByCold({ leadership: { state }, watches }: OperatorStatus): boolean {
  return state !== 'off' && state !== 'leading' && watches.length === 0;
}

const notRunning: Readonly<Record<OperatorState, HealthReason<ReadinessReason> | undefined>> = {
  idle: { reason: 'not-started', message: 'The operator has not been started.' },
  starting: { reason: 'starting', message: 'Start-up handlers run.' },
  running: undefined,
  draining: { reason: 'stopping', message: 'The operator stops.' },
  stopping: { reason: 'stopping', message: 'The operator stops.' },
  stopped: { reason: 'stopping', message: 'The operator has stopped.' },
  failed: { reason: 'failed', message: 'The operator has failed.' },
};

function againstWatch(watch: WatchStatus, degradedAfter: number): HealthReason<ReadinessReason> | undefined {
  const subject = watchName(watch);
  const why = watch.cause === undefined ? '' : `: ${watch.cause}`;
  if (!watch.synced) return { reason: 'not-synced', subject, message: `It has not been in sync yet${why}.` };
  const { degradedFor } = watch;
  if (degradedFor === undefined || degradedFor < degradedAfter) return undefined;
  const seconds = Math.floor(degradedFor / 1_000);
  return { reason: 'degraded', subject, message: `It has been out of sync for ${seconds} s${why}.` };
}

function failedProbes(probes: readonly ProbeResult[], fails: ProbeResult['fails']): HealthReason<'probe-failed'>[] {
  return probes
    .filter((probe) => probe.fails === fails && !probe.ok)
    .map(({ id, error }) => ({ reason: 'probe-failed', subject: id, message: error ?? 'The probe failed.' }));
}

function report(watch: WatchStatus, now: number): WatchReport {
  const { resource, namespace, state, since, synced, cause, lastEventAt, degradedFor } = watch;
  // The wall clock may have been set back meanwhile.
  const lastEventAge = lastEventAt === undefined ? undefined : Math.max(0, now - lastEventAt);
  return { resource, namespace, state, since, synced, cause, lastEventAge, degradedFor };
}

/** How reasons name a watch. */
export function watchName({ resource, namespace }: Pick<WatchStatus, 'resource' | 'namespace'>): string {
  return namespace === undefined ? resource : `${resource} in ${namespace}`;
}
