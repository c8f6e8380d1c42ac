import { RecordStoreError } from '../../errors/record-store.error.js';
import { AbortScope } from '../client/abort-scope.js';
import { unlessAborted } from '../client/wait.js';
import { objectKey, type ObjectMeta, type StoredObject } from '../kube-object.js';
import type { WritePermit } from '../leaderelection/write-permit.js';
import type { Clock } from '../ports/index.js';
import { resourceName, type Resource } from '../resource.js';
import type { RecordOwner, RecordStore } from './record-store.js';

export interface ExternalRecordsOptions {
  readonly store: RecordStore;
  readonly operator: string;
  readonly resource: Resource;
  readonly clock: Clock;
  /** Milliseconds that a call of the store may take. */
  readonly timeout: number;
  /** What writes need. */
  readonly permit?: WritePermit | undefined;
}

const defaultMaxBytes = 1024 * 1024;

/** The records of one resource in a store of the application: every call has a deadline, every failure its name. */
export class ExternalRecords {
  readonly maxBytes: number;
  readonly #options: ExternalRecordsOptions;

  constructor(options: ExternalRecordsOptions) {
    this.#options = options;
    this.maxBytes = options.store.maxBytes ?? defaultMaxBytes;
  }

  ownerOf({ metadata }: { readonly metadata: Pick<ObjectMeta, 'name' | 'namespace' | 'uid'> }): RecordOwner {
    const { operator, resource } = this.#options;
    const { namespace, name, uid } = metadata;
    return { operator, group: resource.group, plural: resource.plural, namespace, name, uid };
  }

  async load(object: StoredObject, signal: AbortSignal): Promise<string | undefined> {
    const owner = this.ownerOf(object);
    const found: unknown = await this.#call('load', objectKey(object), signal, (store, each) =>
      store.load(owner, each),
    );
    // A database says null where it has nothing.
    return typeof found === 'string' ? found : undefined;
  }

  async save(object: StoredObject, record: string, signal: AbortSignal): Promise<void> {
    const owner = this.ownerOf(object);
    await this.#call('save', objectKey(object), signal, (store, each) => store.save(owner, record, each));
  }

  async remove(owner: RecordOwner, signal: AbortSignal): Promise<void> {
    await this.#call('remove', owner.name, signal, (store, each) => store.remove(owner, each));
  }

  /** The owners of all records of the resource; `undefined` when the store cannot tell. */
  async list(signal: AbortSignal): Promise<readonly RecordOwner[] | undefined> {
    const { store, operator, resource } = this.#options;
    if (store.list === undefined) return undefined;
    return this.#call('list', '', signal, async (_store, each) => {
      const found: RecordOwner[] = [];
      const { group, plural } = resource;
      for await (const owner of store.list?.({ operator, group, plural }, each) ?? []) found.push(owner);
      return found;
    });
  }

  async #call<T>(
    operation: 'load' | 'save' | 'remove' | 'list',
    key: string,
    signal: AbortSignal,
    call: (store: RecordStore, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { store, clock, resource, permit } = this.#options;
    const writes = operation === 'save' || operation === 'remove';
    const permitted = writes ? permit?.timeForWrite() : undefined;
    const timeout = Math.min(this.#options.timeout, permitted ?? Infinity);
    const scope = new AbortScope([signal]);
    scope.setDeadline(clock, timeout, () => new Error(`The record store did not answer within ${timeout} ms.`));
    try {
      signal.throwIfAborted();
      return await unlessAborted(call(store, scope.signal), scope.signal);
    } catch (error) {
      signal.throwIfAborted();
      throw new RecordStoreError(operation, `${resourceName(resource)} ${key}`.trimEnd(), { cause: error });
    } finally {
      scope.end();
    }
  }
}
