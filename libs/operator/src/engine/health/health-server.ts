import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HealthServerError } from '../../errors/health-server.error.js';
import type { HealthServerConfig } from '../operator-config.js';
import type { Logger } from '../ports/index.js';
import { healthRoute } from './health-answer.js';
import type { HealthRoutes, RouteAnswer } from './health-routes.js';
import type { OperatorHealth } from './operator-health.js';

export interface HealthServerOptions {
  readonly config: HealthServerConfig;
  readonly routes: HealthRoutes;
  readonly getHealth: () => Promise<OperatorHealth>;
  readonly logger: Logger;
}

/** Serves health, and what others have added to its routes. Once it listens, whatever goes wrong is logged and counted. */
export class HealthServer {
  readonly #options: HealthServerOptions;
  readonly #server: Server;
  #failures = 0;

  constructor(options: HealthServerOptions) {
    this.#options = options;
    const { config, routes, getHealth } = options;
    routes.add(config.paths.liveness, healthRoute('liveness', getHealth));
    routes.add(config.paths.readiness, healthRoute('readiness', getHealth));
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => this.#failed('answer', error));
    });
    // Whoever asks has a deadline of its own, and sends no body.
    this.#server.requestTimeout = 10_000;
    // Health alone is no reason for a process to live on.
    this.#server.unref();
  }

  /** What went wrong since it listens. */
  get failures(): number {
    return this.#failures;
  }

  /** The port that it listens on. */
  get port(): number | undefined {
    return (this.#server.address() as AddressInfo | null)?.port;
  }

  /** @throws HealthServerError `OPERATOR_HEALTH_SERVER` when the port cannot be had */
  async listen(): Promise<void> {
    const { config, logger } = this.#options;
    const { port, host } = config;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once('error', reject);
    this.#server.listen({ port, ...(host === undefined ? {} : { host }) }, resolve);
    try {
      await promise;
    } catch (error) {
      throw new HealthServerError(port, host, { cause: error });
    } finally {
      this.#server.off('error', reject);
    }
    this.#server.on('error', (error) => this.#failed('listen', error));
    logger.log('info', 'Health is served', { host: host ?? 'all', port: this.port, ...config.paths });
  }

  /** The task: serves until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    if (!signal.aborted) {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    }
    await this.close();
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '/', headers } = request;
    request.resume();
    const [path = '', search = ''] = url.split('?', 2);
    const query = new URLSearchParams(search);
    const { status, type, body } = await this.#find(method, path, query, headers.accept ?? '');
    if (response.destroyed) return;
    response.writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      ...(status === 405 ? { allow: 'GET, HEAD' } : {}),
    });
    response.end(method === 'HEAD' ? undefined : body);
  }

  async #find(method: string | undefined, path: string, query: URLSearchParams, accept: string): Promise<RouteAnswer> {
    const handler = this.#options.routes.find(path);
    if (handler === undefined) return plain(404, `Nothing here. There is: ${this.#options.routes.paths.join(', ')}`);
    if (method !== 'GET' && method !== 'HEAD') return plain(405, 'Only GET and HEAD are answered.');
    try {
      return await handler({ query, accept });
    } catch (error) {
      this.#failed(path, error);
      return plain(500, 'The answer could not be made.');
    }
  }

  #failed(where: string, error: unknown): void {
    this.#failures += 1;
    const fields = { where, failures: this.#failures };
    this.#options.logger.log('warn', 'The health server has a problem', fields, error);
  }
}

function plain(status: number, message: string): RouteAnswer {
  return { status, type: 'text/plain; charset=utf-8', body: `${message}\n` };
}
