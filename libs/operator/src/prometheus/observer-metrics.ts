import type { Counter, Histogram } from 'prom-client';
import type { ApiVerb } from '../engine/client/api-client.js';
import type { CycleFact, CycleResult, EngineObserver, HandlerFact, HandlerOutcome } from '../engine/engine-observer.js';
import type { ObjectKey } from '../engine/kube-object.js';
import type { Clock } from '../engine/ports/index.js';
import type { MetricSet } from './metric-set.js';
import type { OwnMetric, SharedMetric } from './metric-catalogue.js';
import { WorkTimes } from './work-times.js';

const methods: Readonly<Record<ApiVerb, string>> = {
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
};

/** What a cycle counts as, if no handler in it failed. A cycle that was cut short by a stop has no result. */
const results: Readonly<Record<CycleResult, 'success' | 'error' | 'requeue' | undefined>> = {
  done: 'success',
  gone: 'success',
  postponed: 'requeue',
  throttled: 'error',
  failed: 'error',
  cut: undefined,
};

type Severity = 'repeated' | 'final';

const severities: Partial<Record<HandlerOutcome, Severity>> = {
  temporary: 'repeated',
  permanent: 'final',
  fatal: 'final',
};

/** Counts what the engine tells, as it happens. */
export function countFacts(metrics: MetricSet, clock: Clock): EngineObserver {
  const count = (name: SharedMetric): Counter => metrics.shared(name) as Counter;
  const countOwn = (name: OwnMetric): Counter => metrics.own(name) as Counter;
  const times = (name: SharedMetric): Histogram => metrics.shared(name) as Histogram;
  const timesOwn = (name: OwnMetric): Histogram => metrics.own(name) as Histogram;

  const cycles = count('controller_runtime_reconcile_total');
  const cycleErrors = count('controller_runtime_reconcile_errors_total');
  const finalErrors = count('controller_runtime_terminal_reconcile_errors_total');
  const cycleTime = times('controller_runtime_reconcile_time_seconds');
  const adds = count('workqueue_adds_total');
  const retries = count('workqueue_retries_total');
  const waited = times('workqueue_queue_duration_seconds');
  const worked = times('workqueue_work_duration_seconds');
  const restRequests = count('rest_client_requests_total');
  const requests = countOwn('api_requests_total');
  const requestTime = timesOwn('api_request_duration_seconds');
  const calls = countOwn('handler_calls_total');
  const callTime = timesOwn('handler_duration_seconds');
  const stuck = countOwn('handler_stuck_total');
  const restarts = countOwn('watch_restarts_total');
  const watchEvents = countOwn('watch_events_total');
  const throttles = countOwn('throttles_total');
  const posted = countOwn('kubernetes_events_posted_total');
  const dropped = countOwn('kubernetes_events_dropped_total');

  /** Cycles that run, with the worst that a handler in them came to. */
  const running = new Map<string, { readonly cycle: CycleFact; worst: Severity | undefined }>();
  const work = new WorkTimes(clock);
  pullWork(metrics, work);
  const queueOf = (resource: string) => ({ name: resource, controller: resource });

  return {
    onResourceServed: (controller) => {
      for (const result of ['success', 'error', 'requeue', 'requeue_after']) cycles.inc({ controller, result }, 0);
      cycleErrors.inc({ controller }, 0);
      finalErrors.inc({ controller }, 0);
      adds.inc(queueOf(controller), 0);
      retries.inc(queueOf(controller), 0);
      throttles.inc({ resource: controller }, 0);
      work.serve(controller);
    },
    onResourceLeft: (resource) => work.leave(resource),
    onWatchRestart: ({ resource }, reason) => restarts.inc({ resource, reason }),
    onWatchEvent: ({ resource }, type) => watchEvents.inc({ resource, type }),
    onQueueState: (resource, key, state) => {
      const ended = work.enter(resource, key, state);
      if (state === 'ready') adds.inc(queueOf(resource));
      if (ended?.state === 'ready' && state === 'running') waited.observe(queueOf(resource), ended.duration / 1_000);
      if (ended?.state === 'running') worked.observe(queueOf(resource), ended.duration / 1_000);
    },
    onQueueRetry: (resource) => retries.inc(queueOf(resource)),
    onCycleStart: (cycle) => running.set(idOf(cycle.resource, cycle.key), { cycle, worst: undefined }),
    onCycleEnd: ({ resource, key }, { result, duration }) => {
      const id = idOf(resource, key);
      const worst = running.get(id)?.worst;
      running.delete(id);
      const controller = resource;
      cycleTime.observe({ controller }, duration / 1_000);
      const counted = results[result];
      const failed = worst !== undefined || counted === 'error';
      if (failed) cycleErrors.inc({ controller });
      if (worst === 'final' || result === 'failed') finalErrors.inc({ controller });
      const told = failed ? 'error' : counted;
      if (told !== undefined) cycles.inc({ controller, result: told });
    },
    onThrottled: (resource) => throttles.inc({ resource }),
    onHandlerEnd: (fact, { outcome, duration }) => {
      calls.inc({ ...handlerLabels(fact), outcome });
      callTime.observe(handlerLabels(fact), duration / 1_000);
      const severity = severities[outcome];
      const { resource, key, cause } = fact;
      // Daemons run beside cycles.
      if (severity === undefined || cause === 'daemon' || resource === undefined || key === undefined) return;
      const cycle = running.get(idOf(resource, key));
      if (cycle !== undefined && cycle.worst !== 'final') cycle.worst = severity;
    },
    onHandlerStuck: (fact) => stuck.inc(handlerLabels(fact)),
    onRequestEnd: ({ verb }, { status, duration }) => {
      restRequests.inc({ code: status === undefined ? '<error>' : String(status), method: methods[verb] });
      requests.inc({ verb, code: status === undefined ? 'error' : String(status) });
      requestTime.observe({ verb }, duration / 1_000);
    },
    onEventPosted: () => posted.inc(),
    onEventDropped: (reason) => dropped.inc({ reason }),
  };
}

function pullWork(metrics: MetricSet, work: WorkTimes): void {
  const pull = (name: SharedMetric, value: (resource: string) => number, withName: boolean): void =>
    metrics.pull(metrics.shared(name), (set) => {
      for (const controller of work.resources) {
        set(withName ? { name: controller, controller } : { controller }, value(controller));
      }
    });
  pull('controller_runtime_active_workers', (resource) => work.running(resource).length, false);
  pull('workqueue_depth', (resource) => work.ready(resource), true);
  pull('workqueue_unfinished_work_seconds', (resource) => sum(work.running(resource)) / 1_000, true);
  pull(
    'workqueue_longest_running_processor_seconds',
    (resource) => Math.max(0, ...work.running(resource)) / 1_000,
    true,
  );
}

/** The name of a sub-handler may come from an object: it is counted with its handler. */
function handlerLabels({ resource = '', origin }: HandlerFact): { resource: string; handler: string } {
  const [handler = origin] = origin.split('/');
  return { resource, handler };
}

function idOf(resource: string, key: ObjectKey): string {
  return `${resource} ${key}`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
