import { setTimeout as pause } from 'node:timers/promises';
import { startApiServer, type ApiServer } from '@nestjs-operator/apiserver';
import { createApiClient, type ClosableApiClient } from '../../../libs/operator/src/engine/client/create-api-client.js';
import { defaultConfig } from '../../../libs/operator/src/engine/defaults.js';
import type { OperatorConfig } from '../../../libs/operator/src/engine/operator-config.js';
import { createLogger, SystemClock } from '../../../libs/operator/src/engine/ports/index.js';
import type { Resource } from '../../../libs/operator/src/engine/resource.js';
import { ObjectStore } from '../../../libs/operator/src/engine/watching/object-store.js';
import { Reflector } from '../../../libs/operator/src/engine/watching/reflector.js';
import type { StoreChange } from '../../../libs/operator/src/engine/watching/store-change.js';

const configMaps: Resource = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  singular: 'configmap',
  shortNames: ['cm'],
  categories: [],
  namespaced: true,
  verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
  subresources: { status: false, scale: false },
};

/** A server, and one reflector of its ConfigMaps in real time, with waits short enough for a test. */
export class ReflectorRig {
  readonly changes: StoreChange[] = [];
  readonly #random = { next: () => 0 };
  readonly #clock = new SystemClock();
  readonly #logger = createLogger(() => undefined);
  readonly #ending = new AbortController();
  #client: ClosableApiClient | undefined;
  #store: ObjectStore | undefined;
  #reflector: Reflector | undefined;
  #running: Promise<void> = Promise.resolve();

  static async create(): Promise<ReflectorRig> {
    return new ReflectorRig(await startApiServer({ faultSeed: 1 }));
  }

  private constructor(readonly api: ApiServer) {}

  /** Starts the reflector. Faults that are set by then meet its first list. */
  async start(
    config: Partial<OperatorConfig['watching']> = {},
    client: Partial<OperatorConfig['client']> = {},
  ): Promise<void> {
    const { api } = this;
    this.#client = createApiClient({
      kubeConfig: api.kubeConfig(),
      config: { ...defaultConfig.client, ...client },
      clock: this.#clock,
      random: this.#random,
      logger: this.#logger,
    });
    this.#store = new ObjectStore({
      resource: configMaps,
      config: { keepManagedFields: false, transform: undefined },
      logger: this.#logger,
      onChange: (change) => this.changes.push(change),
    });
    this.#reflector = new Reflector({
      client: this.#client,
      resource: configMaps,
      namespace: undefined,
      store: this.#store,
      config: { ...defaultConfig.watching, backoff: { initial: 5, factor: 2, cap: 40, reset: 120_000 }, ...config },
      clock: this.#clock,
      random: this.#random,
      logger: this.#logger,
      resolveKind: () => Promise.resolve('served'),
    });
    this.#running = this.#reflector.run(this.#ending.signal);
    await Promise.race([this.#reflector.synced, this.#running]);
    await this.until(() => this.api.watches.list().length > 0);
  }

  get restarts(): Readonly<Record<string, number>> {
    return this.#reflector!.health.restarts as Record<string, number>;
  }

  /** Requests of the reflector so far: `list` and `watch`, in order. */
  get asked(): string[] {
    return this.api.requests.all().map(({ verb }) => verb ?? '');
  }

  /** The changes since the last call, in short. */
  news(): string[] {
    return this.changes
      .splice(0)
      .map((change) => `${change.type} ${(change.type === 'removed' ? change.previous : change.object).metadata.name}`);
  }

  async put(name: string, value: string): Promise<void> {
    await this.api.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } });
  }

  remove(name: string): Promise<void> {
    return this.api.delete({ apiVersion: 'v1', kind: 'ConfigMap', name });
  }

  /** Waits until the store holds what the server holds. */
  async converged(): Promise<void> {
    await this.until(async () => JSON.stringify(this.#content()) === JSON.stringify(await this.#truth()));
  }

  /** Whether the store holds what the server holds, now. */
  async isEqual(): Promise<boolean> {
    return JSON.stringify(this.#content()) === JSON.stringify(await this.#truth());
  }

  async until(condition: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await condition())) await pause(2);
  }

  async close(): Promise<void> {
    this.#ending.abort(new Error('test over'));
    await this.#running;
    await this.#client?.close();
    await this.api.close();
  }

  #content(): string[] {
    return [...this.#store!.values()].map(({ metadata, ...rest }) => short(metadata, rest)).toSorted();
  }

  async #truth(): Promise<string[]> {
    const objects = await this.api.list({ apiVersion: 'v1', kind: 'ConfigMap' });
    return objects.map(({ metadata, ...rest }) => short(metadata, rest)).toSorted();
  }
}

const short = (
  { name, resourceVersion, uid }: { name?: string; resourceVersion?: string; uid?: string },
  rest: Readonly<Record<string, unknown>>,
): string => `${name}@${resourceVersion} ${uid} ${JSON.stringify(rest['data'])}`;
