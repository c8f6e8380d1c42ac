import type { JsonObject } from '../json.js';

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

/** Knows what stands behind Services. */
export class WebhookTargets {
  readonly #services = new Map<string, WebhookTarget>();

  /** @throws TypeError for an origin that is no URL of a server. */
  constructor({ services = {} }: WebhookOptions = {}) {
    for (const [name, target] of Object.entries(services)) {
      if (!/^[^/:]+\/[^/:]+(?::\d+)?$/.test(name)) {
        throw new TypeError(
          `api server: ${JSON.stringify(name)} names no service; webhooks.services takes "namespace/name" and "namespace/name:port"`,
        );
      }
      this.#services.set(name, typeof target === 'function' ? { call: target } : { origin: originOf(name, target) });
    }
  }

  find({ namespace, name, port = 443 }: { namespace: string; name: string; port?: number }): WebhookTarget | undefined {
    return this.#services.get(`${namespace}/${name}:${port}`) ?? this.#services.get(`${namespace}/${name}`);
  }
}

function originOf(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.pathname !== '/' || url.search !== '') {
    throw new TypeError(
      `api server: webhooks.services[${JSON.stringify(name)}] must be an origin such as "https://127.0.0.1:9443", not ${JSON.stringify(text)}`,
    );
  }
  return url;
}
