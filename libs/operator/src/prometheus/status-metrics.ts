import type { OperatorStatus, WatchStatus } from '../engine/engine-types.js';
import type { EventLoopMonitor } from '../engine/health/event-loop-monitor.js';
import type { ElectionState } from '../engine/leaderelection/election-state.js';
import type { Clock } from '../engine/ports/index.js';
import type { OperatorState } from '../engine/supervision/supervised.js';
import type { Labels, MetricSet } from './metric-set.js';
import type { OwnMetric } from './metric-catalogue.js';

export interface StatusMetricsOptions {
  readonly status: () => OperatorStatus;
  readonly eventLoop: EventLoopMonitor;
  readonly clock: Clock;
  /** One series for each watched namespace. */
  readonly namespaces: boolean;
  /** Keys of one resource that may be processed at a time. */
  readonly concurrency: number;
}

const operatorStates = Object.keys({
  idle: true,
  starting: true,
  running: true,
  draining: true,
  stopping: true,
  stopped: true,
  failed: true,
} satisfies Record<OperatorState, true>);

const leaderStates = Object.keys({
  off: true,
  idle: true,
  standby: true,
  acquiring: true,
  leading: true,
  losing: true,
  released: true,
  left: true,
} satisfies Record<'off' | ElectionState, true>);

/** Fills gauges with what the operator's status says, whenever they are read. */
export function pullStatus(metrics: MetricSet, options: StatusMetricsOptions): void {
  const { eventLoop, clock, namespaces, concurrency } = options;
  const status = oncePerScrape(options.status);
  const own = (name: OwnMetric, fill: Parameters<MetricSet['pull']>[1]): void => metrics.pull(metrics.own(name), fill);
  const single = (name: OwnMetric, value: () => number): void => own(name, (set) => set({}, value()));
  const oneOf = (name: OwnMetric, states: readonly string[], current: () => string): void =>
    own(name, (set) => {
      for (const state of states) set({ state }, bit(state === current()));
    });
  const perResource = (name: OwnMetric, values: () => Readonly<Record<string, number>>): void =>
    own(name, (set) => {
      for (const [resource, value] of Object.entries(values())) set({ resource }, value);
    });
  const perWatch = (name: OwnMetric, value: (watches: readonly WatchStatus[]) => number | undefined): void =>
    own(name, (set) => {
      for (const { labels, watches } of groups(status().watches, namespaces)) {
        const found = value(watches);
        if (found !== undefined) set(labels, found);
      }
    });

  oneOf('state', operatorStates, () => status().state);
  single('resources_found', () => bit(status().found));
  perWatch('watch_up', (watches) => {
    const served = watches.filter(({ state }) => state !== 'kind-gone');
    return served.length === 0 ? undefined : bit(served.every(({ state }) => state === 'watching'));
  });
  perWatch('watch_synced', (watches) => bit(watches.every(({ synced }) => synced)));
  perWatch('watch_last_event_age_seconds', (watches) => {
    const times = watches.flatMap(({ lastEventAt }) => lastEventAt ?? []);
    return times.length === 0 ? undefined : Math.max(0, clock.now() - Math.min(...times)) / 1_000;
  });
  perWatch('watch_degraded_seconds', (watches) => {
    return Math.max(...watches.map(({ degradedFor }) => degradedFor ?? 0)) / 1_000;
  });
  perResource('store_objects', () => status().objects);
  perResource('queue_keys', () => status().queued);
  single('due_keys', () => status().due);
  single('throttled_objects', () => status().throttled);
  single('handlers_running', () => status().running);
  single('handlers_stuck', () => status().stuck);
  single('concurrency_limit', () => status().capacity);
  oneOf('leader_state', leaderStates, () => status().leadership.state);
  single('lease_failing_seconds', () => {
    const { failing } = status().leadership;
    return failing === undefined ? 0 : Math.max(0, clock.now() - failing.since) / 1_000;
  });
  single('event_loop_lag_seconds', () => eventLoop.read().worst / 1_000);
  metrics.pull(metrics.shared('controller_runtime_max_concurrent_reconciles'), (set) => {
    for (const controller of Object.keys(status().objects)) set({ controller }, concurrency);
  });
  metrics.pull(metrics.shared('leader_election_master_status'), (set) => {
    const { state, lease } = status().leadership;
    if (lease !== undefined) set({ name: lease.split('/').at(-1) ?? lease }, bit(state === 'leading'));
  });
}

interface WatchGroup {
  readonly labels: Labels;
  readonly watches: WatchStatus[];
}

/** With many namespaces there are many watches: what is told of a resource then is the worst of them. */
function groups(watches: readonly WatchStatus[], namespaces: boolean): Iterable<WatchGroup> {
  const found = new Map<string, WatchGroup>();
  for (const watch of watches) {
    const namespace = namespaces ? (watch.namespace ?? '') : '';
    const id = `${watch.resource}/${namespace}`;
    const group = found.get(id) ?? { labels: { resource: watch.resource, namespace }, watches: [] };
    group.watches.push(watch);
    found.set(id, group);
  }
  return found.values();
}

/** prom-client asks all metrics of a registry in one go, before anything else can run. */
function oncePerScrape(read: () => OperatorStatus): () => OperatorStatus {
  let last: OperatorStatus | undefined;
  return () => {
    if (last === undefined) {
      last = read();
      queueMicrotask(() => {
        last = undefined;
      });
    }
    return last;
  };
}

function bit(value: boolean): number {
  return value ? 1 : 0;
}
