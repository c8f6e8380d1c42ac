import type { ApiTransport, TransportRequest, TransportResponse } from 'nestjs-operator';
import { UndiciTransport } from '../../libs/operator/src/engine/client/transport/undici-transport.js';

/** One request that the operator sent. */
export interface SentRequest {
  readonly method: TransportRequest['method'];
  readonly path: string;
  readonly query: URLSearchParams;
  readonly contentType: string | undefined;
  /** Parsed. */
  readonly body: unknown;
  /** Set when the answer's headers are there. */
  status: number | undefined;
}

/** A real transport that keeps a list of what goes through it. */
export class RecordingTransport implements ApiTransport {
  readonly sent: SentRequest[] = [];
  /** Awaited before a request leaves: others can be quicker. */
  beforeSending: (request: SentRequest) => Promise<unknown> | undefined = () => undefined;
  readonly #transport = new UndiciTransport();

  get inFlight(): ApiTransport['inFlight'] {
    return this.#transport.inFlight;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const url = new URL(request.path, 'http://server');
    const contentType = request.headers['content-type'];
    const entry: SentRequest = {
      method: request.method,
      path: url.pathname,
      query: url.searchParams,
      contentType: typeof contentType === 'string' ? contentType : undefined,
      body: request.body === undefined ? undefined : JSON.parse(Buffer.from(request.body).toString('utf8')),
      status: undefined,
    };
    this.sent.push(entry);
    await this.beforeSending(entry);
    const response = await this.#transport.send(request);
    entry.status = response.status;
    return response;
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  destroy(): Promise<void> {
    return this.#transport.destroy();
  }

  clear(): void {
    this.sent.length = 0;
  }

  /** Everything that changes something, Kubernetes events aside. */
  get writes(): readonly SentRequest[] {
    return this.sent.filter(({ method, path }) => method !== 'GET' && !/\/events(\/|$)/.test(path));
  }

  /** Lists, including those that come as the beginning of a watch. `plural`: of this resource only. */
  lists(plural: string): readonly SentRequest[] {
    return this.sent.filter(
      ({ method, path, query }) =>
        method === 'GET' &&
        path.endsWith(`/${plural}`) &&
        (!query.has('watch') || query.get('sendInitialEvents') === 'true'),
    );
  }

  watches(plural: string): readonly SentRequest[] {
    return this.sent.filter(
      ({ method, path, query }) => method === 'GET' && path.endsWith(`/${plural}`) && query.has('watch'),
    );
  }
}
