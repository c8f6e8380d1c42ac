import type { JsonObject } from '../../src/index.js';
import { until } from './definitions.js';
import type { Session } from './session.js';
import { WebhookReceiver, type Received, type Reply } from './webhook-receiver.js';

export type HookKind = 'mutating' | 'validating';

const api = '/apis/admissionregistration.k8s.io/v1';

/** The resource that most cases are about, as rules name it here. */
export const widgetGroup = 'widgets.conformance.example.com';
export const allow = (): JsonObject => ({ allowed: true });
/** An operation that adds a label. */
export const label = (key: string, value = '1'): JsonObject => ({ op: 'add', path: `/metadata/labels/${key}`, value });

/** What admission webhooks of one case are sent and answer. */
export class Hooks {
  #probes = 0;

  private constructor(
    private readonly s: Session,
    readonly receiver: WebhookReceiver,
  ) {}

  static async open(s: Session): Promise<Hooks> {
    const receiver = await WebhookReceiver.start();
    s.own(() => receiver.close());
    s.call(receiver.host, '<receiver>');
    s.call(receiver.caBundle, '<ca>');
    return new Hooks(s, receiver);
  }

  /** The path of the configurations of a kind. */
  static path(kind: HookKind): string {
    return `${api}/${kind}webhookconfigurations`;
  }

  /** The name of a configuration; names that sort like `suffix`. */
  name(suffix: string): string {
    return `${this.s.namespace}-${suffix}`;
  }

  /** A configuration whose webhooks are called at `/<name>` about objects of the case's namespace. */
  configuration(kind: HookKind, suffix: string, webhooks: readonly JsonObject[]): JsonObject {
    return {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: kind === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
      metadata: { name: this.name(suffix) },
      webhooks: webhooks.map((webhook) => this.webhook(webhook)),
    };
  }

  /** A webhook with what it must have; `name` is short here. */
  webhook({ name, ...webhook }: JsonObject): JsonObject {
    return {
      name: `${name as string}.hooks.example.com`,
      clientConfig: { url: this.url(`/${name as string}`), caBundle: this.receiver.caBundle },
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': this.s.namespace } },
      ...webhook,
    };
  }

  url(path: string): string {
    return `https://${this.receiver.host}${path}`;
  }

  /** Creates a configuration and waits until it is heeded. */
  async register(kind: HookKind, suffix: string, webhooks: readonly JsonObject[]): Promise<void> {
    const body = this.configuration(kind, suffix, webhooks);
    const answer = await this.s.quietly('POST', Hooks.path(kind), body);
    if (answer.status !== 201) throw new Error(`the configuration is refused: ${answer.status} ${answer.text}`);
    this.s.leave(`${Hooks.path(kind)}/${this.name(suffix)}`);
    await this.heeded(kind);
  }

  /** Answers at `/<name>` with the response of a review. */
  respond(name: string, response: (request: JsonObject, received: Received) => JsonObject): void {
    this.receiver.reply(`/${name}`, (received) => {
      const { request = {} } = received.review;
      return {
        apiVersion: 'admission.k8s.io/v1',
        kind: 'AdmissionReview',
        response: { uid: request['uid'], ...response(request, received) },
      };
    });
  }

  /** Answers at `/<name>` as it comes. */
  reply(name: string, reply: (received: Received) => Reply): void {
    this.receiver.reply(`/${name}`, reply);
  }

  /**
   * Waits until all configurations written so far are heeded: the real server learns of them one after another, so that
   * what it knows of one that was made last it knows of all.
   */
  async heeded(kind: HookKind): Promise<void> {
    const suffix = `probe-${++this.#probes}`;
    const path = `/${suffix}`;
    const { s } = this;
    const rules = [
      { apiGroups: ['coordination.k8s.io'], apiVersions: ['v1'], resources: ['leases'], operations: ['CREATE'] },
    ];
    await s.quietly(
      'POST',
      Hooks.path(kind),
      this.configuration(kind, suffix, [{ name: suffix, rules, failurePolicy: 'Ignore' }]),
    );
    this.respond(suffix, () => ({ allowed: true }));
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: suffix }, spec: {} };
    await until('the webhook is called', async () => {
      await s.quietly('POST', `/apis/coordination.k8s.io/v1/namespaces/${s.namespace}/leases?dryRun=All`, lease);
      return this.receiver.has(path);
    });
    await s.quietly('DELETE', `${Hooks.path(kind)}/${this.name(suffix)}`);
    this.receiver.take();
  }

  /** Writes down what the webhooks were sent since the last time; `unordered` where they are called at once. */
  note({ unordered = false }: { readonly unordered?: boolean } = {}): void {
    const received = this.receiver.take().filter(({ path }) => !path.startsWith('/probe-'));
    if (unordered) received.sort((a, b) => (a.path < b.path ? -1 : 1));
    this.s.note(
      'reviews',
      received.map(({ path, query, method, headers, review }) => ({
        sent: `${method} ${path}${query}`,
        accept: headers.accept,
        contentType: headers['content-type'],
        review,
      })),
    );
  }
}

/** The rule for some resource of the case; `*` for what is not given. */
export const rule = (
  resource: string,
  operations: readonly string[] = ['CREATE'],
  more: JsonObject = {},
): JsonObject => {
  const [plural = '', ...group] = resource.split('.');
  return { apiGroups: [group.join('.')], apiVersions: ['*'], resources: [plural], operations, ...more };
};

/** The patch of a mutating webhook. */
export const patch = (operations: readonly JsonObject[]): JsonObject => ({
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});
