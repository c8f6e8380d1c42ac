import type { ConformanceCase } from '../session.js';
import { admissionCases } from './admission.cases.js';
import { applyCases } from './apply.cases.js';
import { authCases } from './auth.cases.js';
import { celCases } from './cel.cases.js';
import { createCases } from './create.cases.js';
import { customResourceCases } from './custom-resources.cases.js';
import { definitionCases } from './definitions.cases.js';
import { deleteCases } from './delete.cases.js';
import { discoveryCases } from './discovery.cases.js';
import { eventCases } from './events.cases.js';
import { listCases } from './list.cases.js';
import { namespaceCases } from './namespaces.cases.js';
import { negotiationCases } from './negotiation.cases.js';
import { patchCases } from './patch.cases.js';
import { replaceCases } from './replace.cases.js';
import { selectorCases } from './selectors.cases.js';
import { validationCases } from './validation.cases.js';
import { stepCases } from './steps.cases.js';
import { statusCases } from './status.cases.js';
import { watchCases } from './watch.cases.js';

/** All cases, group by group. */
export const allCases: readonly ConformanceCase[] = [
  ...createCases,
  ...replaceCases,
  ...patchCases,
  ...deleteCases,
  ...stepCases,
  ...listCases,
  ...watchCases,
  ...selectorCases,
  ...statusCases,
  ...customResourceCases,
  ...namespaceCases,
  ...discoveryCases,
  ...negotiationCases,
  ...eventCases,
  ...authCases,
  ...admissionCases,
  ...definitionCases,
  ...validationCases,
  ...celCases,
  ...applyCases,
];
