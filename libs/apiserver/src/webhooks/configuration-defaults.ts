import { isObject, type JsonObject, type KubeObject } from '../json.js';

/** Fills in what a webhook configuration leaves out. */
export function prepareWebhookConfiguration(object: KubeObject): void {
  if (!Array.isArray(object['webhooks'])) return;
  const mutating = object.kind === 'MutatingWebhookConfiguration';
  for (const webhook of object['webhooks'].filter(isObject)) prepareWebhook(webhook, mutating);
  if (object['webhooks'].length === 0) delete object['webhooks'];
}

function prepareWebhook(webhook: JsonObject, mutating: boolean): void {
  webhook['failurePolicy'] ??= 'Fail';
  webhook['matchPolicy'] ??= 'Equivalent';
  webhook['namespaceSelector'] ??= {};
  webhook['objectSelector'] ??= {};
  webhook['timeoutSeconds'] ??= 10;
  webhook['admissionReviewVersions'] ??= null;
  if (mutating) webhook['reinvocationPolicy'] ??= 'Never';
  const rules = webhook['rules'];
  if (Array.isArray(rules)) {
    if (rules.length === 0) delete webhook['rules'];
    for (const rule of rules.filter(isObject)) rule['scope'] ??= '*';
  }
  const config = webhook['clientConfig'];
  if (isObject(config)) prepareClientConfig(config);
}

/** Also for the client configuration of a conversion webhook. */
export function prepareClientConfig(config: JsonObject): void {
  if (config['caBundle'] === '') delete config['caBundle'];
  if (isObject(config['service'])) config['service']['port'] ??= 443;
}
