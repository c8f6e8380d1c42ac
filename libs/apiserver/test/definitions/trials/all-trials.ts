import type { Trial } from '../trial.js';
import { clusterServiceTrials } from './cluster-services.trials.js';
import { dataStoreTrials } from './data-stores.trials.js';
import { deliveryTrials } from './delivery.trials.js';
import { namespacedServiceTrials } from './namespaced-services.trials.js';
import { networkingTrials } from './networking.trials.js';
import { postgresTrials } from './postgres.trials.js';

export const allTrials: readonly Trial[] = [
  ...namespacedServiceTrials,
  ...clusterServiceTrials,
  ...deliveryTrials,
  ...networkingTrials,
  ...dataStoreTrials,
  ...postgresTrials,
];
