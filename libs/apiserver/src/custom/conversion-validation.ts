import { isObject } from '../json.js';
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

/** Versions that hold objects must stay. */
export function storedVersionCauses(status: unknown, versions: readonly unknown[]): StatusCause[] {
  const stored = isObject(status) && Array.isArray(status['storedVersions']) ? status['storedVersions'] : [];
  const names = versions.map((version) => (isObject(version) ? version['name'] : undefined));
  return stored.flatMap((name: unknown, index: number) => {
    if (names.includes(name)) return [];
    const text = String(name);
    return [
      {
        reason: 'FieldValueInvalid',
        message: `Invalid value: ${JSON.stringify(name)}: missing from spec.versions; ${text} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${text} and removes ${text} from status.storedVersions`,
        field: `status.storedVersions[${index}]`,
      },
    ];
  });
}
