export { OperatorHealthIndicator } from './operator-health.indicator.js';
