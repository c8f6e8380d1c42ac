import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import { EventLoopMonitor } from '../engine/health/event-loop-monitor.js';
import { HealthRoutes } from '../engine/health/health-routes.js';
import { ObserverHub } from '../engine/observing/observer-hub.js';
import type { Clock } from '../engine/ports/index.js';
import { MissingOperatorModuleError } from '../errors/missing-operator-module.error.js';
import { lifecycleOf } from '../lifecycle/operator-lifecycle.js';
import { OPERATOR_CLOCK } from '../operator.constants.js';
import { MetricSet } from './metric-set.js';
import type { MetricsSettings } from './operator-metrics.options.js';
import { countFacts } from './observer-metrics.js';
import { pullStatus } from './status-metrics.js';

/** The options of the module, complete. */
export const METRICS_SETTINGS = Symbol('OPERATOR_METRICS_SETTINGS');

/** The operator's metrics, for those who serve or push them by themselves. */
@Injectable()
export class OperatorMetrics implements OnModuleInit, OnApplicationShutdown {
  /** Where they are registered: metrics of the application's own may be added. */
  readonly registry: Registry;
  readonly #metrics: MetricSet;
  readonly #undo: Array<() => void> = [];
  #isWired = false;

  constructor(
    @Inject(METRICS_SETTINGS) private readonly settings: MetricsSettings,
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
  ) {
    const { registry, prefix, defaultMetrics } = settings;
    this.registry = registry;
    this.#metrics = new MetricSet(registry, prefix);
    this.#undo.push(() => this.#metrics.remove());
    // Those of the process are the same for all who share the registry.
    if (defaultMetrics && registry.getSingleMetric('process_start_time_seconds') === undefined) {
      collectDefaultMetrics({ register: registry });
    }
  }

  /** Everything in the registry, in the format of Prometheus. */
  metrics(): Promise<string> {
    return this.registry.metrics();
  }

  /** The Content-Type of what `metrics()` gives. */
  get contentType(): string {
    return this.registry.contentType;
  }

  /** @throws MissingOperatorModuleError `OPERATOR_MISSING_MODULE` when the application does not import OperatorModule */
  onModuleInit(): void {
    // Nest calls hooks twice in some set-ups.
    if (this.#isWired) return;
    this.#isWired = true;
    const lifecycle = lifecycleOf(this.modules);
    if (lifecycle === undefined) throw new MissingOperatorModuleError('OperatorMetricsModule');
    const { moduleRef, options } = lifecycle;
    const { namespaces, path } = this.settings;
    const clock = moduleRef.get<Clock>(OPERATOR_CLOCK);
    const eventLoop = new EventLoopMonitor(clock, options.health.maxLag);
    pullStatus(this.#metrics, {
      status: () => lifecycle.getStatus(),
      eventLoop,
      clock,
      namespaces,
      concurrency: options.queue.concurrency.perResource,
    });
    this.#undo.push(() => eventLoop.close());
    this.#undo.push(moduleRef.get(ObserverHub).add('metrics', countFacts(this.#metrics, clock)));
    if (path !== undefined) {
      const answer = async () => ({ status: 200, type: this.contentType, body: await this.metrics() });
      this.#undo.push(moduleRef.get(HealthRoutes).add(path, answer));
    }
  }

  onApplicationShutdown(): void {
    for (const undo of this.#undo.splice(0)) undo();
  }
}
