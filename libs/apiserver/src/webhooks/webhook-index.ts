import type { KubeObject } from '../json.js';
import { storageOf } from '../resources/resource-type.js';
import type { Store, StoreEvent } from '../store/store.js';
import { webhooksOf, type AdmissionWebhook } from './admission-webhook.js';

export type WebhookKind = 'mutating' | 'validating';

const group = 'admissionregistration.k8s.io';
const storages = {
  mutating: storageOf(group, 'mutatingwebhookconfigurations'),
  validating: storageOf(group, 'validatingwebhookconfigurations'),
} as const;

/** The webhooks that are registered now, in the order of the names of their configurations. */
export class WebhookIndex {
  readonly #known: Record<WebhookKind, readonly AdmissionWebhook[]> = { mutating: [], validating: [] };
  readonly #compiled = new WeakMap<KubeObject, AdmissionWebhook[]>();
  readonly #unsubscribe: (() => void)[];

  constructor(private readonly store: Store) {
    this.#unsubscribe = [
      store.subscribe((event) => this.#event(event)),
      store.onRestore(() => {
        this.#load('mutating');
        this.#load('validating');
      }),
    ];
  }

  get(kind: WebhookKind): readonly AdmissionWebhook[] {
    return this.#known[kind];
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  #event({ resource }: StoreEvent): void {
    if (resource === storages.mutating) this.#load('mutating');
    else if (resource === storages.validating) this.#load('validating');
  }

  #load(kind: WebhookKind): void {
    this.#known[kind] = this.store.list(storages[kind]).flatMap(({ object }) => {
      const known = this.#compiled.get(object);
      if (known !== undefined) return known;
      const webhooks = webhooksOf(object);
      this.#compiled.set(object, webhooks);
      return webhooks;
    });
  }
}
