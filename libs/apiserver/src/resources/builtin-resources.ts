import { reviewRows } from '../reviews/review-types.js';
import { webhookConfigurationRows } from '../webhooks/configuration-rows.js';
import { builtinType } from './resource-row.js';
import type { ResourceType } from './resource-type.js';
import { coreRows } from './rows/core-rows.js';
import { eventRows } from './rows/event-rows.js';
import { groupRows } from './rows/group-rows.js';
import { workloadRows } from './rows/workload-rows.js';

/** All built-in resources, one entry per group and version. */
export const builtinResources: readonly ResourceType[] = [
  ...coreRows,
  ...eventRows,
  ...workloadRows,
  ...groupRows,
  ...reviewRows,
  ...webhookConfigurationRows,
].map(builtinType);
