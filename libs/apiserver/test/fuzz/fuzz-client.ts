import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { gunzipSync } from 'node:zlib';
import type { RawAnswer } from '../conformance/target.js';
import { shown, type Question } from './question.js';

/** A server that is asked. */
export interface FuzzTarget {
  readonly url: string;
  readonly token: string;
  readonly ca?: string;
}

/** An answer, or the beginning of one that goes on. */
export interface Reply extends RawAnswer {
  /** It was left before it was over. */
  readonly left: boolean;
}

/** Longest wait for an answer, in milliseconds. */
const patience = 20_000;
/** How long a stream is read that may have nothing to say, and one that is known to have. */
const lull = 5;
const streamPatience = 1_000;

/** Asks over one kept connection. */
export class FuzzClient {
  readonly #agent: HttpAgent;

  constructor(private readonly target: FuzzTarget) {
    const options = { keepAlive: true, maxSockets: 1 };
    this.#agent =
      target.ca === undefined
        ? new HttpAgent(options)
        : (new HttpsAgent({ ...options, ca: target.ca }) as unknown as HttpAgent);
  }

  /** Of a stream only the beginning is read: what comes at once, or so many lines where that is known. */
  ask(question: Question, lines?: number): Promise<Reply> {
    const { method, path, body } = question;
    const headers = {
      authorization: `Bearer ${this.target.token}`,
      // Without a name of its own the real server writes for people, with line breaks.
      'user-agent': 'fuzz',
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      ...question.headers,
    };
    const request = this.target.ca === undefined ? httpRequest : httpsRequest;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => outgoing.destroy(new Error(`no answer: ${shown(question)}`)), patience);
      const outgoing = request(this.target.url, { method, path, headers, agent: this.#agent }, (response) => {
        const chunks: Buffer[] = [];
        const finish = (left: boolean): void => {
          clearTimeout(late);
          clearTimeout(leaving);
          const bytes = Buffer.concat(chunks);
          const packed = response.headers['content-encoding'] === 'gzip' && response.complete && method !== 'HEAD';
          const text = (packed ? gunzipSync(bytes) : bytes).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, left });
        };
        const leave = (): void => {
          outgoing.destroy();
          finish(true);
        };
        let leaving: NodeJS.Timeout | undefined;
        // A watch has no length; neither has what the real server writes while it goes on.
        if (response.headers['content-length'] === undefined && method === 'GET' && /[?&]watch=/.test(path)) {
          leaving = setTimeout(leave, lines === undefined || lines === 0 ? lull : streamPatience);
        }
        let seen = 0;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          for (const byte of chunk) if (byte === 0x0a) seen += 1;
          if (leaving !== undefined && lines !== undefined && lines > 0 && seen >= lines) leave();
        });
        response.on('error', reject);
        response.on('end', () => finish(false));
      });
      outgoing.on('error', (error) => {
        clearTimeout(late);
        reject(new Error(`${error.message}: ${shown(question)}`, { cause: error }));
      });
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
