import { ApiError } from '../../errors/api.error.js';
import type { ApiClient } from '../client/api-client.js';
import { collectionPath, objectPath } from '../client/api-path.js';
import { wait } from '../client/wait.js';
import { objectKey, type ObjectKey, type StoredObject } from '../kube-object.js';
import type { OperatorConfig } from '../operator-config.js';
import type { Clock, Logger, Random } from '../ports/index.js';
import { resourceName, type Resource } from '../resource.js';
import type { PushedSelector } from '../selection/pushed-selector.js';
import { Backoff } from './backoff.js';
import type { ObjectStore } from './object-store.js';

export interface LeftObjectsOptions {
  readonly client: ApiClient;
  readonly config: OperatorConfig;
  readonly resource: () => Resource;
  readonly selector: PushedSelector;
  readonly store: Pick<ObjectStore, 'settle' | 'admit'>;
  /** Whether metadata shows something of the operator's. */
  readonly carriesTraces: (object: StoredObject) => boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly fatal: (error: unknown, origin: string) => void;
}

interface Page {
  readonly items?: readonly StoredObject[] | null;
  readonly metadata?: { readonly continue?: string };
}

const metadataOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

/**
 * Objects that a watch with a selection of the server's does not show, or shows no more. Each is read, and handed to the
 * store as it is; what handlers left on it is then tidied away as for any object that they do not want.
 */
export class LeftObjects {
  readonly #options: LeftObjectsOptions;
  /** Uids that are being looked at. */
  readonly #open = new Set<string>();

  constructor(options: LeftObjectsOptions) {
    this.#options = options;
  }

  /** The object was deleted, or has left the selection: the store is told which. Returns at once. */
  look({ metadata }: StoredObject, signal: AbortSignal): void {
    const { uid } = metadata;
    const key = objectKey({ metadata });
    if (this.#open.has(uid)) return;
    this.#open.add(uid);
    const settle = async (): Promise<boolean> => this.#options.store.settle(key, uid, await this.#read(key, signal));
    this.#repeat({ key, uid }, signal, settle)
      .catch((error: unknown) =>
        this.#options.fatal(error, `look at what left ${resourceName(this.#options.resource())}`),
      )
      .finally(() => this.#open.delete(uid));
  }

  /** Finds what left while nobody watched. Resolves when all is found, or the signal is aborted. */
  async findAll(namespaces: Iterable<string | undefined>, signal: AbortSignal): Promise<void> {
    for (const namespace of namespaces)
      await this.#repeat({ namespace }, signal, () => this.#findIn(namespace, signal));
  }

  async #findIn(namespace: string | undefined, signal: AbortSignal): Promise<true> {
    const { client, config, resource, selector, store, carriesTraces } = this.#options;
    let next: string | undefined;
    do {
      const page = await client.request<Page>({
        verb: 'list',
        path: collectionPath(resource(), namespace),
        query: { limit: config.watching.pageSize, continue: next },
        accept: metadataOnly,
        retry: 'none',
        signal,
      });
      for (const object of page.body.items ?? []) {
        if (selector.selects(object.metadata) || !carriesTraces(object)) continue;
        const found = await this.#read(objectKey(object), signal);
        if (found !== undefined && !selector.selects(found.metadata)) store.admit(found);
      }
      next = page.body.metadata?.continue;
    } while (next !== undefined && next !== '');
    return true;
  }

  /** Until it succeeds or the signal is aborted. */
  async #repeat(what: object, signal: AbortSignal, act: () => Promise<boolean>): Promise<void> {
    const { config, clock, random, logger, resource } = this.#options;
    const pace = new Backoff(config.watching.backoff, random);
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        if (await act()) return;
      } catch (error) {
        if (signal.aborted) return;
        const fields = { resource: resourceName(resource()), ...what };
        const message = 'What left the selection could not be read, will be retried';
        logger.log(failures === 0 ? 'warn' : 'debug', message, fields, error);
      }
      try {
        await wait(clock, pace.next(), signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
  }

  async #read(key: ObjectKey, signal: AbortSignal): Promise<StoredObject | undefined> {
    const { client, resource } = this.#options;
    const slash = key.indexOf('/');
    const namespace = slash < 0 ? undefined : key.slice(0, slash);
    const path = objectPath(resource(), { namespace, name: key.slice(slash + 1) });
    try {
      return (await client.request<StoredObject>({ verb: 'get', path, retry: 'none', signal })).body;
    } catch (error) {
      if (error instanceof ApiError && error.isNotFound) return undefined;
      throw error;
    }
  }
}
