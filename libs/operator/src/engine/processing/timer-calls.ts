import type { SupersededBecause } from '../../errors/object-superseded.error.js';
import type { DecisionView } from '../handling/change-decision.js';
import { matchesObject, matchesValue } from '../handling/filter-match.js';
import type { ResourceHandler, TimerTrigger } from '../handling/resource-handler.js';
import type { StoredObject } from '../kube-object.js';
import type { KeyRun } from '../queueing/work-queue.js';
import type { Essence } from './essence.js';
import { reportFailure } from './failure-report.js';
import { callHandler, type CallResult } from './handler-calls.js';
import type { ObjectMemory, TimerProgress } from './object-memory.js';
import type { ProcessingEnvironment } from './processing-environment.js';
import type { CallFailure } from './weigh-result.js';

/** What a call began with. */
export interface TimerCallStart {
  readonly progress: TimerProgress;
  readonly monotonic: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly changes: number;
}

/**
 * Monotonic milliseconds of the timer's next call; `undefined` when it does not serve the object, or waits for a change.
 * A timer that comes to serve the object begins anew, with its initial delay.
 */
export function nextTimer(
  environment: ProcessingEnvironment,
  memory: ObjectMemory,
  handler: ResourceHandler,
  view: DecisionView,
): number | undefined {
  const { timing } = handler;
  if (timing === undefined) return undefined;
  if (!servesNow(timing, view)) {
    memory.timers?.delete(handler.id);
    return undefined;
  }
  const { idle } = timing.schedule;
  let progress = memory.timers?.get(handler.id);
  if (progress === undefined) {
    progress = begin(environment, memory, timing, view);
    (memory.timers ??= new Map()).set(handler.id, progress);
  }
  if (progress.waitsFor === 'nothing') return undefined;
  if (progress.waitsFor === 'change') {
    if (progress.seen === memory.essentialChanges) return undefined;
    progress.waitsFor = 'time';
    progress.due = memory.changedAt;
    progress.failures = 0;
  }
  return idle === undefined ? progress.due : Math.max(progress.due, memory.changedAt + idle);
}

/** Begins a call of a timer that is due. */
export function timerCall(
  environment: ProcessingEnvironment,
  memory: ObjectMemory,
  run: KeyRun,
  handler: ResourceHandler,
  object: StoredObject,
  essence: Essence,
  endsFor: (newer: StoredObject) => SupersededBecause | undefined,
): { readonly call: Promise<CallResult>; readonly began: TimerCallStart } {
  const progress = memory.timers?.get(handler.id) as TimerProgress;
  const { clock } = environment;
  const began = { progress, monotonic: clock.monotonic(), at: clock.now(), changes: memory.essentialChanges };
  if (progress.failures === 0) progress.failingSince = began.at;
  const call = callHandler(environment, {
    handler,
    object,
    essence,
    memory,
    run,
    cause: 'timer',
    retry: progress.failures,
    startedAt: progress.failingSince,
    endsFor,
  });
  return { call, began };
}

/** Plans what comes after a call that was not interrupted. */
export function concludeTimer(
  environment: ProcessingEnvironment,
  memory: ObjectMemory,
  handler: ResourceHandler,
  object: StoredObject,
  { progress, monotonic, changes }: TimerCallStart,
  failure: CallFailure | undefined,
): 'fatal' | undefined {
  const { clock } = environment;
  progress.seen = changes;
  if (failure !== undefined) {
    progress.failures += 1;
    const verdict = reportFailure(environment, {
      handler,
      cause: 'timer',
      object,
      failure,
      failures: progress.failures,
      runtime: clock.now() - progress.failingSince,
    });
    switch (verdict.kind) {
      case 'fatal':
        return 'fatal';
      case 'retry':
        progress.due = clock.monotonic() + verdict.delay;
        return undefined;
      case 'final':
        progress.waitsFor = 'change';
        return undefined;
      case 'ignored':
    }
  }
  progress.failures = 0;
  const { interval, idle, sharp } = (handler.timing as TimerTrigger).schedule;
  const now = clock.monotonic();
  if (interval === undefined) progress.waitsFor = idle === undefined ? 'nothing' : 'change';
  else if (sharp) {
    progress.grid ??= monotonic;
    progress.due = progress.grid + interval * (Math.floor((now - progress.grid) / interval) + 1);
  } else progress.due = now + interval;
  return undefined;
}

/** The next call does not wait: somebody asked for it. */
export function hasten(progress: TimerProgress, now: number): void {
  if (progress.waitsFor === 'nothing') return;
  progress.waitsFor = 'time';
  progress.due = Math.min(progress.due, now);
}

/** Why a running call of a timer is to end, given a newer state of its object. */
export function timerEndsFor(
  { switches }: ProcessingEnvironment,
  { timing }: ResourceHandler,
  view: DecisionView,
): SupersededBecause | undefined {
  if (switches.isPaused(view.object)) return 'paused';
  try {
    return timing !== undefined && servesNow(timing, view) ? undefined : 'mismatch';
  } catch {
    // The next cycle asks the same filter, and deals with its error.
    return undefined;
  }
}

function servesNow({ filter }: TimerTrigger, view: DecisionView): boolean {
  if (view.object.metadata.deletionTimestamp !== undefined) return false;
  const context = view.context('timer');
  return matchesValue(filter, context) && matchesObject(filter, context);
}

function begin(
  { clock, random }: ProcessingEnvironment,
  memory: ObjectMemory,
  { schedule }: TimerTrigger,
  view: DecisionView,
): TimerProgress {
  const { initialDelay, jitter } = schedule;
  const delay = typeof initialDelay === 'function' ? initialDelay(view.context('timer')) : initialDelay;
  const spread = memory.initial ? jitter * random.next() : 0;
  return {
    waitsFor: 'time',
    due: clock.monotonic() + delay + spread,
    failures: 0,
    failingSince: 0,
    seen: memory.essentialChanges,
    grid: undefined,
  };
}
