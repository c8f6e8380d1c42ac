import { request, type IncomingHttpHeaders } from 'node:http';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The parsed body; throws when it is not JSON. */
  // eslint-disable-next-line typescript/no-explicit-any
  json: any;
}

export interface CallOptions {
  body?: unknown;
  contentType?: string;
  headers?: Record<string, string>;
}

const types: Record<string, string> = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** One raw request on a connection of its own. */
export function call(url: string, method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const { body, contentType, headers } = options;
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  const payload = body === undefined ? undefined : isRaw ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url + path,
      {
        method,
        agent: false,
        headers: {
          ...(payload === undefined
            ? {}
            : {
                'content-type': types[contentType ?? ''] ?? contentType ?? 'application/json',
                'content-length': String(Buffer.byteLength(payload)),
              }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            get json() {
              return JSON.parse(text) as unknown;
            },
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}

export interface WatchLine {
  type: string;
  // eslint-disable-next-line typescript/no-explicit-any
  object: any;
}

/** An open watch; lines are taken one after another, or waited for. */
export class WatchStream {
  readonly lines: WatchLine[] = [];
  readonly chunks: string[] = [];
  status = 0;
  /** `end` for a clean end, else the error code. */
  over: string | undefined;
  #rest = '';
  #wake: (() => void)[] = [];
  #next = 0;
  #abort: () => void = () => undefined;

  static open(url: string, path: string, headers: Record<string, string> = {}): Promise<WatchStream> {
    const stream = new WatchStream();
    return new Promise((resolve, reject) => {
      const outgoing = request(url + path, { agent: false, headers }, (response) => {
        stream.status = response.statusCode ?? 0;
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => stream.#data(chunk));
        response.on('error', (error: NodeJS.ErrnoException) => stream.#over(error.code ?? error.message));
        response.on('end', () => stream.#over('end'));
        stream.#abort = () => outgoing.destroy();
        resolve(stream);
      });
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        stream.#over(error.code ?? error.message);
        reject(error);
      });
      outgoing.end();
    });
  }

  /** The next line; waits for it. Fails when the stream is over before. */
  async next(): Promise<WatchLine> {
    while (this.#next >= this.lines.length) {
      if (this.over !== undefined) throw new Error(`the watch is over (${this.over}) after ${this.lines.length} lines`);
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
    return this.lines[this.#next++]!;
  }

  async take(count: number): Promise<WatchLine[]> {
    const taken: WatchLine[] = [];
    while (taken.length < count) taken.push(await this.next());
    return taken;
  }

  /** How the stream ended. */
  async ended(): Promise<string> {
    while (this.over === undefined) await new Promise<void>((resolve) => this.#wake.push(resolve));
    return this.over;
  }

  /** What came after the last line feed. */
  get rest(): string {
    return this.#rest;
  }

  close(): void {
    this.#abort();
  }

  #data(chunk: string): void {
    this.chunks.push(chunk);
    const parts = (this.#rest + chunk).split('\n');
    this.#rest = parts.pop()!;
    for (const part of parts) this.lines.push(JSON.parse(part) as WatchLine);
    this.#notify();
  }

  #over(how: string): void {
    this.over ??= how;
    this.#notify();
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = [];
    for (const resolve of wake) resolve();
  }
}
