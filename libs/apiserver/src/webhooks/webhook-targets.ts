import { isObject, type JsonObject } from '../json.js';

/** How a function that stands for a webhook is called. */
export interface WebhookCall {
  /** The path that the configuration asks for, `/` where it asks for none. */
  readonly path: string;
  /** Aborted when the answer would come too late, or the server is closed. */
  readonly signal: AbortSignal;
  /**
   * Waits for so many milliseconds of the server's clock, so that a virtual clock knows that it may move on. Resolves
   * early when the signal is aborted.
   */
  sleep(milliseconds: number): Promise<void>;
}

/** A webhook inside this process: takes a review (AdmissionReview, ConversionReview) and answers the one with the response. */
export type WebhookFunction = (review: JsonObject, call: WebhookCall) => JsonObject | Promise<JsonObject>;

/** Option `webhooks` of `startApiServer`. */
export interface WebhookOptions {
  /**
   * What stands behind the Services that webhook configurations and definitions name, as nothing routes to them here.
   * Keys are `namespace/name`, or `namespace/name:port` for one of its ports. Values are the origin of a server,
   * `https://127.0.0.1:9443` or without TLS `http://127.0.0.1:9443`, or a function in this process. Over TLS the
   * certificate must be for `name.namespace.svc`, as in a cluster.
   */
  services?: Readonly<Record<string, string | WebhookFunction>>;
}

export type WebhookTarget = { readonly origin: URL } | { readonly call: WebhookFunction };

/** What is wrong with the option. */
export function webhookProblems(webhooks: unknown): string[] {
  if (webhooks === undefined) return [];
  const services = isObject(webhooks) ? (webhooks['services'] ?? {}) : undefined;
  if (!isObject(services)) return ['webhooks must be an object whose services are an object'];
  return Object.entries(services).flatMap(([name, target]) => {
    const path = `webhooks.services[${JSON.stringify(name)}]`;
    if (!/^[^/:]+\/[^/:]+(?::\d+)?$/.test(name)) {
      return [`${path} names no service; a key is "namespace/name" or "namespace/name:port"`];
    }
    if (typeof target === 'function' || (typeof target === 'string' && isOrigin(target))) return [];
    return [`${path} must be an origin such as "https://127.0.0.1:9443", or a function`];
  });
}

function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/' && url.search === '';
}

/** Knows what stands behind Services. */
export class WebhookTargets {
  readonly #services: ReadonlyMap<string, WebhookTarget>;

  constructor({ services = {} }: WebhookOptions = {}) {
    this.#services = new Map(
      Object.entries(services).map(([name, target]) => [
        name,
        typeof target === 'function' ? { call: target } : { origin: new URL(target) },
      ]),
    );
  }

  find({ namespace, name, port = 443 }: { namespace: string; name: string; port?: number }): WebhookTarget | undefined {
    return this.#services.get(`${namespace}/${name}:${port}`) ?? this.#services.get(`${namespace}/${name}`);
  }
}
