import { isObject, type JsonObject, type KubeObject } from '../json.js';
import type { LabelMatcher } from '../selectors/label-selector.js';
import type { ClientConfig } from './client-config.js';
import { compileLabelSelector } from './label-selector-object.js';

/** What requests a webhook wants to see. */
export interface WebhookRule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly resources: readonly string[];
  readonly operations: readonly string[];
  readonly scope: '*' | 'Namespaced' | 'Cluster';
}

/** One of the conditions under which a webhook is called, in CEL. */
export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

export const reviewVersions = ['v1', 'v1beta1'] as const;
export type ReviewVersion = (typeof reviewVersions)[number];

/** One webhook of a stored configuration. */
export interface AdmissionWebhook {
  /** Tells webhooks of the same name in several configurations apart. */
  readonly id: string;
  readonly name: string;
  readonly clientConfig: ClientConfig;
  readonly rules: readonly WebhookRule[];
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly matchPolicy: 'Equivalent' | 'Exact';
  readonly reinvocationPolicy: 'Never' | 'IfNeeded';
  /** Absent where they select everything. */
  readonly namespaceSelector: LabelMatcher | undefined;
  readonly objectSelector: LabelMatcher | undefined;
  readonly timeoutSeconds: number;
  /** The first version that both sides know. */
  readonly reviewVersion: ReviewVersion;
  readonly matchConditions: readonly MatchCondition[];
}

/** The webhooks of a stored configuration, which was validated when it was written. */
export function webhooksOf(configuration: KubeObject): AdmissionWebhook[] {
  const { name = '' } = configuration.metadata;
  const webhooks = Array.isArray(configuration['webhooks']) ? configuration['webhooks'].filter(isObject) : [];
  return webhooks.map((webhook) => webhookOf(name, webhook));
}

function webhookOf(configuration: string, webhook: JsonObject): AdmissionWebhook {
  const name = String(webhook['name']);
  const versions = webhook['admissionReviewVersions'] as readonly string[];
  return {
    id: `${configuration}/${name}`,
    name,
    clientConfig: webhook['clientConfig'] as ClientConfig,
    rules: (webhook['rules'] ?? []) as readonly WebhookRule[],
    failurePolicy: webhook['failurePolicy'] as 'Fail',
    matchPolicy: webhook['matchPolicy'] as 'Exact',
    reinvocationPolicy: (webhook['reinvocationPolicy'] ?? 'Never') as 'Never',
    namespaceSelector: compileLabelSelector(webhook['namespaceSelector']),
    objectSelector: compileLabelSelector(webhook['objectSelector']),
    timeoutSeconds: webhook['timeoutSeconds'] as number,
    reviewVersion: versions.find((version): version is ReviewVersion =>
      (reviewVersions as readonly string[]).includes(version),
    )!,
    matchConditions: (webhook['matchConditions'] ?? []) as readonly MatchCondition[],
  };
}
