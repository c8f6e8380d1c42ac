import type { OperatorConfig } from './operator-config.js';

const second = 1_000;
const minute = 60 * second;

/** Every default of the operator, save its name. */
export const defaultConfig: Omit<OperatorConfig, 'name'> = {
  formerNames: [],
  namespaces: undefined,
  client: { retries: [1, 1, 2, 3, 5, 8, 13, 21].map((seconds) => seconds * second), timeout: 30 * second },
  watching: {
    backoff: { initial: 0.8 * second, factor: 2, cap: 30 * second, reset: 2 * minute },
    timeout: { min: 5 * minute, max: 10 * minute },
    pageSize: 500,
    silence: 75 * second,
    syncTimeout: 2 * minute,
    failAfter: 5 * minute,
    onForbidden: 'retry',
    missingKind: 'fail',
    pushSelectors: true,
    watchList: true,
    keepManagedFields: false,
    transform: undefined,
  },
  queue: {
    throttle: [1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610].map((seconds) => seconds * second),
    concurrency: { perResource: 10, total: 50 },
    resync: 600 * minute,
    stuckAfter: 10 * minute,
  },
  retry: { initial: second, factor: 2, cap: 5 * minute, jitter: 0.2 },
  shutdown: { drain: 20 * second, crashDrain: 2 * second, deadline: 25 * second, grace: 5 * second },
  events: { enabled: true, failures: true },
  persistence: { store: 'annotations', stores: {}, kopf: undefined },
  preflight: 'warn',
  access: [],
  health: { degradedAfter: 10 * second, maxLag: 5 * second, server: undefined },
  leaderElection: {
    enabled: undefined,
    namespace: undefined,
    name: undefined,
    identity: undefined,
    leaseDuration: 15 * second,
    renewDeadline: 10 * second,
    retryPeriod: 2 * second,
    onLost: 'exit',
    warmStandby: true,
  },
  crash: 'exit',
};
