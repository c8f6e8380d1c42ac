import type { JsonObject, KubeObject } from '../../src/index.js';
import { configMap, widget } from '../conformance/bodies.js';
import { send, type RawAnswer, type Target } from '../conformance/target.js';
import { seeded } from '../support/seeded.js';

/** A collection that is written to. */
export interface Collection {
  readonly path: string;
  readonly custom: boolean;
}

/** An object as the server said that it stands after a write. */
export interface Acknowledged {
  readonly collection: Collection;
  readonly object: KubeObject;
}

const names = ['a', 'b', 'c', 'd', 'e'];
const merge = 'application/merge-patch+json';
const json = 'application/json-patch+json';
/** Answers that come from others having written meanwhile, or from rules that hold on the real server as well. */
const refusals = new Set([403, 404, 409, 422]);

/** Several clients write at random, each after a seed of its own. Answers what they were told. */
export async function writeAtRandom(
  target: Target,
  collections: readonly Collection[],
  { seed, clients, writes }: { seed: number; clients: number; writes: number },
): Promise<Acknowledged[]> {
  const told = await Promise.all(
    Array.from({ length: clients }, (_, client) => new Writer(target, collections, seed * 1000 + client).run(writes)),
  );
  return told.flat();
}

class Writer {
  readonly #random: () => number;
  readonly #told: Acknowledged[] = [];

  constructor(
    private readonly target: Target,
    private readonly collections: readonly Collection[],
    seed: number,
  ) {
    this.#random = seeded(seed);
  }

  async run(writes: number): Promise<Acknowledged[]> {
    for (let write = 0; write < writes; write++) await this.#write();
    return this.#told;
  }

  #pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)]!;
  }

  async #write(): Promise<void> {
    const collection = this.#pick(this.collections);
    const name = this.#pick(names);
    const path = `${collection.path}/${name}`;
    const app = this.#pick(['x', 'y', null]);
    const number = Math.floor(this.#random() * 9) + 1;
    const change = collection.custom ? { spec: { size: number } } : { data: { n: String(number) } };
    switch (
      this.#pick([
        'create',
        'create',
        'create',
        'put',
        'label',
        'label',
        'change',
        'status',
        'json',
        'finalizer',
        'release',
        'delete',
        'delete',
        'some',
        'dry',
        'nothing',
      ])
    ) {
      case 'create':
        return this.#send(collection, 'POST', collection.path, this.#body(collection, name, app, number));
      case 'put':
        return this.#put(collection, path, change);
      case 'label':
        return this.#send(collection, 'PATCH', path, { metadata: { labels: { app } } }, merge);
      case 'change':
        return this.#send(collection, 'PATCH', path, change, merge);
      case 'status':
        if (!collection.custom) return;
        return this.#send(collection, 'PATCH', `${path}/status`, { status: { replicas: number } }, merge);
      case 'json': {
        const operations = [
          { op: 'test', path: '/metadata/labels/app', value: 'x' },
          { op: 'replace', path: '/metadata/labels/app', value: 'y' },
        ];
        return this.#send(collection, 'PATCH', path, operations, json);
      }
      case 'finalizer':
        return this.#send(collection, 'PATCH', path, { metadata: { finalizers: ['x.example/a'] } }, merge);
      case 'release':
        return this.#send(collection, 'PATCH', path, { metadata: { finalizers: null }, ...change }, merge);
      case 'delete':
        return this.#send(collection, 'DELETE', path);
      case 'some':
        return this.#send(collection, 'DELETE', `${collection.path}?labelSelector=app%3Dx&limit=2`);
      case 'dry':
        return this.#send(collection, 'PATCH', `${path}?dryRun=All`, change, merge);
      default:
        return this.#send(collection, 'PATCH', path, {}, merge);
    }
  }

  #body(collection: Collection, name: string, app: string | null, number: number): JsonObject {
    const metadata: JsonObject = {
      labels: app === null ? {} : { app },
      finalizers: this.#random() < 0.2 ? ['x.example/a'] : [],
    };
    return collection.custom
      ? widget(name, { size: number }, metadata)
      : configMap(name, { n: String(number) }, metadata);
  }

  /** Reads and replaces; another write in between makes it fail. */
  async #put(collection: Collection, path: string, change: JsonObject): Promise<void> {
    const { status, text } = await send(this.target, { method: 'GET', path });
    if (status !== 200) return;
    await this.#send(collection, 'PUT', path, { ...(JSON.parse(text) as JsonObject), ...change });
  }

  async #send(
    collection: Collection,
    method: string,
    path: string,
    body?: unknown,
    contentType?: string,
  ): Promise<void> {
    const answer = await send(this.target, {
      method,
      path,
      body,
      ...(contentType === undefined ? {} : { contentType }),
    });
    if (!refusals.has(answer.status) && answer.status !== 200 && answer.status !== 201) {
      throw new Error(`${method} ${path} was answered with ${answer.status}: ${answer.text}`);
    }
    if (!path.includes('dryRun')) this.#told.push(...objectsIn(answer).map((object) => ({ collection, object })));
  }
}

function objectsIn({ status, text }: RawAnswer): KubeObject[] {
  if (status >= 300) return [];
  const object = JSON.parse(text) as KubeObject;
  return object.metadata.uid === undefined ? [] : [object];
}
