import { ageColumn, column, items, nameColumn } from '../resources/columns/cells.js';
import { prepareWebhookConfiguration } from './configuration-defaults.js';
import { webhookConfigurationCauses } from './configuration-validation.js';

/** The resources that register admission webhooks. */
export const webhookConfigurationRows = [
  { plural: 'mutatingwebhookconfigurations', kind: 'MutatingWebhookConfiguration' },
  { plural: 'validatingwebhookconfigurations', kind: 'ValidatingWebhookConfiguration' },
].map((row) => ({
  ...row,
  group: 'admissionregistration.k8s.io',
  cluster: true,
  generation: true,
  categories: ['api-extensions'],
  columns: [nameColumn, column('Webhooks', (object) => items(object, 'webhooks').length, 'integer'), ageColumn],
  defaults: prepareWebhookConfiguration,
  causes: webhookConfigurationCauses,
}));
