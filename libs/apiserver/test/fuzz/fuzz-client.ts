import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { shown, type Question, type Reply } from './question.js';

/** A server that is asked. */
export interface FuzzTarget {
  readonly url: string;
  readonly token: string;
  readonly ca?: string;
}

/** Longest wait for an answer, in milliseconds. */
const patience = 20_000;

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

  /** Of a stream only the beginning is read. */
  ask(question: Question): Promise<Reply> {
    const { method, path, body } = question;
    const headers = { authorization: `Bearer ${this.target.token}`, 'user-agent': 'fuzz', ...question.headers };
    const request = this.target.ca === undefined ? httpRequest : httpsRequest;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => outgoing.destroy(new Error(`no answer: ${shown(question)}`)), patience);
      const outgoing = request(this.target.url, { method, path, headers, agent: this.#agent }, (response) => {
        const status = response.statusCode ?? 0;
        const type = response.headers['content-type'] ?? '';
        const chunks: Buffer[] = [];
        const finish = (): void => {
          clearTimeout(late);
          resolve({ status, type, text: Buffer.concat(chunks).toString() });
        };
        // A watch has no length; neither has what the real server writes while it goes on.
        if (response.headers['content-length'] === undefined && method === 'GET' && /[?&]watch=/.test(path)) {
          response.once('data', (chunk: Buffer) => chunks.push(chunk));
          setTimeout(() => {
            outgoing.destroy();
            finish();
          }, 5);
          return;
        }
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', finish);
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
