import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Where a {@link FaultProxy} leads. */
export interface FaultProxyTarget {
  readonly host: string;
  readonly port: number;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/**
 * Stands between an operator and any server, encrypted or not, and breaks what goes through it. It sees bytes only: the
 * server's certificate has to be valid for `127.0.0.1`.
 */
export class FaultProxy {
  readonly #pairs = new Set<Pair>();
  readonly #target: FaultProxyTarget;
  #server: Server | undefined;
  #port = 0;
  #held = false;
  #latency = 0;

  private constructor(target: FaultProxyTarget) {
    this.#target = target;
  }

  /** @internal */
  static async open(target: FaultProxyTarget): Promise<FaultProxy> {
    const proxy = new FaultProxy(target);
    await proxy.#listen(0);
    return proxy;
  }

  /** Of the loopback interface. Stays the same, whatever is refused meanwhile. */
  get port(): number {
    return this.#port;
  }

  /** Connections that are open now. */
  get connections(): number {
    return this.#pairs.size;
  }

  /** Resets every open connection, without a word before. Returns how many. */
  reset(): number {
    const count = this.#pairs.size;
    for (const { client, server } of this.#pairs) {
      client.resetAndDestroy();
      server.destroy();
    }
    return count;
  }

  /** From now on nothing goes on in either direction, and every connection stays open: half-open ones, to either end. */
  hold(): void {
    this.#held = true;
    for (const { client, server } of this.#pairs) {
      client.pause();
      server.pause();
    }
  }

  /** What was held back goes on, in order. */
  release(): void {
    this.#held = false;
    for (const { client, server } of this.#pairs) {
      client.resume();
      server.resume();
    }
  }

  /** What comes from the server waits this many milliseconds before it goes on; 0 ends that. */
  delay(milliseconds: number): void {
    this.#latency = milliseconds;
  }

  /** Resets all connections, and refuses new ones until {@link accept}. */
  async refuse(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = once(server, 'close');
    server.close();
    this.reset();
    await closed;
  }

  /** Takes connections again, on the port from before. */
  async accept(): Promise<void> {
    if (this.#server === undefined) await this.#listen(this.#port);
  }

  /** Ends every connection. Idempotent. */
  close(): Promise<void> {
    return this.refuse();
  }

  async #listen(port: number): Promise<void> {
    const server = createServer((client) => this.#pair(client));
    this.#server = server;
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
  }

  #pair(client: Socket): void {
    const server = connect(this.#target);
    const pair = { client, server };
    this.#pairs.add(pair);
    const end = (): void => {
      this.#pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      // An error is followed by the close, and both ends share their fate.
      socket.on('error', () => undefined).on('close', end);
      socket.setNoDelay(true);
    }
    client.on('data', (data) => server.write(data)).on('end', () => server.end());
    server
      .on('data', (data) => this.#afterLatency(() => client.writable && client.write(data)))
      .on('end', () => this.#afterLatency(() => client.end()));
    if (!this.#held) return;
    client.pause();
    server.pause();
  }

  #afterLatency(act: () => unknown): void {
    if (this.#latency === 0) act();
    else setTimeout(act, this.#latency).unref();
  }
}

/**
 * Starts a proxy on the loopback interface.
 *
 * @param url of the server, such as `https://127.0.0.1:6443`
 */
export function startFaultProxy(url: string): Promise<FaultProxy> {
  const { protocol, hostname, port } = new URL(url);
  const standard = protocol === 'https:' ? 443 : 80;
  return FaultProxy.open({ host: hostname, port: port === '' ? standard : Number(port) });
}
