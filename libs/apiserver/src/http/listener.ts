import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { http } from '../lazy-modules.js';

/** What a server of Go answers to what it cannot read as a request. */
const badRequest =
  'HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request';

/** Whether the escapes of a path are such. Those of its query are looked at one by one. */
const isReadable = (target: string): boolean => !/%(?![0-9a-fA-F]{2})/.test(target.split('?', 1)[0]!);

/** The loopback port: accepts connections, can refuse them, and ends them all. */
export class Listener {
  readonly #http: Server;
  readonly #front = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#accept(socket));
  readonly #sockets = new Set<Socket>();
  #port = 0;

  constructor(handler: (request: IncomingMessage, response: ServerResponse) => void) {
    // Time-outs of the HTTP server run on the machine's clock and would end idle streams behind the server's back.
    this.#http = http().createServer(
      { keepAlive: false, requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 },
      (request, response) => {
        if (isReadable(request.url ?? '/')) handler(request, response);
        else request.socket.end(badRequest);
      },
    );
    this.#http.timeout = 0;
    this.#http.on('clientError', (_error, socket) => {
      if (socket.writable) socket.end(badRequest);
      else socket.destroy();
    });
  }

  get port(): number {
    return this.#port;
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#front.once('error', reject);
      this.#front.listen({ port, host: '127.0.0.1' }, () => {
        this.#front.off('error', reject);
        resolve();
      });
    });
    this.#port = (this.#front.address() as AddressInfo).port;
  }

  async refuse(refuse: boolean, keepOpen: boolean): Promise<void> {
    if (refuse) {
      if (this.#front.listening) this.#front.close();
      if (!keepOpen) for (const socket of this.#sockets) socket.resetAndDestroy();
    } else if (!this.#front.listening) {
      await this.listen(this.#port);
    }
  }

  async close(): Promise<void> {
    const ended = [...this.#sockets].map(
      (socket) =>
        new Promise<void>((resolve) => {
          socket.once('close', () => resolve());
          socket.destroy();
        }),
    );
    if (this.#front.listening) {
      await new Promise<void>((resolve, reject) => {
        this.#front.close((error) => (error === undefined ? resolve() : reject(error)));
      });
    }
    await Promise.all(ended);
    this.#http.close();
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    this.#http.emit('connection', socket);
  }
}
