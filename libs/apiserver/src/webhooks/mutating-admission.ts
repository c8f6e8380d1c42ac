import type { KubeObject } from '../json.js';
import type { AdmissionAttributes } from '../pipeline/admission-control.js';
import type { Representations } from '../pipeline/representations.js';
import type { ResourceType } from '../resources/resource-type.js';
import { errors } from '../status.js';
import { WebhookFailure, type AdmissionCaller } from './admission-caller.js';
import type { VersionedWrite } from './admission-review.js';
import type { AdmissionWebhook } from './admission-webhook.js';
import { AnswerError } from './answer-decoding.js';
import type { Match } from './match.js';
import { decodePatched, finishMutated } from './mutated-object.js';
import { applyResponsePatch, decodeResponsePatch } from './patch-response.js';
import { asRequested, inVersion } from './versioned-write.js';

/** One write on its way through the mutating webhooks: one after another, and those again that ask for it. */
export class MutatingAdmission {
  #write: VersionedWrite;
  #changed = false;
  /** Those that want to know of later changes, since the last change. */
  #informed = new Set<string>();
  #outdated = new Set<string>();

  constructor(
    attributes: AdmissionAttributes,
    private readonly webhooks: readonly AdmissionWebhook[],
    private readonly match: Match,
    private readonly caller: AdmissionCaller,
    private readonly representations: Representations,
  ) {
    this.#write = asRequested(attributes);
  }

  /** The object as the webhooks left it; undefined where they left it as it was. */
  async run(): Promise<KubeObject | undefined> {
    // Once more at most, and none is called then that was not called before.
    if (await this.#pass(false)) await this.#pass(true);
    if (!this.#changed) return undefined;
    const { attributes, object, type } = this.#write;
    return finishMutated(object!, type, attributes, this.representations);
  }

  /** Answers whether any webhook changed the object. */
  async #pass(again: boolean): Promise<boolean> {
    let changes = false;
    for (const webhook of this.webhooks) {
      const invocation = this.match.invocation(webhook, this.#attributes());
      if (invocation === undefined) continue;
      this.#write = await inVersion(this.#write, invocation.type, this.representations);
      if (!(await this.match.conditions(webhook, this.#write))) continue;
      if (again && !this.#outdated.has(webhook.id)) continue;
      if (await this.#call(webhook, invocation.type)) {
        changes = true;
        for (const id of this.#informed) this.#outdated.add(id);
        this.#informed = new Set();
      }
      if (webhook.reinvocationPolicy === 'IfNeeded') this.#informed.add(webhook.id);
    }
    return changes;
  }

  /** The write as it stands, for webhooks that look at its labels. */
  #attributes(): AdmissionAttributes {
    const { attributes, object } = this.#write;
    return this.#changed ? { ...attributes, object } : attributes;
  }

  async #call(webhook: AdmissionWebhook, type: ResourceType): Promise<boolean> {
    try {
      const { patch, patchType } = await this.caller.ask(webhook, this.#write, true);
      return patch !== '' && this.#patch(webhook, type, patch, patchType);
    } catch (error) {
      const refusal = this.caller.refusal(error, this.#write.attributes);
      if (refusal !== undefined) throw refusal;
      return false;
    }
  }

  #patch(webhook: AdmissionWebhook, type: ResourceType, patch: string, patchType: string): boolean {
    const operations = decodedPatch(webhook, patch);
    if (operations.length === 0) return false;
    const { object } = this.#write;
    if (object === undefined) {
      throw errors.internal(
        `admission webhook ${JSON.stringify(webhook.name)} attempted to modify the object, which is not supported for this operation`,
      );
    }
    if (patchType !== 'JSONPatch') {
      throw new WebhookFailure(webhook, `unsupported patch type ${JSON.stringify(patchType)}`);
    }
    const patched = decodePatched(applyResponsePatch(object, operations), type, this.#write.attributes.subresource);
    const isChange = JSON.stringify(patched) !== JSON.stringify(object);
    this.#changed = true;
    this.#write = { ...this.#write, object: patched };
    return isChange;
  }
}

function decodedPatch(webhook: AdmissionWebhook, patch: string): ReturnType<typeof decodeResponsePatch> {
  try {
    return decodeResponsePatch(patch);
  } catch (error) {
    if (error instanceof AnswerError) throw new WebhookFailure(webhook, error.message);
    throw error;
  }
}
