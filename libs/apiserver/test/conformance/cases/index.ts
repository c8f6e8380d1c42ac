import type { ConformanceCase } from '../session.js';
import { admissionCases } from './admission.cases.js';
import { applyCases } from './apply.cases.js';
import { celCases } from './cel.cases.js';
import { createCases } from './create.cases.js';
import { customResourceCases } from './custom-resources.cases.js';
import { deleteCases } from './delete.cases.js';
import { discoveryCases } from './discovery.cases.js';
import { listCases } from './list.cases.js';
import { namespaceCases } from './namespaces.cases.js';
import { patchCases } from './patch.cases.js';
import { replaceCases } from './replace.cases.js';
import { selectorCases } from './selectors.cases.js';
import { watchCases } from './watch.cases.js';

export const allCases: readonly ConformanceCase[] = [
  ...createCases,
  ...replaceCases,
  ...patchCases,
  ...deleteCases,
  ...listCases,
  ...watchCases,
  ...selectorCases,
  ...customResourceCases,
  ...namespaceCases,
  ...discoveryCases,
];

/** Recorded from the real server, for what the embedded one does not do yet. */
export const pendingCases: readonly ConformanceCase[] = [...applyCases, ...admissionCases, ...celCases];
