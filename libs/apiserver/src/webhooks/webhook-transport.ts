import type { IncomingMessage, RequestOptions } from 'node:http';
import type { Readable } from 'node:stream';
import { http, https, zlib } from '../lazy-modules.js';
import { TransportError, transportMessage } from './transport-error.js';

/** Where a request goes; the name of the server is what its certificate must be for. */
export interface Destination {
  readonly url: URL;
  /** The URL as it is shown. */
  readonly shown: string;
  readonly serverName?: string;
  /** PEM to trust instead of the authorities that Node knows. */
  readonly ca?: string;
}

export interface WebhookAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

const mostRedirections = 10;
/** What is read of an answer, in bytes. */
const longestAnswer = 16 * 1024 * 1024;

/** Posts a JSON text over a connection of its own, follows redirections, and reads the answer. */
export async function post(destination: Destination, body: string, signal: AbortSignal): Promise<WebhookAnswer> {
  let { url } = destination;
  let { shown } = destination;
  let method: 'POST' | 'GET' = 'POST';
  for (let count = 1; ; count++) {
    const response = await send({ ...destination, url, shown }, method, method === 'POST' ? body : undefined, signal);
    const { statusCode: status = 0, headers } = response;
    const location = redirection(status, headers.location);
    if (location === undefined) {
      return {
        status,
        contentType: headers['content-type'] ?? '',
        retryAfter: headers['retry-after'],
        body: await read(response),
      };
    }
    response.destroy();
    if (count >= mostRedirections) {
      throw new TransportError(
        `${titled(method)} ${JSON.stringify(location)}: stopped after ${mostRedirections} redirects`,
      );
    }
    // Only these two ask for the same request again.
    if (status !== 307 && status !== 308) method = 'GET';
    url = new URL(location, url);
    shown = url.href;
  }
}

function redirection(status: number, location: string | undefined): string | undefined {
  return [301, 302, 303, 307, 308].includes(status) ? location : undefined;
}

const titled = (method: string): string => method[0]! + method.slice(1).toLowerCase();

function send(
  { url, shown, serverName, ca }: Destination,
  method: 'POST' | 'GET',
  body: string | undefined,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const options: RequestOptions & { ca?: string; servername?: string } = {
    method,
    // A connection for each call, which is gone with it.
    agent: false,
    signal,
    headers: {
      'user-agent': 'kube-apiserver-admission',
      accept: 'application/json, */*',
      'accept-encoding': 'gzip',
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    },
    ...(ca === undefined ? {} : { ca }),
    ...(serverName === undefined ? {} : { servername: serverName }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = (url.protocol === 'https:' ? https().request : http().request)(url, options, resolve);
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      reject(
        new TransportError(
          `${titled(method)} ${JSON.stringify(shown)}: ${transportMessage(error, url, serverName)}`,
          error,
        ),
      );
    });
    outgoing.end(body);
  });
}

async function read(response: IncomingMessage): Promise<string> {
  const zipped = response.headers['content-encoding'] === 'gzip';
  const stream: Readable = zipped ? response.pipe(zlib().createGunzip()) : response;
  if (zipped) response.on('error', (error) => stream.destroy(error));
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > longestAnswer) throw new Error(`the answer is longer than ${longestAnswer} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ECONNRESET' ? 'unexpected EOF' : message;
    throw new TransportError(
      `unexpected error when reading response body. Please retry. Original error: ${why}`,
      error,
    );
  }
  return Buffer.concat(chunks).toString();
}
