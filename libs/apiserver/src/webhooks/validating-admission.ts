import type { AdmissionAttributes } from '../pipeline/admission-control.js';
import type { Representations } from '../pipeline/representations.js';
import type { ResourceType } from '../resources/resource-type.js';
import { ApiError, errors } from '../status.js';
import type { AdmissionCaller } from './admission-caller.js';
import type { VersionedWrite } from './admission-review.js';
import type { AdmissionWebhook } from './admission-webhook.js';
import type { Match } from './match.js';
import { asRequested, inVersion } from './versioned-write.js';

/** One write on its way through the validating webhooks, which are all asked at once. */
export class ValidatingAdmission {
  constructor(
    private readonly attributes: AdmissionAttributes,
    private readonly webhooks: readonly AdmissionWebhook[],
    private readonly match: Match,
    private readonly caller: AdmissionCaller,
    private readonly representations: Representations,
  ) {}

  /** Resolves when all have answered; rejects with the refusal that came first. */
  async run(): Promise<void> {
    const writes = new Map<ResourceType, VersionedWrite>();
    const calls: { webhook: AdmissionWebhook; write: VersionedWrite }[] = [];
    for (const webhook of this.webhooks) {
      const invocation = this.match.invocation(webhook, this.attributes);
      if (invocation === undefined) continue;
      const { type } = invocation;
      const write = writes.get(type) ?? (await this.#inVersion(type));
      writes.set(type, write);
      if (!(await this.match.conditions(webhook, write))) continue;
      calls.push({ webhook, write });
    }
    const refusals: Error[] = [];
    await Promise.all(
      calls.map(async ({ webhook, write }) => {
        try {
          await this.caller.ask(webhook, write, false);
        } catch (error) {
          const refusal = this.caller.refusal(error, this.attributes);
          if (refusal !== undefined) refusals.push(refusal);
        }
      }),
    );
    const [refusal] = refusals;
    if (refusal !== undefined) throw refusal;
  }

  async #inVersion(type: ResourceType): Promise<VersionedWrite> {
    try {
      return await inVersion(asRequested(this.attributes), type, this.representations);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw errors.internal(error.message);
    }
  }
}
