import { ApiError } from '../../../errors/api.error.js';
import { InvalidRequestError } from '../../../errors/invalid-request.error.js';
import type { Clock, Random } from '../../ports/index.js';
import { resourceName } from '../../resource.js';
import type { ApiClient, ApiRequest, PatchType } from '../api-client.js';
import { collectionPath, objectPath } from '../api-path.js';
import { Discovery } from '../discovery/discovery.js';
import type {
  ApplyOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  DeletionOptions,
  GetOptions,
  ListOptions,
  ObjectPage,
  ObjectRef,
  PageOptions,
  PatchOptions,
  ReplaceOptions,
  RequestOptions,
  Scale,
  SelectOptions,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './kube-options.js';
import { kubeWatch } from './kube-watch.js';
import type { KnownResource } from './resource-lookup.js';
import { lookUpResource, withType } from './resource-lookup.js';
import type { ResourceRef } from './resource-ref.js';

const defaultPageSize = 500;
/** How often a list that outlives the server's history is begun again. */
const listRestarts = 3;

export interface KubeClientOptions {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly random: Random;
  /** Waits between failing watch requests, in milliseconds. */
  readonly retries: readonly number[];
  /** Shared with whoever else discovers. @defaultValue its own */
  readonly discovery?: Discovery | undefined;
  /** Used by writes that name none. Apply needs one. */
  readonly fieldManager?: string | undefined;
}

/** What is written: an object whose server-set fields may be missing. */
export type ObjectInput<T = unknown> = Partial<Omit<T, 'metadata'>> & {
  readonly metadata: {
    readonly name?: string | undefined;
    readonly namespace?: string | undefined;
    readonly [field: string]: unknown;
  };
};

/** An object that says itself what it is. */
export type Manifest = ObjectInput & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly [field: string]: unknown;
};

interface ListBody<T> {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: readonly T[] | null;
}

/**
 * Reads and writes objects of any resource, built-in or custom, as plain JSON: dates are texts, and fields that this
 * package knows nothing of are kept. Numbers are JavaScript numbers: integers beyond 2^53 lose digits when read, so change
 * such objects by patches, which send only what they change.
 *
 * Methods reject with `ApiError` (`OPERATOR_API`, the server's refusal), `NetworkError` (`OPERATOR_NETWORK`),
 * `RequestTimeoutError` (`OPERATOR_REQUEST_TIMEOUT`), `CredentialsError` (`OPERATOR_CREDENTIALS`),
 * `ResourceNotServedError` (`OPERATOR_RESOURCE_NOT_SERVED`), `DiscoveryError` (`OPERATOR_DISCOVERY`),
 * `InvalidRequestError` (`OPERATOR_INVALID_REQUEST`), or the reason of the signal.
 */
export class KubeClient {
  readonly #client: ApiClient;
  readonly #discovery: Discovery;
  readonly #options: KubeClientOptions;

  constructor(options: KubeClientOptions) {
    this.#client = options.client;
    this.#discovery = options.discovery ?? new Discovery(options.client);
    this.#options = options;
  }

  async get<T>(resource: ResourceRef<T>, ref: ObjectRef, options: GetOptions = {}): Promise<T> {
    const known = await this.#lookUp(resource, options);
    return this.#send<T>(options, {
      verb: 'get',
      path: this.#objectPath(known, ref, options.subresource),
      query: { resourceVersion: options.resourceVersion },
    });
  }

  /**
   * All objects, page by page. If the server forgets the state that the pages belong to (410), the list is begun again,
   * three times at most, and what was given out before is left out: each object comes once, but they are not the state of
   * one moment then.
   */
  async *list<T>(resource: ResourceRef<T>, options: ListOptions = {}): AsyncGenerator<T, void, undefined> {
    const given = new Set<string>();
    let next: string | undefined;
    for (let restarts = 0; ;) {
      let page: ObjectPage<T>;
      try {
        page = await this.listPage(resource, { ...options, continue: next });
      } catch (error) {
        if (next === undefined || restarts === listRestarts || !(error instanceof ApiError && error.isGone))
          throw error;
        next = undefined;
        restarts++;
        continue;
      }
      for (const item of page.items) {
        const uid = uidOf(item);
        if (uid !== undefined && given.has(uid)) continue;
        if (uid !== undefined) given.add(uid);
        yield item;
      }
      next = page.continue;
      if (next === undefined) return;
    }
  }

  /** One page, with the version from which a watch can go on. */
  async listPage<T>(resource: ResourceRef<T>, options: PageOptions = {}): Promise<ObjectPage<T>> {
    const known = await this.#lookUp(resource, options);
    const first = options.continue === undefined;
    const body = await this.#send<ListBody<T>>(options, {
      verb: 'list',
      path: this.#collectionPath(known, options),
      query: {
        ...selection(options),
        limit: options.pageSize ?? defaultPageSize,
        continue: options.continue,
        // A continue token stands for a version already.
        resourceVersion: first ? options.resourceVersion : undefined,
        resourceVersionMatch: first ? options.resourceVersionMatch : undefined,
      },
    });
    return {
      items: typedItems(body),
      resourceVersion: body.metadata?.resourceVersion ?? '',
      continue: body.metadata?.continue || undefined,
    };
  }

  /** The object may be given alone if it has apiVersion and kind. `metadata.generateName` works in place of a name. */
  create<T = Manifest>(object: Manifest, options?: WriteOptions): Promise<T>;
  create<T>(resource: ResourceRef<T>, object: ObjectInput<T>, options?: WriteOptions): Promise<T>;
  async create<T>(...args: readonly unknown[]): Promise<T> {
    const [resource, object, options] = normalize<WriteOptions>(args);
    const known = await this.#lookUp(resource, options);
    return this.#send<T>(options, {
      verb: 'create',
      path: collectionPath(known, this.#namespaceFor(known, object.metadata.namespace)),
      body: withType(object, known),
      query: this.#writing(options),
      retry: 'write-once',
    });
  }

  /** Puts the whole object; with `metadata.resourceVersion` only if it did not change meanwhile (else 409). */
  replace<T = Manifest>(object: Manifest, options?: ReplaceOptions): Promise<T>;
  replace<T>(resource: ResourceRef<T>, object: ObjectInput<T>, options?: ReplaceOptions): Promise<T>;
  async replace<T>(...args: readonly unknown[]): Promise<T> {
    const [resource, object, options] = normalize<ReplaceOptions>(args);
    const known = await this.#lookUp(resource, options);
    return this.#send<T>(options, {
      verb: 'update',
      path: this.#objectPath(known, refOf(object), options.subresource),
      body: withType(object, known),
      query: this.#writing(options),
      retry: 'write-once',
    });
  }

  async patch<T>(
    resource: ResourceRef<T>,
    ref: ObjectRef,
    patch: object | readonly object[],
    options: PatchOptions = {},
  ): Promise<T> {
    const known = await this.#lookUp(resource, options);
    const type: PatchType = options.type ?? (Array.isArray(patch) ? 'json' : 'merge');
    return this.#send<T>(options, {
      verb: 'patch',
      path: this.#objectPath(known, ref, options.subresource),
      patchType: type,
      body: patch,
      query: this.#writing(options),
      // The others give the same when they are applied twice.
      retry: type === 'json' ? 'none' : 'write-once',
    });
  }

  /** Server-side apply: states the fields that this field manager wants, and gives up those it no longer states. */
  apply<T = Manifest>(object: Manifest, options?: ApplyOptions): Promise<T>;
  apply<T>(resource: ResourceRef<T>, object: ObjectInput<T>, options?: ApplyOptions): Promise<T>;
  async apply<T>(...args: readonly unknown[]): Promise<T> {
    const [resource, object, options] = normalize<ApplyOptions>(args);
    const writing = this.#writing(options);
    if (writing.fieldManager === undefined) {
      throw new InvalidRequestError('Apply needs a fieldManager: name who owns the fields.');
    }
    const known = await this.#lookUp(resource, options);
    return this.#send<T>(options, {
      verb: 'patch',
      patchType: 'apply',
      path: this.#objectPath(known, refOf(object), options.subresource),
      body: withType(object, known),
      query: { ...writing, force: options.force },
      retry: 'write-once',
    });
  }

  /** Resolves with what the server answers: the object while finalizers or a grace period keep it, undefined once it is gone. */
  async delete<T>(resource: ResourceRef<T>, ref: ObjectRef, options: DeleteOptions = {}): Promise<T | undefined> {
    const known = await this.#lookUp(resource, options);
    const { uid, resourceVersion } = options;
    const preconditions = uid === undefined && resourceVersion === undefined ? undefined : { uid, resourceVersion };
    const answer = await this.#send<(T & { readonly kind?: string }) | undefined>(options, {
      verb: 'delete',
      path: this.#objectPath(known, ref),
      body: { ...deletion(options), preconditions },
      retry: 'write-once',
    });
    return answer?.kind === 'Status' ? undefined : answer;
  }

  /** Deletes all objects that the selectors match, in one namespace if the resource has them. */
  async deleteCollection(resource: ResourceRef, options: DeleteCollectionOptions = {}): Promise<void> {
    const known = await this.#lookUp(resource, options);
    await this.#send(options, {
      verb: 'deletecollection',
      path: collectionPath(known, this.#namespaceFor(known, options.namespace)),
      body: deletion(options),
      query: selection(options),
    });
  }

  getScale(resource: ResourceRef, ref: ObjectRef, options: RequestOptions = {}): Promise<Scale> {
    return this.get<Scale>(resource as ResourceRef<Scale>, ref, { ...options, subresource: 'scale' });
  }

  /** Sets the number of replicas. */
  scale(resource: ResourceRef, ref: ObjectRef, replicas: number, options: WriteOptions = {}): Promise<Scale> {
    const patch = { spec: { replicas } };
    return this.patch<Scale>(resource as ResourceRef<Scale>, ref, patch, { ...options, subresource: 'scale' });
  }

  /**
   * Changes as they happen, for as long as they are consumed. Connections that end are opened again where they left off.
   * Rejects with a 410 when the server no longer has that state: list, and watch from the list's version.
   */
  async *watch<T>(
    resource: ResourceRef<T>,
    options: WatchOptions = {},
  ): AsyncGenerator<WatchEvent<T>, void, undefined> {
    const known = await this.#lookUp(resource, options);
    yield* kubeWatch<T>({
      client: this.#client,
      clock: this.#options.clock,
      random: this.#options.random,
      retries: this.#options.retries,
      path: this.#collectionPath(known, options),
      query: selection(options),
      resourceVersion: options.resourceVersion,
      signal: options.signal,
    });
  }

  #lookUp(resource: ResourceRef, options: RequestOptions): Promise<KnownResource> {
    return lookUpResource(this.#discovery, resource, options.signal);
  }

  async #send<T>(options: RequestOptions, request: ApiRequest): Promise<T> {
    const { signal, timeout } = options;
    const { body } = await this.#client.request<T>({
      ...request,
      ...(signal === undefined ? {} : { signal }),
      ...(timeout === undefined ? {} : { timeout }),
    });
    return body;
  }

  #objectPath(resource: KnownResource, ref: ObjectRef, subresource?: string): string {
    if (typeof ref.name !== 'string' || ref.name === '') {
      throw new InvalidRequestError(`A request for one of ${resourceName(resource)} has no name.`);
    }
    const namespace = this.#namespaceFor(resource, ref.namespace);
    return objectPath(resource, { name: ref.name, namespace, subresource });
  }

  #collectionPath(resource: KnownResource, options: SelectOptions): string {
    return options.namespace === undefined
      ? collectionPath(resource)
      : collectionPath(resource, this.#namespaceFor(resource, options.namespace));
  }

  /** A namespace is never guessed: the wrong one would be silent. */
  #namespaceFor(resource: KnownResource, namespace: string | undefined): string | undefined {
    const given = namespace !== undefined && namespace !== '';
    if (resource.namespaced === given) return given ? namespace : undefined;
    throw new InvalidRequestError(
      resource.namespaced
        ? `${resourceName(resource)} is namespaced, and the request names no namespace. Add one.`
        : `${resourceName(resource)} has no namespaces, and the request names "${namespace}". Leave it out.`,
    );
  }

  #writing(options: WriteOptions): {
    readonly fieldManager: string | undefined;
    readonly [name: string]: string | undefined;
  } {
    return {
      fieldManager: options.fieldManager ?? this.#options.fieldManager,
      dryRun: options.dryRun === true ? 'All' : undefined,
      fieldValidation: options.fieldValidation,
    };
  }
}

/** `(object, options?)` or `(resource, object, options?)`: an object is told from a resource by its metadata. */
function normalize<O extends WriteOptions>(args: readonly unknown[]): readonly [ResourceRef, ObjectInput, O] {
  const [first] = args;
  const alone = typeof first === 'object' && first !== null && 'metadata' in first;
  const [resource, object, options] = alone ? [first, first, args[1]] : args;
  if (typeof object !== 'object' || object === null || !('metadata' in object)) {
    throw new InvalidRequestError('The object to write has no metadata. Add it, with a name.');
  }
  return [resource as ResourceRef, object as ObjectInput, (options ?? {}) as O];
}

function refOf(object: ObjectInput): ObjectRef {
  const { name, namespace } = object.metadata;
  return { name: name ?? '', namespace };
}

function selection(options: SelectOptions): Record<string, string | undefined> {
  return { labelSelector: options.labelSelector, fieldSelector: options.fieldSelector };
}

function deletion(options: DeletionOptions): Record<string, unknown> {
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy: options.propagationPolicy,
    gracePeriodSeconds: options.gracePeriodSeconds,
    dryRun: options.dryRun === true ? ['All'] : undefined,
  };
}

/** Items of built-in lists come without apiVersion and kind; the list tells them. */
function typedItems<T>(body: ListBody<T>): readonly T[] {
  const { apiVersion, kind, items } = body;
  if (apiVersion === undefined || kind === undefined || !/.List$/.test(kind)) return items ?? [];
  const type = { apiVersion, kind: kind.slice(0, -'List'.length) };
  return (items ?? []).map((item) => ({ ...type, ...item }));
}

function uidOf(item: unknown): string | undefined {
  const uid = (item as { readonly metadata?: { readonly uid?: unknown } } | null)?.metadata?.uid;
  return typeof uid === 'string' ? uid : undefined;
}
