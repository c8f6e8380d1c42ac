import { ApiError } from '../../../../apiserver/src/status.js';
import type { ObjectRef } from '../../../../apiserver/src/direct-client.js';
import { gadgetType, operatorName, recordAnnotation, widgetStorage, widgetType } from '../operator/names.js';
import type { Scenario } from '../operator/scenario.js';
import type { SeededRandom } from './seeded-random.js';
import type { SimulatedCluster } from './simulated-cluster.js';
import type { SimulatedTime } from './simulated-time.js';

export interface OthersOptions {
  readonly scenario: Scenario;
  readonly cluster: SimulatedCluster;
  readonly time: SimulatedTime;
  readonly random: SeededRandom;
  readonly trace: (text: string) => void;
  /** All watches break and the history is gone, where such things happen: only a list can tell what comes next. */
  readonly interrupt: () => void;
  /** Whether the operator has seen this child, so that it will see its end. */
  readonly knowsChild: (uid: string) => boolean;
}

type Action =
  | 'create'
  | 'change'
  | 'label'
  | 'status'
  | 'item'
  | 'delete'
  | 'hold'
  | 'compact'
  | 'child'
  | 'strip'
  | 'pause'
  | 'request';

const weights: ReadonlyArray<readonly [Action, number]> = [
  ['create', 6],
  ['change', 10],
  ['label', 3],
  ['status', 4],
  ['item', 4],
  ['delete', 4],
  ['hold', 1],
  ['compact', 2],
  ['child', 2],
  ['strip', 0.5],
  ['pause', 0.7],
  ['request', 0.7],
];

const holder = 'others.example/hold';

/** Everybody else who works on the cluster: users, other controllers. They see no faults. */
export class Others {
  /** Each change brings a number that was never there before. */
  #counter = 0;
  #over = false;
  /** Items that others added, by uid: nobody may lose them. */
  readonly items = new Map<string, Set<string>>();

  constructor(private readonly options: OthersOptions) {}

  begin(): void {
    this.#next();
  }

  /** Others take back what holds objects, and go home. */
  async end(): Promise<void> {
    this.#over = true;
    for (const { namespace, name, object } of this.#objects()) {
      const { metadata } = object;
      if (metadata.finalizers?.includes(holder) === true) await this.#release(namespace, name);
      if (metadata.annotations?.[`${operatorName}/paused`] !== undefined) {
        await this.#quietly(() =>
          this.#merge(namespace, name, { metadata: { annotations: { [`${operatorName}/paused`]: null } } }),
        );
      }
    }
  }

  #next(): void {
    const { time, random, scenario } = this.options;
    // Bursts and pauses.
    const delay = random.chance(0.3) ? random.between(0, 20) : random.between(0, 2 * scenario.pace);
    time.after(delay, () => {
      if (this.#over) return;
      const action = random.weighted(weights);
      this.#quietly(() => this.#act(action)).then(
        () => this.#next(),
        (error: unknown) => void this.options.cluster.bugs.push(error),
      );
    });
  }

  async #act(action: Action): Promise<void> {
    const { random, scenario, cluster, trace } = this.options;
    const name = random.pick(scenario.names);
    const namespace = random.chance(0.8) ? 'default' : 'other';
    const number = (this.#counter += 1);
    trace(`others ${action} ${namespace}/${name} ${number}`);
    switch (action) {
      case 'create': {
        const metadata = { name, namespace, ...(random.chance(0.3) ? { labels: { tier: `t${number}` } } : {}) };
        await cluster.client.create({ ...widgetType, metadata, spec: { rev: number, size: number, items: [] } });
        return;
      }
      case 'change':
        await this.#merge(namespace, name, {
          spec: random.chance(0.5) ? { rev: number } : { rev: number, size: number },
        });
        return;
      case 'label':
        await this.#merge(namespace, name, { metadata: { labels: { tier: `t${number}` } } });
        return;
      case 'status':
        await cluster.client.patch(
          { ...widgetType, name, namespace },
          { status: { foreign: number } },
          { subresource: 'status' },
        );
        return;
      case 'item':
        await this.#addItem(namespace, name, `i${number}`);
        return;
      case 'delete':
        if (random.chance(0.5)) this.options.interrupt();
        await cluster.client.delete({ ...widgetType, name, namespace });
        return;
      case 'hold':
        await this.#hold(namespace, name);
        return;
      case 'compact':
        cluster.context.store.compact();
        return;
      case 'child':
        await this.#disturbChild({ ...gadgetType, name, namespace }, number);
        return;
      case 'strip':
        await this.#merge(namespace, name, { metadata: { annotations: { [recordAnnotation]: null } } });
        return;
      case 'pause': {
        const paused = `${operatorName}/paused`;
        await this.#merge(namespace, name, {
          metadata: { annotations: { [paused]: random.chance(0.4) ? 'true' : null } },
        });
        return;
      }
      case 'request':
        await this.#merge(namespace, name, {
          metadata: { annotations: { [`${operatorName}/reconcile-at`]: `${number}` } },
        });
        return;
    }
  }

  /**
   * Changes or deletes a child. One that the operator has never seen is let alone: nobody who watches can notice what came
   * and went while the watch was interrupted.
   */
  async #disturbChild(child: ObjectRef, number: number): Promise<void> {
    const { random, knowsChild, cluster } = this.options;
    const deletes = random.chance(0.5);
    const found = await cluster.client.get(child);
    if (found === undefined || !knowsChild(found.metadata.uid ?? '')) return;
    if (deletes) await cluster.client.delete(child);
    else await cluster.client.patch(child, { spec: { rev: -number } });
  }

  async #addItem(namespace: string, name: string, item: string): Promise<void> {
    const { client } = this.options.cluster;
    const operations = [{ op: 'add', path: '/spec/items/-', value: item }];
    const object = await client.patch({ ...widgetType, name, namespace }, operations, { type: 'json' });
    const uid = object.metadata.uid ?? '';
    const known = this.items.get(uid);
    if (known === undefined) this.items.set(uid, new Set([item]));
    else known.add(item);
  }

  /** Another controller's finalizer: it comes, and goes some time later. */
  async #hold(namespace: string, name: string): Promise<void> {
    const { cluster, time, random } = this.options;
    const object = await cluster.client.get({ ...widgetType, name, namespace });
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) return;
    const finalizers = [...(object.metadata.finalizers ?? []).filter((each) => each !== holder), holder];
    await this.#merge(namespace, name, { metadata: { finalizers } });
    time.after(random.between(0, 30_000), () => {
      if (this.#over) return;
      this.#release(namespace, name).catch((error: unknown) => void cluster.bugs.push(error));
    });
  }

  async #release(namespace: string, name: string): Promise<void> {
    const { client } = this.options.cluster;
    const object = await client.get({ ...widgetType, name, namespace });
    const finalizers = object?.metadata.finalizers?.filter((each) => each !== holder) ?? [];
    if (object === undefined) return;
    await this.#quietly(() => this.#merge(namespace, name, { metadata: { finalizers } }));
  }

  #merge(namespace: string, name: string, patch: unknown): ReturnType<SimulatedCluster['client']['patch']> {
    return this.options.cluster.client.patch({ ...widgetType, name, namespace }, patch);
  }

  /** What is not there, or there already, is no matter. */
  async #quietly(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.options.trace(`others refused ${error.status.code}`);
    }
  }

  #objects(): Array<{
    namespace: string;
    name: string;
    object: ReturnType<SimulatedCluster['context']['store']['list']>[number]['object'];
  }> {
    return this.options.cluster.context.store.list(widgetStorage).map(({ object }) => ({
      namespace: object.metadata.namespace ?? 'default',
      name: object.metadata.name ?? '',
      object,
    }));
  }
}
