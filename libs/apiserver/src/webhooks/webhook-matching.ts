import type { AdmissionAttributes } from '../pipeline/admission-control.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import type { ResourceType } from '../resources/resource-type.js';
import type { LabelMatcher } from '../selectors/label-selector.js';
import { errors } from '../status.js';
import type { Store } from '../store/store.js';
import type { AdmissionWebhook, WebhookRule } from './admission-webhook.js';

/** A webhook that wants to see a write, and the version in which. */
export interface Invocation {
  readonly webhook: AdmissionWebhook;
  readonly type: ResourceType;
}

/** The namespace that a write is about: a Namespace is about itself. */
export const namespaceOf = ({ type, namespace, name }: AdmissionAttributes): string | undefined =>
  type.storage === '/namespaces' ? name : namespace;

/** Whether a webhook wants to see a write, as far as its match conditions do not say otherwise. */
export function matchWebhook(
  webhook: AdmissionWebhook,
  attributes: AdmissionAttributes,
  store: Store,
  registry: ResourceRegistry,
): Invocation | undefined {
  // Nobody can lock the server's users out of the configurations themselves.
  if (attributes.type.group === 'admissionregistration.k8s.io') return undefined;
  const type = matchRules(webhook, attributes, registry);
  if (type === undefined || !inObject(webhook.objectSelector, attributes)) return undefined;
  return inNamespace(webhook.namespaceSelector, attributes, store) ? { webhook, type } : undefined;
}

function matchRules(
  { rules, matchPolicy }: AdmissionWebhook,
  attributes: AdmissionAttributes,
  registry: ResourceRegistry,
): ResourceType | undefined {
  if (rules.some((rule) => matchRule(rule, attributes, attributes.type))) return attributes.type;
  if (matchPolicy === 'Exact') return undefined;
  const candidates = rules.filter((rule) => matchRule(rule, attributes, undefined));
  if (candidates.length === 0) return undefined;
  const equivalents = registry.equivalents(attributes.type);
  for (const rule of candidates) {
    const found = equivalents.find((type) => matchRule(rule, attributes, type));
    if (found !== undefined) return found;
  }
  return undefined;
}

const includes = (list: readonly string[], wanted: string): boolean => list.includes('*') || list.includes(wanted);

/** Whether a rule covers a write of `type`; without a type, whether it may cover any of its resource's other versions. */
function matchRule(rule: WebhookRule, attributes: AdmissionAttributes, type: ResourceType | undefined): boolean {
  const { operation, subresource = '' } = attributes;
  if (!includes(rule.operations, operation) || !inScope(rule, attributes)) return false;
  const { plural } = type ?? attributes.type;
  const covered = rule.resources.some((entry) => {
    const [resource, part = ''] = entry.split('/', 2);
    return (resource === '*' || resource === plural) && (part === '*' || part === subresource);
  });
  return (
    covered &&
    (type === undefined || (includes(rule.apiGroups, type.group) && includes(rule.apiVersions, type.version)))
  );
}

function inScope({ scope }: WebhookRule, { type, namespace }: AdmissionAttributes): boolean {
  const namespaced = type.namespaced && namespace !== undefined;
  return scope === '*' || (scope === 'Namespaced') === namespaced;
}

function inObject(selector: LabelMatcher | undefined, { object, oldObject }: AdmissionAttributes): boolean {
  if (selector === undefined) return true;
  return [object, oldObject].some((state) => state !== undefined && selector(state.metadata.labels));
}

function inNamespace(selector: LabelMatcher | undefined, attributes: AdmissionAttributes, store: Store): boolean {
  if (selector === undefined) return true;
  const { type, subresource, operation, object } = attributes;
  const isNamespace = type.storage === '/namespaces';
  const name = namespaceOf(attributes);
  // Other cluster-scoped objects lie in no namespace that could be selected.
  if (!isNamespace && name === undefined) return true;
  if (isNamespace && subresource === undefined && operation !== 'DELETE') return selector(object?.metadata.labels);
  const namespace = store.get('/namespaces', name ?? '');
  if (namespace === undefined) throw errors.notFound({ group: '', plural: 'namespaces' }, name ?? '');
  return selector(namespace.metadata.labels);
}
