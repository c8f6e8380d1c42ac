import type { ApiServer, JsonObject, WebhookCall, WebhookFunction } from '../../src/index.js';

// Reviews are looked into freely.
// eslint-disable-next-line typescript/no-explicit-any
export type Review = any;

/** A response to a review, by a function that sees its request. */
export const responding =
  (respond: (request: Review, call: WebhookCall) => JsonObject | Promise<JsonObject>): WebhookFunction =>
  async (review, call) => ({
    apiVersion: review['apiVersion'],
    kind: review['kind'],
    response: {
      uid: (review as Review).request.uid,
      allowed: true,
      ...(await respond((review as Review).request, call)),
    },
  });

/** The patch of a mutating webhook. */
export const patching = (...operations: JsonObject[]): JsonObject => ({
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});

export interface HookOptions extends JsonObject {
  kind?: 'Mutating' | 'Validating';
  /** Of the configuration and the webhook, and the service that stands for it. */
  name?: string;
  resources?: string[];
  operations?: string[];
}

/** A configuration with one webhook, which a Service in namespace `hooks` answers. */
export function hookConfiguration({
  kind = 'Mutating',
  name = 'hook',
  resources = ['widgets'],
  operations = ['*'],
  ...webhook
}: HookOptions = {}): JsonObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name },
    webhooks: [
      {
        name: `${name}.hooks.example.com`,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: { service: { namespace: 'hooks', name, path: `/${name}` } },
        rules: [{ apiGroups: ['*'], apiVersions: ['*'], resources, operations }],
        ...webhook,
      },
    ],
  };
}

/** Registers a webhook. */
export const register = (api: ApiServer, options: HookOptions = {}): Promise<unknown> =>
  api.create(hookConfiguration(options));

/** A promise and what settles it. */
export function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
