import { connect, type Socket } from 'node:net';
import type { ApiServer } from '../../src/index.js';

/** One request on a bare socket: every byte that comes back, and how the connection ends. */
export class RawConnection {
  received = '';
  /** `FIN` for an end that the server sent, else the code of the error; undefined while it is open. */
  ended: string | undefined;
  readonly #socket: Socket;
  #wake: (() => void)[] = [];

  constructor({ port }: ApiServer, method: string, path: string) {
    this.#socket = connect({ port, host: '127.0.0.1' }, () => {
      this.#socket.write(`${method} ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    });
    this.#socket.setEncoding('utf8');
    this.#socket.on('data', (chunk: string) => {
      this.received += chunk;
      this.#notify();
    });
    this.#socket.on('end', () => this.#end('FIN'));
    this.#socket.on('error', (error: NodeJS.ErrnoException) => this.#end(error.code ?? error.message));
  }

  /** The body as far as it came, chunk sizes included. */
  get body(): string {
    return this.received.split('\r\n\r\n').slice(1).join('\r\n\r\n');
  }

  async until(condition: (connection: this) => boolean): Promise<void> {
    while (!condition(this)) await new Promise<void>((resolve) => this.#wake.push(resolve));
  }

  close(): void {
    this.#socket.destroy();
  }

  #end(how: string): void {
    this.ended ??= how;
    this.#notify();
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = [];
    for (const resolve of wake) resolve();
  }
}
