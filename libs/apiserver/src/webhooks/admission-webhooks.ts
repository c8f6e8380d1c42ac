import type { Authorizer } from '../access/authorizer.js';
import type { KubeObject } from '../json.js';
import type { AdmissionAttributes, AdmissionControl } from '../pipeline/admission-control.js';
import type { Representations } from '../pipeline/representations.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import type { Store } from '../store/store.js';
import type { AdmissionCaller } from './admission-caller.js';
import type { AdmissionWebhook } from './admission-webhook.js';
import type { Match } from './match.js';
import { meetsConditions } from './match-conditions.js';
import { MutatingAdmission } from './mutating-admission.js';
import { ValidatingAdmission } from './validating-admission.js';
import { WebhookIndex } from './webhook-index.js';
import { matchWebhook } from './webhook-matching.js';

/** Lets the webhooks of the stored configurations look at writes. */
export class AdmissionWebhooks implements AdmissionControl {
  readonly #index: WebhookIndex;
  readonly #match: Match;

  constructor(
    store: Store,
    registry: ResourceRegistry,
    private readonly representations: Representations,
    private readonly caller: AdmissionCaller,
    authorizer: Authorizer,
  ) {
    this.#index = new WebhookIndex(store);
    this.#match = {
      invocation: (webhook, attributes) => matchWebhook(webhook, attributes, store, registry),
      conditions: (webhook, write) => meetsConditions(webhook, write, authorizer),
    };
  }

  get active(): boolean {
    return this.#index.get('mutating').length > 0 || this.#index.get('validating').length > 0;
  }

  stop(): void {
    this.#index.stop();
  }

  mutate(attributes: AdmissionAttributes): Promise<KubeObject | undefined> | undefined {
    const webhooks = this.#index.get('mutating');
    // What no webhook changes does not come to match later.
    if (!this.#anyMatches(webhooks, attributes)) return undefined;
    return new MutatingAdmission(attributes, webhooks, this.#match, this.caller, this.representations).run();
  }

  validate(attributes: AdmissionAttributes): Promise<void> | undefined {
    const webhooks = this.#index.get('validating');
    if (!this.#anyMatches(webhooks, attributes)) return undefined;
    return new ValidatingAdmission(attributes, webhooks, this.#match, this.caller, this.representations).run();
  }

  #anyMatches(webhooks: readonly AdmissionWebhook[], attributes: AdmissionAttributes): boolean {
    return webhooks.some((webhook) => this.#match.invocation(webhook, attributes) !== undefined);
  }
}
