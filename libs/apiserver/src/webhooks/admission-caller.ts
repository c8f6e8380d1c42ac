import type { Clock } from '../clock.js';
import { randomUuid, type RandomSource } from '../random.js';
import { ApiError, errors } from '../status.js';
import {
  admissionResponse,
  admissionReview,
  InvalidResponseError,
  type AdmissionResponse,
  type VersionedWrite,
} from './admission-review.js';
import type { AdmissionWebhook } from './admission-webhook.js';
import { AnswerError } from './answer-decoding.js';
import { rejection } from './rejection.js';
import { TransportError } from './transport-error.js';
import { AuthoritiesError, type WebhookClient } from './webhook-client.js';

/** A webhook that could not be asked, or whose answer is of no use: its failure policy decides. */
export class WebhookFailure extends Error {
  constructor(
    readonly webhook: AdmissionWebhook,
    why: string,
  ) {
    super(`failed calling webhook ${JSON.stringify(webhook.name)}: ${why}`);
    this.name = 'WebhookFailure';
  }
}

/** Asks admission webhooks. */
export class AdmissionCaller {
  constructor(
    private readonly client: WebhookClient,
    private readonly clock: Clock,
    private readonly random: RandomSource,
  ) {}

  /** The response of a webhook that allows the write. Rejects with the refusal, or with a WebhookFailure. */
  async ask(webhook: AdmissionWebhook, write: VersionedWrite, mutating: boolean): Promise<AdmissionResponse> {
    const response = await this.#response(webhook, write, mutating);
    write.attributes.warnings.push(...response.warnings);
    if (!response.allowed) throw rejection(webhook.name, response.status);
    return response;
  }

  /** What the write is refused with when a webhook failed or refused it; undefined where the failure is ignored. */
  refusal(failure: unknown, { deadline }: { deadline: number }): Error | undefined {
    if (!(failure instanceof WebhookFailure)) return failure instanceof Error ? failure : new Error(String(failure));
    if (this.clock.monotonic() >= deadline) return errors.requestTimeout();
    return failure.webhook.failurePolicy === 'Ignore' ? undefined : errors.internal(failure.message);
  }

  async #response(webhook: AdmissionWebhook, write: VersionedWrite, mutating: boolean): Promise<AdmissionResponse> {
    const { clientConfig: config, timeoutSeconds, reviewVersion } = webhook;
    const uid = randomUuid(this.random);
    const left = write.attributes.deadline - this.clock.monotonic();
    const request = {
      config,
      timeoutSeconds,
      timeout: Math.max(0, Math.min(timeoutSeconds * 1000, left)),
      review: admissionReview(write, uid, reviewVersion),
    };
    try {
      return admissionResponse(await this.client.call(request), uid, reviewVersion, mutating);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      if (error instanceof AuthoritiesError) throw new WebhookFailure(webhook, error.message);
      if (error instanceof InvalidResponseError) {
        throw new WebhookFailure(webhook, `received invalid webhook response: ${error.message}`);
      }
      // What a function throws is as good as a broken connection.
      const why =
        error instanceof TransportError || error instanceof AnswerError ? error.message : functionError(error);
      throw new WebhookFailure(webhook, `failed to call webhook: ${why}`);
    }
  }
}

const functionError = (error: unknown): string => (error instanceof Error ? error.message : String(error));
