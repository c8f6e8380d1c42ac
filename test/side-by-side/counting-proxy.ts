import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';

/** What the proxy needs of a cluster. */
export interface Upstream {
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  /** Of an administrator. */
  readonly token: string;
}

/** Stands between an operator and its server, and keeps a list of what the operator sends. */
export class CountingProxy {
  readonly requests: Array<{ readonly method: string; readonly path: string; readonly at: number }> = [];
  /** Whatever a request has to wait for before it goes on. */
  hold: ((method: string, path: string) => Promise<unknown> | undefined) | undefined;
  readonly #agent: Agent;

  private constructor(
    private readonly server: Server,
    private readonly upstream: Upstream,
  ) {
    this.#agent = new Agent({ keepAlive: true, ca: upstream.ca });
  }

  static async start(upstream: Upstream): Promise<CountingProxy> {
    const server = createServer();
    const proxy = new CountingProxy(server, upstream);
    server.on('request', (incoming, outgoing) => {
      const { method = 'GET', url = '/' } = incoming;
      proxy.requests.push({ method, path: new URL(url, proxy.url).pathname, at: performance.now() });
      const forward = (): void => proxy.#forward(incoming, outgoing);
      const held = proxy.hold?.(method, url);
      if (held === undefined) forward();
      // Whoever has gone meanwhile wants nothing any more.
      else
        held.then(
          () => (outgoing.destroyed ? undefined : forward()),
          () => outgoing.destroy(),
        );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Everything that changes something, Kubernetes events aside. */
  get writes(): readonly string[] {
    return this.requests
      .filter(({ method, path }) => method !== 'GET' && !/\/events(\/|$)/.test(path))
      .map(({ method, path }) => `${method} ${path}`);
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    this.#agent.destroy();
    await closed;
  }

  #forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method = 'GET', url = '/', headers } = incoming;
    const { host: _host, ...kept } = headers;
    const sent = request(
      new URL(url, this.upstream.url),
      { method, headers: { ...kept, authorization: `Bearer ${this.upstream.token}` }, agent: this.#agent },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
        answer.on('error', () => outgoing.destroy());
      },
    );
    sent.on('error', () => outgoing.destroy());
    outgoing.on('close', () => sent.destroy());
    incoming.pipe(sent);
  }
}
