import { Counter, Gauge, Histogram, type Metric, type Registry } from 'prom-client';
import { MetricNameTakenError } from '../errors/metric-name-taken.error.js';
import {
  ownMetrics,
  sharedMetrics,
  type MetricDefinition,
  type OwnMetric,
  type SharedMetric,
} from './metric-catalogue.js';

/** Metrics that a set has put into a registry, to be told from those of others. */
const ours = new WeakMap<Registry, Set<Metric>>();

/** Where the labels of one metric are set. */
export type Labels = Readonly<Record<string, string>>;

/** The operator's metrics within a registry. Labels without a value are left out. */
export class MetricSet {
  readonly #metrics = new Map<string, Metric>();

  /**
   * Takes the place of an earlier set in the same registry.
   *
   * @throws MetricNameTakenError `OPERATOR_METRIC_NAME_TAKEN`
   */
  constructor(
    readonly registry: Registry,
    private readonly prefix: string,
  ) {
    const named: Array<readonly [string, MetricDefinition]> = [
      ...Object.entries(sharedMetrics),
      ...Object.entries(ownMetrics).map(([name, definition]) => [prefix + name, definition] as const),
    ];
    const known = ours.get(registry) ?? new Set<Metric>();
    ours.set(registry, known);
    const taken = named.map(([name]) => name).filter((name) => isForeign(registry.getSingleMetric(name), known));
    if (taken.length > 0) throw new MetricNameTakenError(taken);
    for (const [name, definition] of named) {
      const former = registry.getSingleMetric(name);
      if (former !== undefined) known.delete(former as Metric);
      registry.removeSingleMetric(name);
      const metric = create(registry, name, definition);
      known.add(metric);
      this.#metrics.set(name, metric);
    }
  }

  shared(name: SharedMetric): Metric {
    return this.#find(name);
  }

  own(name: OwnMetric): Metric {
    return this.#find(this.prefix + name);
  }

  /** Has `fill` called before the metric is read, with nothing in it. */
  pull(metric: Metric, fill: (set: (labels: Labels, value: number) => void) => void): void {
    const gauge = metric as Gauge;
    // prom-client calls it before each read.
    Object.assign(gauge, {
      collect: () => {
        gauge.reset();
        fill((labels, value) => gauge.set(labels, value));
      },
    });
  }

  #find(name: string): Metric {
    const metric = this.#metrics.get(name);
    if (metric === undefined) throw new Error(`There is no metric ${name}.`);
    return metric;
  }

  /** Takes what is still in the registry out of it. */
  remove(): void {
    for (const [name, metric] of this.#metrics) {
      ours.get(this.registry)?.delete(metric);
      if (this.registry.getSingleMetric(name) === metric) this.registry.removeSingleMetric(name);
    }
  }
}

function isForeign(metric: unknown, known: ReadonlySet<Metric>): boolean {
  return metric !== undefined && !known.has(metric as Metric);
}

function create(registry: Registry, name: string, definition: MetricDefinition): Metric {
  const { type, help, buckets } = definition;
  const common = { name, help, labelNames: [...definition.labels], registers: [registry] };
  if (type === 'counter') return new Counter(common);
  if (type === 'gauge') return new Gauge(common);
  return new Histogram({ ...common, buckets: [...(buckets ?? [])] });
}
