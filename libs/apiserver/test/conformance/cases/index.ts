import type { ConformanceCase } from '../session.js';
import { admissionCases } from './admission.cases.js';
import { admissionAnswerCases } from './admission-answers.cases.js';
import { admissionMatchingCases } from './admission-matching.cases.js';
import { applyCases } from './apply.cases.js';
import { applyManagerCases } from './apply-managers.cases.js';
import { authCases } from './auth.cases.js';
import { celCases } from './cel.cases.js';
import { createCases } from './create.cases.js';
import { definitionCases } from './definitions.cases.js';
import { deleteCases } from './delete.cases.js';
import { discoveryCases } from './discovery.cases.js';
import { eventCases } from './events.cases.js';
import { jsonPatchCases } from './json-patch.cases.js';
import { listCases } from './list.cases.js';
import { namespaceCases } from './namespaces.cases.js';
import { negotiationCases } from './negotiation.cases.js';
import { patchCases } from './patch.cases.js';
import { replaceCases } from './replace.cases.js';
import { rightCases } from './rights.cases.js';
import { selectorCases } from './selectors.cases.js';
import { statusCases } from './status.cases.js';
import { stepCases } from './steps.cases.js';
import { strategicPatchCases } from './strategic-patch.cases.js';
import { validationCases } from './validation.cases.js';
import { watchCases } from './watch.cases.js';
import { watchFormCases } from './watch-forms.cases.js';
import { webhookConfigurationCases } from './webhook-configuration.cases.js';
import { widgetValidationCases } from './widget-validation.cases.js';

/** All cases, group by group. */
export const allCases: readonly ConformanceCase[] = [
  ...discoveryCases,
  ...createCases,
  ...replaceCases,
  ...deleteCases,
  ...stepCases,
  ...listCases,
  ...watchCases,
  ...watchFormCases,
  ...selectorCases,
  ...statusCases,
  ...patchCases,
  ...jsonPatchCases,
  ...strategicPatchCases,
  ...applyCases,
  ...applyManagerCases,
  ...widgetValidationCases,
  ...validationCases,
  ...celCases,
  ...definitionCases,
  ...admissionCases,
  ...admissionAnswerCases,
  ...admissionMatchingCases,
  ...webhookConfigurationCases,
  ...namespaceCases,
  ...authCases,
  ...rightCases,
  ...negotiationCases,
  ...eventCases,
];
