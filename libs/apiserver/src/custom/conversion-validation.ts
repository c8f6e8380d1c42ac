import { isObject } from '../json.js';
import type { DefinitionVersion } from './crd-type.js';
import { invalidCause } from './field-causes.js';
import type { StatusCause } from '../status.js';
import { clientConfigCauses } from '../webhooks/client-config-validation.js';
import { versionCauses } from '../webhooks/configuration-validation.js';
import { conversionVersions } from '../webhooks/conversion-review.js';
import { requiredValue, unsupported } from '../webhooks/value-causes.js';

const path = 'spec.conversion';

const forbidden = (field: string): StatusCause => ({
  reason: 'FieldValueForbidden',
  message: 'Forbidden: should not be set when strategy is not set to Webhook',
  field,
});

/** What is wrong with the way in which a CustomResourceDefinition converts between its versions. */
export function conversionCauses(conversion: unknown, preserveUnknownFields: boolean): StatusCause[] {
  if (!isObject(conversion)) return [];
  const { strategy = '' } = conversion;
  const webhook = isObject(conversion['webhook']) ? conversion['webhook'] : {};
  const { clientConfig, conversionReviewVersions } = webhook;
  const versions = Array.isArray(conversionReviewVersions) ? (conversionReviewVersions as unknown[]) : [];
  // The fields are named as they were in an older version.
  const [configField, versionsField] = [`${path}.webhookClientConfig`, `${path}.conversionReviewVersions`];
  if (strategy === '') return [requiredValue(`${path}.strategy`)];
  if (strategy !== 'Webhook') {
    return [
      ...unsupported(strategy, ['None', 'Webhook'], `${path}.strategy`),
      ...(isObject(clientConfig) ? [forbidden(configField)] : []),
      ...(versions.length > 0 ? [forbidden(versionsField)] : []),
    ];
  }
  return [
    ...(preserveUnknownFields
      ? [
          {
            reason: 'FieldValueInvalid',
            message: 'Invalid value: "Webhook": must be None if spec.preserveUnknownFields is true',
            field: `${path}.strategy`,
          },
        ]
      : []),
    ...(isObject(clientConfig)
      ? clientConfigCauses(clientConfig, configField)
      : [requiredValue(configField, 'required when strategy is set to Webhook')]),
    ...(versions.length === 0
      ? [requiredValue(versionsField)]
      : versionCauses(versions, versionsField, conversionVersions)),
  ];
}

const storedPath = 'status.storedVersions';

/** Versions that hold objects must stay. */
export function storedVersionCauses(status: unknown, versions: readonly DefinitionVersion[]): StatusCause[] {
  const stored = isObject(status) && Array.isArray(status['storedVersions']) ? status['storedVersions'] : [];
  if (stored.length === 0) return [invalidCause(storedPath, null, 'must have at least one stored version')];
  const names = versions.map(({ name }) => name);
  const written = versions.filter(({ storage, name }) => storage && !stored.includes(name));
  return [
    ...written.map(({ name }) => invalidCause(storedPath, stored, `must have the storage version ${name}`)),
    ...stored.flatMap((name: string, index: number) => {
      if (names.includes(name)) return [];
      const why = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
      return [invalidCause(`${storedPath}[${index}]`, name, why)];
    }),
  ];
}
