import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { gunzipSync } from 'node:zlib';

/** A server that cases are run against. */
export interface Target {
  readonly name: 'embedded' | 'real';
  readonly url: string;
  /** Token of a member of system:masters. */
  readonly token?: string;
  /** Token of `system:serviceaccount:default:plain`, of a server that makes no tokens for accounts. */
  readonly plainToken?: string;
  /** Certificate to trust, as PEM. */
  readonly ca?: string;
  /** Forgets the history, so that versions of the past are too old. */
  readonly compact: () => Promise<void>;
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

/** How a stream was over: by its reader, by its clean end, or by the loss of its connection. */
export type StreamEnd = 'left' | 'end' | 'reset';

const deadline = 30_000;

/** Sends one request and reads its whole answer. */
export async function send(target: Target, exchange: Exchange): Promise<RawAnswer> {
  const stream = await open(target, exchange);
  const end = await stream.over();
  if (end === 'reset') throw new Error(`${exchange.method} ${exchange.path}: the connection was lost in the answer`);
  return { status: stream.status, headers: stream.headers, text: stream.text };
}

/** Sends one request and resolves when its answer begins. */
export function open(target: Target, exchange: Exchange): Promise<AnswerReader> {
  const { method, path, body, contentType, accept, headers } = exchange;
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const request = target.url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      target.url + path,
      {
        method,
        // A connection of its own: answers and their ends cannot be mixed up.
        agent: false as unknown as HttpAgent,
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
      (response) => resolve(new AnswerReader(response, () => outgoing.destroy())),
    );
    outgoing.on('error', reject);
    outgoing.end(text);
  });
}

/** An answer that is being read. */
export class AnswerReader {
  readonly #chunks: Buffer[] = [];
  #end: StreamEnd | undefined;
  #failure: Error | undefined;
  #wake: (() => void)[] = [];

  constructor(
    private readonly response: IncomingMessage,
    private readonly destroy: () => void,
  ) {
    response.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#notify();
    });
    response.on('end', () => this.#over('end'));
    response.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') this.#over('reset');
      else this.#fail(error);
    });
  }

  get status(): number {
    return this.response.statusCode ?? 0;
  }

  get headers(): IncomingMessage['headers'] {
    return this.response.headers;
  }

  /** What has come so far, decoded when it is complete. */
  get text(): string {
    const bytes = Buffer.concat(this.#chunks);
    const packed = this.headers['content-encoding'] === 'gzip' && this.#end === 'end';
    return (packed ? gunzipSync(bytes) : bytes).toString();
  }

  /** Waits until so many lines have come, and leaves then; else until the end. */
  lines(count: number): Promise<StreamEnd> {
    return this.enough((lines) => lines.length >= count);
  }

  /** Waits until the complete lines are enough, or until the end. */
  async seen(holds: (lines: readonly string[]) => boolean): Promise<void> {
    while (this.#end === undefined && !holds(this.text.split('\n').slice(0, -1))) await this.#next();
  }

  /** As `seen`, and leaves then. */
  async enough(holds: (lines: readonly string[]) => boolean): Promise<StreamEnd> {
    await this.seen(holds);
    if (this.#end === undefined) {
      this.#end = 'left';
      this.destroy();
    }
    return this.#end;
  }

  /** Waits for the end. */
  async over(): Promise<StreamEnd> {
    while (this.#end === undefined) await this.#next();
    return this.#end;
  }

  async #next(): Promise<void> {
    await new Promise<void>((resolve) => this.#wake.push(resolve));
    if (this.#failure !== undefined) throw this.#failure;
  }

  #over(how: StreamEnd): void {
    this.#end ??= how;
    this.#notify();
  }

  #fail(error: Error): void {
    if (this.#end === undefined) this.#failure ??= error;
    this.#notify();
  }

  #notify(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}

function withoutAbsent(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
