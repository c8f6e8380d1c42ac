import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** A server that cases are run against. */
export interface Target {
  readonly name: 'embedded' | 'real';
  readonly url: string;
  /** Token of a member of system:masters. */
  readonly token?: string;
  /** Certificate to trust, as PEM. */
  readonly ca?: string;
}

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  /** Further headers, or other ones; without a value a header is left out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

const deadline = 15_000;

/** Sends one request and reads its whole answer; a watch is read until it ends or has carried `lines` lines. */
export function send(target: Target, exchange: Exchange, lines?: number): Promise<RawAnswer> {
  const { method, path, body, contentType, accept, headers } = exchange;
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const request = target.url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      new URL(target.url + path),
      {
        method,
        agent: false,
        signal: AbortSignal.timeout(deadline),
        ...(target.ca === undefined ? {} : { ca: target.ca }),
        headers: withoutAbsent({
          // Without a name of its own the real server writes for people, with line breaks.
          'user-agent': 'conformance',
          ...(target.token === undefined ? {} : { authorization: `Bearer ${target.token}` }),
          ...(accept === undefined ? {} : { accept }),
          ...(text === undefined
            ? {}
            : { 'content-type': contentType ?? 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
          ...headers,
        }),
      },
      (response) => {
        let received = '';
        response.setEncoding('utf8');
        const done = (): void => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: received });
        };
        response.on('data', (chunk: string) => {
          received += chunk;
          if (lines !== undefined && received.split('\n').length > lines) {
            done();
            outgoing.destroy();
          }
        });
        response.on('end', done);
        response.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(text);
  });
}

function withoutAbsent(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
