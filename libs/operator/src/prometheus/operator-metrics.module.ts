import { Module, type DynamicModule } from '@nestjs/common';
import { Registry } from 'prom-client';
import { InvalidOptionsError } from '../errors/invalid-options.error.js';
import { metricsController } from './metrics-controller.js';
import { METRICS_SETTINGS, OperatorMetrics } from './operator-metrics.js';
import type { MetricsSettings, OperatorMetricsOptions } from './operator-metrics.options.js';

/**
 * Metrics of the application's operator for Prometheus, by prom-client. Import it beside `OperatorModule.forRoot`.
 *
 * An application with an HTTP server serves them at `/metrics`; where the option `health.port` is given, so does the health
 * server. Without either, inject {@link OperatorMetrics}.
 */
@Module({})
export class OperatorMetricsModule {
  /** @throws InvalidOptionsError `OPERATOR_INVALID_OPTIONS` */
  static forRoot(options: OperatorMetricsOptions = {}): DynamicModule {
    const { path } = checked(options);
    return {
      module: OperatorMetricsModule,
      // Made with the application, so that each one from the same class has a registry of its own.
      providers: [{ provide: METRICS_SETTINGS, useFactory: () => settingsOf(options) }, OperatorMetrics],
      controllers: path === undefined ? [] : [metricsController(path)],
      exports: [OperatorMetrics],
    };
  }
}

function settingsOf(options: OperatorMetricsOptions): MetricsSettings {
  const { registry, namespaces = false } = options;
  return {
    ...checked(options),
    registry: registry ?? new Registry(),
    namespaces,
    defaultMetrics: options.defaultMetrics ?? registry === undefined,
  };
}

function checked(options: OperatorMetricsOptions): Pick<MetricsSettings, 'prefix' | 'path'> {
  const { prefix = 'nestjs_operator_', path = '/metrics' } = options;
  const problems: string[] = [];
  if (!/^[a-zA-Z_:][\w:]*$/.test(prefix)) {
    problems.push(
      `prefix of OperatorMetricsModule is ${JSON.stringify(prefix)}: give what the name of a metric can begin with, such as "my_operator_"`,
    );
  }
  if (path !== false && !/^\/[^\s?#]+$/.test(path)) {
    problems.push(
      `path of OperatorMetricsModule is ${JSON.stringify(path)}: give one that begins with a slash, such as "/metrics", or false`,
    );
  }
  if (problems.length > 0) throw new InvalidOptionsError(problems);
  return { prefix, path: path === false ? undefined : path };
}
