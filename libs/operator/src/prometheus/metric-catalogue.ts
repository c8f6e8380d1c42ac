/** What a metric is, before a registry knows it. */
export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly unit: string;
  readonly help: string;
  readonly buckets?: readonly number[];
}

const reconcileBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
/** Ten nanoseconds to a thousand seconds, by tens. */
const queueBuckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1_000];
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const handlerBuckets = [0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

const controller = ['controller'];
const queue = ['name', 'controller'];

/**
 * Metrics under the names that operators in Go have, so that their dashboards and alerts work. `controller` and `name` are the
 * resource, `plural.version.group`.
 */
export const sharedMetrics = {
  controller_runtime_reconcile_total: {
    type: 'counter',
    labels: ['controller', 'result'],
    unit: 'cycles',
    help: 'Cycles by result: success; error, when the cycle or a handler in it failed; requeue, when others kept writing. requeue_after stays 0',
  },
  controller_runtime_reconcile_errors_total: {
    type: 'counter',
    labels: controller,
    unit: 'cycles',
    help: 'Cycles that failed, or in which a handler failed',
  },
  controller_runtime_terminal_reconcile_errors_total: {
    type: 'counter',
    labels: controller,
    unit: 'cycles',
    help: 'Cycles in which a handler failed for good',
  },
  controller_runtime_reconcile_time_seconds: {
    type: 'histogram',
    labels: controller,
    unit: 'seconds',
    help: 'Duration of cycles',
    buckets: reconcileBuckets,
  },
  controller_runtime_active_workers: {
    type: 'gauge',
    labels: controller,
    unit: 'keys',
    help: 'Keys that are processed now',
  },
  controller_runtime_max_concurrent_reconciles: {
    type: 'gauge',
    labels: controller,
    unit: 'keys',
    help: 'Keys of the resource that may be processed at a time',
  },
  workqueue_depth: {
    type: 'gauge',
    labels: queue,
    unit: 'keys',
    help: 'Keys that are due and wait for a free slot',
  },
  workqueue_adds_total: {
    type: 'counter',
    labels: queue,
    unit: 'keys',
    help: 'Keys that became due',
  },
  workqueue_queue_duration_seconds: {
    type: 'histogram',
    labels: queue,
    unit: 'seconds',
    help: 'For how long keys were due before their processing began',
    buckets: queueBuckets,
  },
  workqueue_work_duration_seconds: {
    type: 'histogram',
    labels: queue,
    unit: 'seconds',
    help: 'For how long keys were processed',
    buckets: queueBuckets,
  },
  workqueue_unfinished_work_seconds: {
    type: 'gauge',
    labels: queue,
    unit: 'seconds',
    help: 'For how long the keys that are processed now have been so, added up',
  },
  workqueue_longest_running_processor_seconds: {
    type: 'gauge',
    labels: queue,
    unit: 'seconds',
    help: 'For how long the key that has been processed longest has been so',
  },
  workqueue_retries_total: {
    type: 'counter',
    labels: queue,
    unit: 'keys',
    help: 'Keys that wait because their processing failed or could not be finished',
  },
  rest_client_requests_total: {
    type: 'counter',
    labels: ['code', 'method'],
    unit: 'requests',
    help: 'Attempts of requests to the API server by status and HTTP method; <error> where there was no answer',
  },
  leader_election_master_status: {
    type: 'gauge',
    labels: ['name'],
    unit: '0 or 1',
    help: 'Whether this replica leads; absent without an election',
  },
} as const satisfies Record<string, MetricDefinition>;

/** Metrics of our own. Their names get the prefix of the module's options. */
export const ownMetrics = {
  state: {
    type: 'gauge',
    labels: ['state'],
    unit: '0 or 1',
    help: '1 for the state that the operator is in: idle, starting, running, draining, stopping, stopped or failed',
  },
  resources_found: {
    type: 'gauge',
    labels: [],
    unit: '0 or 1',
    help: 'Whether every resource that handlers name has been found on the server',
  },
  watch_up: {
    type: 'gauge',
    labels: ['resource', 'namespace'],
    unit: '0 or 1',
    help: 'Whether the store follows the server; with several watches, whether all do. Absent while nothing serves the kind',
  },
  watch_synced: {
    type: 'gauge',
    labels: ['resource', 'namespace'],
    unit: '0 or 1',
    help: 'Whether the first list has been read and a watch accepted',
  },
  watch_last_event_age_seconds: {
    type: 'gauge',
    labels: ['resource', 'namespace'],
    unit: 'seconds',
    help: 'For how long the server has sent nothing, bookmarks included; with several watches, the longest. Absent before anything came',
  },
  watch_degraded_seconds: {
    type: 'gauge',
    labels: ['resource', 'namespace'],
    unit: 'seconds',
    help: 'For how long the watch has been out of sync, 0 in sync; with several watches, the longest',
  },
  watch_restarts_total: {
    type: 'counter',
    labels: ['resource', 'reason'],
    unit: 'restarts',
    help: 'How often a watch was taken up again; end is a stream that ended in order',
  },
  watch_events_total: {
    type: 'counter',
    labels: ['resource', 'type'],
    unit: 'events',
    help: 'Events that watches delivered, bookmarks included',
  },
  store_objects: {
    type: 'gauge',
    labels: ['resource'],
    unit: 'objects',
    help: 'Objects in the store',
  },
  queue_keys: {
    type: 'gauge',
    labels: ['resource'],
    unit: 'keys',
    help: 'Keys with work now or later, timers, retries and resyncs included',
  },
  due_keys: {
    type: 'gauge',
    labels: [],
    unit: 'keys',
    help: 'Keys that are due or processed now',
  },
  throttled_objects: {
    type: 'gauge',
    labels: [],
    unit: 'objects',
    help: 'Objects whose processing fails and is throttled',
  },
  throttles_total: {
    type: 'counter',
    labels: ['resource'],
    unit: 'cycles',
    help: 'Cycles after which an object was throttled',
  },
  handlers_running: {
    type: 'gauge',
    labels: [],
    unit: 'handlers',
    help: 'Handlers that run now, daemons included',
  },
  handlers_stuck: {
    type: 'gauge',
    labels: [],
    unit: 'handlers',
    help: 'Handlers that are over their time, or deaf to their abort',
  },
  concurrency_limit: {
    type: 'gauge',
    labels: [],
    unit: 'keys',
    help: 'Keys of all resources that may be processed at a time',
  },
  handler_calls_total: {
    type: 'counter',
    labels: ['resource', 'handler', 'outcome'],
    unit: 'calls',
    help: 'Calls of handlers by outcome: succeeded, temporary, permanent, ignored, aborted or fatal. resource is empty for activities',
  },
  handler_duration_seconds: {
    type: 'histogram',
    labels: ['resource', 'handler'],
    unit: 'seconds',
    help: 'Duration of calls of handlers',
    buckets: handlerBuckets,
  },
  handler_stuck_total: {
    type: 'counter',
    labels: ['resource', 'handler'],
    unit: 'calls',
    help: 'Calls of handlers that went over their time, or were deaf to their abort',
  },
  api_requests_total: {
    type: 'counter',
    labels: ['verb', 'code'],
    unit: 'requests',
    help: 'Attempts of requests to the API server by verb and status; error where there was no answer',
  },
  api_request_duration_seconds: {
    type: 'histogram',
    labels: ['verb'],
    unit: 'seconds',
    help: 'Duration of requests to the API server; of a watch, until it was accepted',
    buckets: requestBuckets,
  },
  kubernetes_events_posted_total: {
    type: 'counter',
    labels: [],
    unit: 'events',
    help: 'Kubernetes events that were posted',
  },
  kubernetes_events_dropped_total: {
    type: 'counter',
    labels: ['reason'],
    unit: 'events',
    help: 'Kubernetes events that were not posted: over the budget of their object, too many at once, or refused',
  },
  leader_state: {
    type: 'gauge',
    labels: ['state'],
    unit: '0 or 1',
    help: '1 for the state of this replica in the election; off: there is none',
  },
  lease_failing_seconds: {
    type: 'gauge',
    labels: [],
    unit: 'seconds',
    help: 'For how long requests for the lease have failed, 0 when they succeed',
  },
  event_loop_lag_seconds: {
    type: 'gauge',
    labels: [],
    unit: 'seconds',
    help: 'The most that a timer was late within the last minute; measured while it is asked for at least every two minutes',
  },
} as const satisfies Record<string, MetricDefinition>;

export type SharedMetric = keyof typeof sharedMetrics;
export type OwnMetric = keyof typeof ownMetrics;
