import { isObject, type JsonObject, type KubeObject } from '../json.js';
import { dnsLabelRule, subdomainRule } from '../name-rules.js';
import { invalidValue, isSubdomain, keyCauses } from '../pipeline/metadata-validation.js';
import { wait, type Steps } from '../pipeline/steps.js';
import type { StatusCause } from '../status.js';
import { reviewVersions } from './admission-webhook.js';
import { clientConfigCauses } from './client-config-validation.js';
import { loadConditions, type ConditionLibrary } from './condition-library.js';
import { labelSelectorCauses } from './label-selector-object.js';
import { ruleCauses } from './rule-validation.js';
import { duplicate, requiredValue, unsupported } from './value-causes.js';

const mostConditions = 64;

/** What is wrong with a webhook configuration. */
export function* webhookConfigurationCauses(object: KubeObject): Steps<StatusCause[]> {
  const webhooks = object['webhooks'];
  if (!Array.isArray(webhooks)) return [];
  const conditions = webhooks.some((webhook) => isObject(webhook) && hasConditions(webhook['matchConditions']))
    ? yield* wait(loadConditions())
    : undefined;
  const mutating = object.kind === 'MutatingWebhookConfiguration';
  const names = new Set<unknown>();
  return webhooks.flatMap((webhook: unknown, index) => {
    const path = `webhooks[${index}]`;
    if (!isObject(webhook)) return [invalidValue(path, webhook, 'must be an object')];
    const causes = webhookCauses(webhook, path, mutating, conditions);
    const name = webhook['name'];
    if (names.has(name)) causes.push(duplicate(`${path}.name`, name));
    names.add(name);
    return causes;
  });
}

function webhookCauses(
  webhook: JsonObject,
  path: string,
  mutating: boolean,
  conditions: ConditionLibrary | undefined,
): StatusCause[] {
  const { timeoutSeconds, rules, sideEffects } = webhook;
  return [
    ...nameCauses(webhook['name'], `${path}.name`),
    ...(Array.isArray(rules) ? rules : []).flatMap((rule: unknown, index) =>
      ruleCauses(isObject(rule) ? rule : {}, `${path}.rules[${index}]`),
    ),
    ...unsupported(webhook['failurePolicy'], ['Fail', 'Ignore'], `${path}.failurePolicy`),
    ...unsupported(webhook['matchPolicy'], ['Equivalent', 'Exact'], `${path}.matchPolicy`),
    ...(mutating
      ? unsupported(webhook['reinvocationPolicy'], ['IfNeeded', 'Never'], `${path}.reinvocationPolicy`)
      : []),
    ...(sideEffects === undefined || sideEffects === null
      ? [requiredValue(`${path}.sideEffects`, 'must specify one of None, NoneOnDryRun')]
      : unsupported(sideEffects, ['None', 'NoneOnDryRun'], `${path}.sideEffects`)),
    ...(typeof timeoutSeconds === 'number' && timeoutSeconds >= 1 && timeoutSeconds <= 30
      ? []
      : [invalidValue(`${path}.timeoutSeconds`, timeoutSeconds, 'the timeout value must be between 1 and 30 seconds')]),
    ...labelSelectorCauses(webhook['namespaceSelector'], `${path}.namespaceSelector`),
    ...labelSelectorCauses(webhook['objectSelector'], `${path}.objectSelector`),
    ...clientConfigCauses(webhook['clientConfig'], `${path}.clientConfig`),
    ...versionCauses(webhook['admissionReviewVersions'], `${path}.admissionReviewVersions`, reviewVersions),
    ...(conditions === undefined
      ? []
      : conditionCauses(webhook['matchConditions'], `${path}.matchConditions`, conditions)),
  ];
}

function nameCauses(name: unknown, field: string): StatusCause[] {
  if (typeof name !== 'string' || name === '') return [requiredValue(field)];
  if (!isSubdomain(name)) return [invalidValue(field, name, subdomainRule)];
  if (name.split('.').length < 3) {
    return [invalidValue(field, name, 'should be a domain with at least three segments separated by dots')];
  }
  return [];
}

/** What is wrong with the list of the versions of reviews that a webhook takes. */
export function versionCauses(versions: unknown, field: string, known: readonly string[]): StatusCause[] {
  const given = Array.isArray(versions) ? (versions as unknown[]) : [];
  if (given.length === 0) return [requiredValue(field, `must specify one of ${known.join(', ')}`)];
  const causes: StatusCause[] = [];
  const seen = new Set<unknown>();
  given.forEach((version, index) => {
    if (seen.has(version)) causes.push(invalidValue(`${field}[${index}]`, version, 'duplicate version'));
    seen.add(version);
    if (typeof version !== 'string' || !/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(version)) {
      causes.push(invalidValue(`${field}[${index}]`, version, dnsLabelRule));
    }
  });
  if (!known.some((version) => seen.has(version))) {
    causes.push(invalidValue(field, given, `must include at least one of ${known.join(', ')}`));
  }
  return causes;
}

const hasConditions = (conditions: unknown): conditions is unknown[] =>
  Array.isArray(conditions) && conditions.length > 0;

function conditionCauses(
  conditions: unknown,
  path: string,
  { matchConditionProblem }: ConditionLibrary,
): StatusCause[] {
  if (!hasConditions(conditions)) return [];
  const causes: StatusCause[] = [];
  if (conditions.length > mostConditions) {
    causes.push({
      reason: 'FieldValueTooMany',
      message: `Too many: ${conditions.length}: must have at most ${mostConditions} items`,
      field: path,
    });
  }
  const names = new Set<unknown>();
  conditions.filter(isObject).forEach(({ name = '', expression = '' }, index) => {
    const at = `${path}[${index}]`;
    if (expression === '') causes.push(requiredValue(`${at}.expression`));
    else {
      const problem = matchConditionProblem(String(expression));
      if (problem !== undefined) causes.push(invalidValue(`${at}.expression`, expression, problem));
    }
    if (name === '') causes.push(requiredValue(`${at}.name`));
    else {
      causes.push(...keyCauses(String(name), `${at}.name`));
      if (names.has(name)) causes.push(duplicate(`${at}.name`, name));
    }
    names.add(name);
  });
  return causes;
}
