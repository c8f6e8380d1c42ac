import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BasicConstraintsExtension, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import type { JsonObject } from '../../src/index.js';

/** What a webhook is sent, and answers: an AdmissionReview or a ConversionReview. */
export interface Review extends JsonObject {
  readonly request?: JsonObject;
  readonly response?: JsonObject;
}

/** An answer that is not simply a review. */
export class RawReply {
  constructor(
    readonly status: number,
    readonly body: string,
    readonly headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
  ) {}
}

/** Stands for an answer that never comes. */
export const silence = Symbol('silence');

/** Stands for a connection that is closed without an answer. */
export const hangUp = Symbol('hangUp');

export type Reply = JsonObject | RawReply | typeof silence | typeof hangUp;

export interface Received {
  readonly path: string;
  /** Everything that was sent, with the parameters of the path. */
  readonly method: string;
  readonly query: string;
  readonly headers: IncomingMessage['headers'];
  readonly review: Review;
}

/** An HTTPS server on loopback that answers reviews as a test tells it to, and remembers them. */
export class WebhookReceiver {
  readonly #server: Server;
  readonly #replies = new Map<string, (received: Received) => Reply>();
  #received: Received[] = [];

  private constructor(
    server: Server,
    /** The certificate of the server, which is its own issuer, as PEM. */
    readonly ca: string,
  ) {
    this.#server = server;
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<WebhookReceiver> {
    const { key, cert } = await certificate();
    const receiver = new WebhookReceiver(createServer({ key, cert }), cert);
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  /** Address and port. */
  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The certificate as a webhook configuration wants it. */
  get caBundle(): string {
    return Buffer.from(this.ca).toString('base64');
  }

  /** Says what is answered at a path from now on. */
  reply(path: string, reply: (received: Received) => Reply): void {
    this.#replies.set(path, reply);
  }

  /** What has come since this was last asked for, in the order of arrival. */
  take(): Received[] {
    const received = this.#received;
    this.#received = [];
    return received;
  }

  /** Whether something has come at a path that was not taken yet. */
  has(path: string): boolean {
    return this.#received.some((received) => received.path === path);
  }

  /** Ends the server and all its connections. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname: path, search: query } = new URL(request.url ?? '/', 'https://receiver.invalid');
    const text = Buffer.concat(chunks).toString();
    // A redirection is followed without a body.
    const review = (text === '' ? {} : JSON.parse(text)) as Review;
    const received = { path, query, method: request.method ?? '', headers: request.headers, review };
    this.#received.push(received);
    const reply = this.#replies.get(path)?.(received) ?? new RawReply(404, 'there is no such webhook', {});
    if (reply === silence) return;
    if (reply === hangUp) {
      request.socket.destroy();
      return;
    }
    const { status, headers, body } = reply instanceof RawReply ? reply : new RawReply(200, JSON.stringify(reply));
    response.writeHead(status, headers).end(body);
  }
}

/** A certificate for loopback that lasts for the tests. */
export async function certificate(): Promise<{ readonly key: string; readonly cert: string }> {
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const hour = 3_600_000;
  const cert = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=conformance',
    notBefore: new Date(Date.now() - hour),
    notAfter: new Date(Date.now() + 24 * hour),
    keys,
    signingAlgorithm,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }]),
    ],
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const lines = pkcs8.match(/.{1,64}/g) ?? [];
  const key = `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`;
  return { key, cert: cert.toString('pem') };
}
