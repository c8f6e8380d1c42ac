import type { ApiClient, ApiRequest, ApiResponse, ApiStream } from '../../../src/engine/client/api-client.js';
import type { StoredObject } from '../../../src/engine/kube-object.js';
import { ApiError } from '../../../src/errors/api.error.js';
import { NetworkError } from '../../../src/errors/network.error.js';
import { settle } from './fake-clock.js';

export interface Refusal {
  readonly reason?: string;
  readonly retryAfter?: number;
  readonly causes?: readonly string[];
}

export function apiError(status: number, { reason = '', retryAfter, causes = [] }: Refusal = {}): ApiError {
  return new ApiError({
    verb: 'list',
    path: '/somewhere',
    status,
    reason,
    serverMessage: 'scripted',
    details: {
      kind: undefined,
      name: undefined,
      group: undefined,
      uid: undefined,
      causes: causes.map((cause) => ({ reason: cause, field: undefined })),
    },
    retryAfter,
  });
}

export function networkError(systemCode = 'ECONNRESET'): NetworkError {
  return new NetworkError({
    verb: 'watch',
    path: '/somewhere',
    server: 'scripted',
    systemCode,
    mayHaveReachedServer: true,
  });
}

/** One request that waits for its answer. */
export class ScriptedCall {
  readonly query: NonNullable<ApiRequest['query']>;
  stream: ScriptedStream | undefined;

  constructor(
    readonly request: ApiRequest,
    readonly kind: 'request' | 'stream',
    private readonly resolve: (answer: never) => void,
    private readonly reject: (error: Error) => void,
  ) {
    this.query = Object.fromEntries(Object.entries(request.query ?? {}).filter(([, value]) => value !== undefined));
  }

  async reply(items: readonly StoredObject[], version: number | string, next?: string): Promise<void> {
    const metadata = { resourceVersion: String(version), ...(next === undefined ? {} : { continue: next }) };
    await this.replyBody({ apiVersion: 'demo.example/v1', kind: 'WidgetList', metadata, items });
  }

  async replyBody(body: unknown): Promise<void> {
    this.resolve({ status: 200, headers: {}, body } satisfies ApiResponse<unknown> as never);
    await settle();
  }

  async refuse(status: number, refusal?: Refusal): Promise<void> {
    await this.fail(apiError(status, refusal));
  }

  async fail(error: Error): Promise<void> {
    this.reject(error);
    await settle();
  }

  /** Accepts a watch. */
  async open(): Promise<ScriptedStream> {
    const stream = new ScriptedStream();
    this.stream = stream;
    this.resolve(stream as never);
    await settle();
    return stream;
  }
}

export class ScriptedStream implements ApiStream {
  readonly status = 200;
  readonly headers = {};
  closed = 0;
  private readonly queue: (Uint8Array | Error | 'end')[] = [];
  private wake: (() => void) | undefined;

  get chunks(): AsyncIterable<Uint8Array> {
    return this.read();
  }

  close(): void {
    this.closed++;
  }

  async event(type: string, object: StoredObject): Promise<void> {
    await this.line(JSON.stringify({ type, object }));
  }

  async bookmark(version: number | string, initialEnd = false): Promise<void> {
    const annotations = initialEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
    await this.event('BOOKMARK', {
      apiVersion: 'demo.example/v1',
      kind: 'Widget',
      metadata: { resourceVersion: String(version), ...annotations },
    } as unknown as StoredObject);
  }

  async error(code: number, fields: Record<string, unknown> = {}): Promise<void> {
    await this.event('ERROR', {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      code,
      ...fields,
    } as unknown as StoredObject);
  }

  async line(text: string): Promise<void> {
    await this.bytes(Buffer.from(`${text}\n`));
  }

  async bytes(bytes: Uint8Array): Promise<void> {
    this.push(bytes);
    await settle();
  }

  /** Bytes that lie ready, but are not read before the loop turns. */
  push(bytes: Uint8Array): void {
    this.queue.push(bytes);
    this.wake?.();
  }

  async end(): Promise<void> {
    this.queue.push('end');
    this.wake?.();
    await settle();
  }

  async cut(error: Error = networkError()): Promise<void> {
    this.queue.push(error);
    this.wake?.();
    await settle();
  }

  private async *read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const next = this.queue.shift();
      if (next === 'end') return;
      if (next instanceof Error) throw next;
      if (next !== undefined) yield next;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}

/** A server that answers only what the test tells it to. Ignores aborts, to show that nobody depends on them. */
export class ScriptedClient implements ApiClient {
  readonly calls: ScriptedCall[] = [];
  private taken = 0;

  request<T>(request: ApiRequest): Promise<ApiResponse<T>> {
    return this.note(request, 'request');
  }

  stream(request: ApiRequest): Promise<ApiStream> {
    return this.note(request, 'stream');
  }

  /** The next call, which must be there already. */
  next(verb: 'list' | 'watch'): ScriptedCall {
    const call = this.calls[this.taken];
    if (call === undefined) throw new Error(`Expected a ${verb} request, there is none`);
    if (call.request.verb !== verb) throw new Error(`Expected a ${verb} request, found a ${call.request.verb}`);
    this.taken++;
    return call;
  }

  /** Calls that the test has not taken. */
  get waiting(): number {
    return this.calls.length - this.taken;
  }

  count(verb: 'list' | 'watch'): number {
    return this.calls.filter(({ request }) => request.verb === verb).length;
  }

  get openStreams(): number {
    return this.calls.filter(({ stream }) => stream !== undefined && stream.closed === 0).length;
  }

  private note<T>(request: ApiRequest, kind: 'request' | 'stream'): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.calls.push(new ScriptedCall(request, kind, resolve as (answer: never) => void, reject));
    });
  }
}
