import type { Registry } from 'prom-client';

/** Options of `OperatorMetricsModule.forRoot`. */
export interface OperatorMetricsOptions {
  /** Where metrics are registered, such as the `register` of prom-client. @defaultValue a registry of the module's own */
  readonly registry?: Registry;
  /** What the names of the operator's own metrics begin with. Names shared with other operators have no prefix. @defaultValue `'nestjs_operator_'` */
  readonly prefix?: string;
  /**
   * Where metrics are served, by the application's HTTP server and by the health server of option `health.port`; with a global
   * prefix, the former adds it. `false`: nowhere. @defaultValue `'/metrics'`
   */
  readonly path?: string | false;
  /** One series for each watched namespace in the metrics of watches, in place of one for each resource. @defaultValue `false` */
  readonly namespaces?: boolean;
  /** Add prom-client's metrics of process and Node. @defaultValue `true`, with `registry` `false` */
  readonly defaultMetrics?: boolean;
}

/** The options, complete. */
export interface MetricsSettings {
  readonly registry: Registry;
  readonly prefix: string;
  readonly path: string | undefined;
  readonly namespaces: boolean;
  readonly defaultMetrics: boolean;
}
