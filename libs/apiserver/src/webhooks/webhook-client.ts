import type { Activity } from '../activity.js';
import { pause, type Clock } from '../clock.js';
import { isObject, parseJson, type JsonObject } from '../json.js';
import { failure } from '../status.js';
import { AnswerError } from './answer-decoding.js';
import { CallDeadline } from './call-deadline.js';
import { shownUrl, urlOf, type ClientConfig } from './client-config.js';
import { TransportError } from './transport-error.js';
import type { WebhookCall, WebhookFunction, WebhookTargets } from './webhook-targets.js';
import { post, type Destination, type WebhookAnswer } from './webhook-transport.js';

export interface WebhookRequest {
  readonly config: ClientConfig;
  readonly review: JsonObject;
  /** Milliseconds of the server's clock. */
  readonly timeout: number;
  /** The time-out that the URL tells of. */
  readonly timeoutSeconds?: number;
}

const mostRetries = 10;

/** Calls webhooks: over HTTPS, or in this process. */
export class WebhookClient {
  constructor(
    private readonly clock: Clock,
    private readonly activity: Activity,
    private readonly closing: AbortSignal,
    private readonly targets: WebhookTargets,
  ) {}

  /**
   * Posts a review and answers what came back. Rejects with TransportError or AnswerError where nothing came in time,
   * and with ApiError when the server is closed meanwhile.
   */
  async call(request: WebhookRequest): Promise<WebhookAnswer> {
    const { config, timeoutSeconds } = request;
    const deadline = new CallDeadline(this.clock, this.activity, this.closing, request.timeout);
    try {
      return await this.#send(request, deadline);
    } catch (error) {
      if (deadline.ended === 'closed') throw failure('ServiceUnavailable', 'the server is closed');
      if (deadline.ended === undefined) throw error;
      const shown = JSON.stringify(shownUrl(config, timeoutSeconds));
      throw new TransportError(`Post ${shown}: context deadline exceeded`, error);
    } finally {
      deadline.done();
    }
  }

  async #send(request: WebhookRequest, deadline: CallDeadline): Promise<WebhookAnswer> {
    const { config, timeoutSeconds } = request;
    const { service } = config;
    const shown = shownUrl(config, timeoutSeconds);
    const url = urlOf(config, timeoutSeconds);
    const body = JSON.stringify(request.review);
    if (service === undefined) return this.#post({ url, shown, ...authorities(config) }, body, deadline);
    const target = this.targets.find(service);
    if (target === undefined) {
      throw new TransportError(`Post ${JSON.stringify(shown)}: service ${JSON.stringify(service.name)} not found`);
    }
    if ('call' in target) return this.#ask(target.call, url.pathname, body, deadline);
    const { origin } = target;
    url.protocol = origin.protocol;
    url.host = origin.host;
    if (origin.port === '') url.port = '';
    const serverName = `${service.name}.${service.namespace}.svc`;
    return this.#post({ url, shown, serverName, ...authorities(config) }, body, deadline);
  }

  async #post(destination: Destination, body: string, deadline: CallDeadline): Promise<WebhookAnswer> {
    for (let retries = 0; ; retries++) {
      const answer = await post(destination, body, deadline.signal);
      const { status, retryAfter = '' } = answer;
      const busy = status === 429 || status >= 500;
      if (!busy || !/^\d+$/.test(retryAfter) || retries >= mostRetries) return answer;
      await wait(this.clock, Number(retryAfter) * 1000, deadline);
    }
  }

  /** Calls a function as if it were a server: it gets a copy, and what it answers is copied. */
  async #ask(ask: WebhookFunction, path: string, body: string, deadline: CallDeadline): Promise<WebhookAnswer> {
    const call: WebhookCall = {
      path,
      signal: deadline.signal,
      sleep: async (milliseconds) => {
        await wait(this.clock, milliseconds, deadline).catch(ignoreEnd);
      },
    };
    const gone = new Promise<never>((_resolve, reject) => {
      if (deadline.signal.aborted) reject(new Error('the call is over'));
      else deadline.signal.addEventListener('abort', () => reject(new Error('the call is over')), { once: true });
    });
    const answer = await Promise.race([Promise.resolve().then(() => ask(parseJson(body) as JsonObject, call)), gone]);
    if (!isObject(answer)) throw new AnswerError('the function that stands for the webhook answered no object');
    return { status: 200, contentType: 'application/json', retryAfter: undefined, body: JSON.stringify(answer) };
  }
}

// A function that sleeps looks at the signal itself.
const ignoreEnd = (): void => undefined;

async function wait(clock: Clock, milliseconds: number, deadline: CallDeadline): Promise<void> {
  deadline.waits();
  await pause(clock, milliseconds, deadline.signal);
  deadline.atWork();
  if (deadline.signal.aborted) throw new Error('the call is over');
}

function authorities({ caBundle = '' }: ClientConfig): { ca?: string } {
  if (caBundle === '') return {};
  const ca = Buffer.from(caBundle, 'base64').toString();
  if (!ca.includes('-----BEGIN CERTIFICATE-----')) throw new AuthoritiesError();
  return { ca };
}

/** The caBundle holds no certificate, so that nothing can be called. */
export class AuthoritiesError extends Error {
  constructor() {
    super('could not get REST client: unable to load root certificates: unable to parse bytes as PEM block');
    this.name = 'AuthoritiesError';
  }
}
