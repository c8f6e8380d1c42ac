import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly body: string;
  readonly socket: Socket;
}

export type Answerer = (request: SeenRequest, response: ServerResponse, index: number) => void | Promise<void>;

/** A plain HTTP server that keeps what it was asked, and its connections. */
export class RawServer {
  readonly requests: SeenRequest[] = [];
  /** All connections ever made. */
  connections = 0;
  readonly open = new Set<Socket>();
  readonly #server: Server;
  readonly #scheme: string;

  constructor(answer: Answerer, tls?: ServerOptions) {
    const listener: RequestListener = (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const seen: SeenRequest = {
          method: request.method!,
          url: request.url!,
          headers: request.headers,
          rawHeaders: request.rawHeaders,
          body: Buffer.concat(parts).toString('utf8'),
          socket: request.socket,
        };
        this.requests.push(seen);
        Promise.resolve(answer(seen, response, this.requests.length - 1)).catch((error: unknown) => {
          response.destroy(error as Error);
        });
      });
    };
    this.#scheme = tls === undefined ? 'http' : 'https';
    this.#server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
    this.#server.keepAliveTimeout = 60_000;
    this.#server.on('connection', (socket: Socket) => {
      this.connections++;
      this.open.add(socket);
      socket.on('close', () => this.open.delete(socket));
    });
  }

  async listen(port = 0): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', resolve);
    });
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

export function statusBody(code: number, reason: string, message: string, details?: object): object {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    code,
    ...(details === undefined ? {} : { details }),
  };
}
