import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

export interface Endpoint {
  readonly url: string;
  /** PEM of the certificate to trust, for https. */
  readonly ca?: string;
  readonly token?: string;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** One request on a connection of its own. Rejects on network errors, on abort, and after `timeout` (10 s). */
export function sendJson(
  endpoint: Endpoint,
  method: string,
  path: string,
  options: { body?: unknown; timeout?: number; signal?: AbortSignal | undefined } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const url = new URL(path, endpoint.url);
    const payload = options.body === undefined ? undefined : JSON.stringify(options.body);
    const settings = {
      method,
      agent: false,
      timeout: options.timeout ?? 10_000,
      headers: {
        accept: 'application/json',
        ...(payload === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
        ...(endpoint.token === undefined ? {} : { authorization: `Bearer ${endpoint.token}` }),
      },
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    };
    const outgoing =
      url.protocol === 'https:'
        ? httpsRequest(url, { ...settings, ...(endpoint.ca === undefined ? {} : { ca: endpoint.ca }) })
        : httpRequest(url, settings);
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${settings.timeout} ms`)));
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    outgoing.end(payload);
  });
}
