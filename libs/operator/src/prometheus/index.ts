export { OperatorMetrics } from './operator-metrics.js';
export { OperatorMetricsModule } from './operator-metrics.module.js';
export type { OperatorMetricsOptions } from './operator-metrics.options.js';
