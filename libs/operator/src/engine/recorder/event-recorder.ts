import { hostname } from 'node:os';
import { ApiError } from '../../errors/api.error.js';
import type { ApiClient } from '../client/api-client.js';
import { collectionPath } from '../client/api-path.js';
import type { EventInput } from '../handling/handler-context.js';
import type { StoredObject } from '../kube-object.js';
import type { Clock, Logger, Random } from '../ports/index.js';
import type { EventSink } from '../processing/processing-environment.js';
import { EventBudget } from './event-budget.js';

const eventsResource = { group: 'events.k8s.io', version: 'v1', plural: 'events' } as const;
const longestNote = 1_024;
const longestReason = 128;
/** Waiting events beyond this number are dropped: events are a side matter. */
const mostWaiting = 1_000;

export interface EventRecorderOptions {
  readonly client: ApiClient;
  /** The operator's name: the reporting controller. */
  readonly operator: string;
  readonly enabled: boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

interface Waiting {
  readonly namespace: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Posts Kubernetes events in the background. Whatever goes wrong is logged and counted, and stops nobody. */
export class EventRecorder implements EventSink {
  readonly #options: EventRecorderOptions;
  readonly #budget: EventBudget;
  readonly #waiting: Waiting[] = [];
  #wake: (() => void) | undefined;
  #posting = false;
  #forbidden = false;
  #lost = 0;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#budget = new EventBudget(options.clock);
  }

  /** Events that could not be posted, or were too many. */
  get lost(): number {
    return this.#lost;
  }

  /** Something waits to be posted, or is being posted. */
  get busy(): boolean {
    return this.#posting || this.#waiting.length > 0;
  }

  post(object: StoredObject, event: EventInput): void {
    if (!this.#options.enabled) return;
    if (this.#waiting.length >= mostWaiting || !this.#budget.take(object.metadata.uid)) {
      this.#lost += 1;
      return;
    }
    const { namespace = 'default' } = object.metadata;
    this.#waiting.push({ namespace, body: this.#body(object, namespace, event) });
    this.#wake?.();
  }

  /** Root task: posts one event after the other. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const next = this.#waiting.shift();
      if (next === undefined) await this.#something(signal);
      else await this.#send(next, signal);
    }
  }

  #something(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => resolve();
    this.#wake = wake;
    signal.addEventListener('abort', wake, { once: true });
    return promise.finally(() => {
      this.#wake = undefined;
      signal.removeEventListener('abort', wake);
    });
  }

  async #send({ namespace, body }: Waiting, signal: AbortSignal): Promise<void> {
    this.#posting = true;
    try {
      const path = collectionPath(eventsResource, namespace);
      await this.#options.client.request({ verb: 'create', path, body, retry: 'write-once', signal });
      this.#forbidden = false;
    } catch (error) {
      if (signal.aborted) return;
      // The name is ours alone: a repeated request finds what the first one made.
      if (error instanceof ApiError && error.isAlreadyExists) return;
      this.#lost += 1;
      const forbidden = error instanceof ApiError && error.isForbidden;
      // Missing rights stay missing: said once.
      if (!forbidden || !this.#forbidden) {
        this.#options.logger.log(
          'warn',
          'A Kubernetes event could not be posted',
          { namespace, lost: this.#lost },
          error,
        );
      }
      this.#forbidden = forbidden;
    } finally {
      this.#posting = false;
    }
  }

  /** 16 hexadecimal digits: names of events must not collide, also not with those of other replicas. */
  #suffix(): string {
    const { random } = this.#options;
    return Array.from({ length: 4 }, () =>
      Math.floor(random.next() * 0x1_0000)
        .toString(16)
        .padStart(4, '0'),
    ).join('');
  }

  #body(object: StoredObject, namespace: string, event: EventInput): Readonly<Record<string, unknown>> {
    const { operator, clock } = this.#options;
    const { name, uid, resourceVersion } = object.metadata;
    const reason = event.reason.slice(0, longestReason);
    return {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: `${namePrefix(name)}.${this.#suffix()}`, namespace },
      // The server wants six decimals.
      eventTime: new Date(clock.now()).toISOString().replace('Z', '000Z'),
      type: event.type ?? 'Normal',
      reason,
      action: (event.action ?? reason).slice(0, longestReason),
      note: shorten(event.message),
      regarding: {
        apiVersion: object.apiVersion,
        kind: object.kind,
        name,
        ...(object.metadata.namespace === undefined ? {} : { namespace: object.metadata.namespace }),
        uid,
        resourceVersion,
      },
      reportingController: controllerName(operator),
      reportingInstance: `${operator}-${hostname()}`.slice(0, longestReason),
    };
  }
}

/** Events need a DNS subdomain as their name, which not every kind of object has. */
function namePrefix(name: string): string {
  const allowed = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/g, '-')
    .slice(0, 230);
  const labels = allowed.split('.').map((label) => label.replaceAll(/^-+|-+$/g, ''));
  return labels.filter((label) => label !== '').join('.') || 'object';
}

/** The server wants a qualified name: 63 characters at most, unless a slash follows. */
function controllerName(operator: string): string {
  return operator.length <= 63 ? operator : `${operator}/operator`;
}

/** The server counts bytes. */
function shorten(text: string): string {
  if (Buffer.byteLength(text) <= longestNote) return text;
  const kept = Buffer.from(text)
    .subarray(0, longestNote - 3)
    .toString('utf8');
  return `${kept.replace(/\uFFFD+$/u, '')}…`;
}
