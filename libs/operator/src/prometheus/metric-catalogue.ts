/** What a metric is, before a registry knows it. */
export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly unit: string;
  readonly help: string;
  readonly buckets?: readonly number[];
}

/**
 * Metrics under the names that operators in Go have, so that their dashboards and alerts work. `controller` and `name` are the
 * resource, `plural.version.group`.
 */
export const sharedMetrics = {
  controller_runtime_max_concurrent_reconciles: {
    type: 'gauge',
    labels: ['controller'],
    unit: 'keys',
    help: 'Keys of the resource that may be processed at a time',
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
