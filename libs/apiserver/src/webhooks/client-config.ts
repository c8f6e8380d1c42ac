/** Where a webhook is reached, as a configuration or a definition says it: by its URL or by a Service. */
export interface ClientConfig {
  readonly url?: string;
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
  /** PEM in base64. */
  readonly caBundle?: string;
}

const servicePort = 443;

/** The URL that is called, by which messages name the webhook. */
export function urlOf({ url, service }: ClientConfig, timeoutSeconds: number | undefined): URL {
  const target =
    service === undefined
      ? new URL(url ?? '')
      : new URL(service.path ?? '/', `https://${service.name}.${service.namespace}.svc:${service.port ?? servicePort}`);
  if (timeoutSeconds !== undefined) target.searchParams.set('timeout', `${timeoutSeconds}s`);
  return target;
}

/** The URL as messages show it: with the port of a service, even where it is the usual one. */
export function shownUrl(config: ClientConfig, timeoutSeconds: number | undefined): string {
  const url = urlOf(config, timeoutSeconds);
  const port = config.service === undefined || url.port !== '' ? '' : `:${servicePort}`;
  return `${url.protocol}//${url.host}${port}${url.pathname}${url.search}`;
}
