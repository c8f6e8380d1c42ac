import type { AdmissionAttributes } from '../pipeline/admission-control.js';
import type { VersionedWrite } from './admission-review.js';
import type { AdmissionWebhook } from './admission-webhook.js';
import type { Invocation } from './webhook-matching.js';

/** What decides whether a webhook wants to see a write. Both throw what the write is refused with. */
export interface Match {
  invocation(webhook: AdmissionWebhook, attributes: AdmissionAttributes): Invocation | undefined;
  /** Asked of the write in the version of the invocation. */
  conditions(webhook: AdmissionWebhook, write: VersionedWrite): Promise<boolean>;
}
