import { writeFile } from 'node:fs/promises';
import { stringify as stringifyYaml } from 'yaml';
import { Activity } from './activity.js';
import type { ApiServerOptions } from './api-server-options.js';
import { systemClock } from './clock.js';
import { EventExpiry } from './controllers/event-expiry.js';
import { GarbageCollector } from './controllers/garbage-collector.js';
import { NamespaceController } from './controllers/namespace-controller.js';
import { DefinitionController } from './custom/definition-controller.js';
import { DirectClient, documents, type DirectPatchOptions, type ObjectRef } from './direct-client.js';
import { documentAnswer } from './discovery/document-routes.js';
import { FaultSet } from './faults/fault-set.js';
import { Authentication, type ApiUser } from './http/authentication.js';
import { Exchange } from './http/exchange.js';
import { Listener } from './http/listener.js';
import { Rendering } from './http/rendering.js';
import type { ServerParts } from './http/server-parts.js';
import type { JsonObject, KubeObject } from './json.js';
import { kubeConfigFor, type KubeConfigData } from './kube-config.js';
import { noAdmission } from './pipeline/admission-control.js';
import { Representations } from './pipeline/representations.js';
import { defaultLimits, type ServerContext } from './pipeline/server-context.js';
import { randomUuid } from './random.js';
import { RequestLog } from './request-log.js';
import { ResourceRegistry } from './resources/resource-registry.js';
import { errors } from './status.js';
import { Store, type StoreSnapshot } from './store/store.js';
import { WatchFrames } from './watching/watch-frames.js';
import { WatchHub } from './watching/watch-hub.js';
import { Watches } from './watching/watches.js';

const initialNamespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** A Kubernetes API server inside this process. Made by `startApiServer`. */
export class ApiServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly port: number;
  /** Faults to inject into requests. */
  readonly faults: FaultSet;
  /** Every request that came over HTTP. */
  readonly requests: RequestLog;
  /** The open watches. */
  readonly watches: Watches;
  /** How much is being processed; a busy probe for virtual clocks. */
  readonly activity: Activity;
  /** All objects, with their history. */
  readonly store: Store;
  readonly #client: DirectClient;
  readonly #users: readonly ApiUser[];
  readonly #close: () => Promise<void>;
  #closed: Promise<void> | undefined;

  /** @internal */
  constructor(parts: ServerParts, listener: Listener, users: readonly ApiUser[], close: () => Promise<void>) {
    this.port = listener.port;
    this.url = `http://127.0.0.1:${listener.port}`;
    this.faults = parts.faults;
    this.requests = parts.requests;
    this.watches = new Watches(parts.hub);
    this.activity = parts.activity;
    this.store = parts.context.store;
    this.#client = new DirectClient(parts.context);
    this.#users = users;
    this.#close = close;
  }

  /** A kubeconfig for one of the `users` (default: the first), or without credentials where there are none. */
  kubeConfig(user?: string): KubeConfigData {
    const account = user === undefined ? this.#users[0] : this.#users.find(({ name }) => name === user);
    if (user !== undefined && account === undefined)
      throw new Error(`api server: there is no user ${JSON.stringify(user)}`);
    return kubeConfigFor(this.url, account?.name ?? 'admin', account?.token);
  }

  /** Writes `kubeConfig(user)` as YAML; only the owner can read the file. */
  async writeKubeconfig(path: string, user?: string): Promise<void> {
    await writeFile(path, stringifyYaml(this.kubeConfig(user)), { mode: 0o600 });
  }

  /** Creates objects or merges them into those that exist; YAML may hold several documents. */
  apply(objects: JsonObject | string): Promise<KubeObject[]> {
    return this.#client.apply(objects);
  }

  create(object: JsonObject | string): Promise<KubeObject> {
    return this.#client.create(object);
  }

  /** An object, or undefined when it is absent. */
  get(ref: ObjectRef): Promise<KubeObject | undefined> {
    return this.#client.get(ref);
  }

  list(ref: Parameters<DirectClient['list']>[0]): Promise<KubeObject[]> {
    return this.#client.list(ref);
  }

  /** Replaces an object (PUT). */
  replace(object: JsonObject | string, subresource?: 'status'): Promise<KubeObject> {
    return this.#client.replace(object, subresource);
  }

  patch(ref: ObjectRef, patch: unknown, options?: DirectPatchOptions): Promise<KubeObject> {
    return this.#client.patch(ref, patch, options);
  }

  delete(ref: ObjectRef, options?: Parameters<DirectClient['delete']>[1]): Promise<void> {
    return this.#client.delete(ref, options);
  }

  /** Forgets history up to a revision (default: all), so that older versions answer 410. */
  compact(revision?: number): void {
    this.store.compact(revision);
  }

  /** The state of the store, to be restored later. Takes time in proportion to the number of objects, and copies none. */
  snapshot(): StoreSnapshot {
    return this.store.snapshot();
  }

  /** Goes back to a snapshot, revisions included, as when etcd is restored. Open watches are reset. */
  restore(snapshot: StoreSnapshot): void {
    this.store.restore(snapshot);
  }

  /** Resolves with what the predicate answers as soon as it is truthy; looks again after each write, never by time. */
  waitFor<T>(predicate: (api: this) => T | Promise<T>, signal?: AbortSignal): Promise<NonNullable<T>> {
    return new Promise((resolve, reject) => {
      let looking = false;
      let again = false;
      const finish = (): void => {
        unsubscribe();
        signal?.removeEventListener('abort', aborted);
      };
      const aborted = (): void => {
        finish();
        reject(signal?.reason instanceof Error ? signal.reason : new Error('api server: waitFor was aborted'));
      };
      const fail = (error: unknown): void => {
        finish();
        reject(error instanceof Error ? error : new Error(String(error)));
      };
      const look = async (): Promise<void> => {
        again = true;
        if (looking) return;
        looking = true;
        while (again) {
          again = false;
          const value = await predicate(this);
          if (value) {
            finish();
            resolve(value as NonNullable<T>);
            return;
          }
        }
        looking = false;
      };
      const start = (): void => {
        look().catch(fail);
      };
      const unsubscribe = this.store.subscribe(start);
      if (signal?.aborted === true) return aborted();
      signal?.addEventListener('abort', aborted, { once: true });
      start();
    });
  }

  /** Ends all connections, watches and timers. */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }
}

function printInternalError(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`api server: internal error: ${text}\n`);
}

/**
 * Starts a Kubernetes API server on 127.0.0.1 that lives in this process and keeps everything in memory.
 *
 * @throws ApiError for CustomResourceDefinitions and objects that the server refuses.
 */
export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const clock = options.clock ?? systemClock;
  const random = options.random ?? Math.random;
  const registry = new ResourceRegistry();
  const store = new Store(options.historySize ?? 20_000);
  const representations = new Representations({
    convert: () => Promise.reject(errors.internal('conversion webhooks are not supported by this server')),
  });
  const closing = new AbortController();
  const activity = new Activity();
  const context: ServerContext = {
    store,
    registry,
    representations,
    clock,
    random,
    limits: { ...defaultLimits, ...options.limits },
    activity,
    onInternalError: options.onInternalError ?? printInternalError,
    admission: noAdmission,
    closing: closing.signal,
  };
  let ids = 0;
  const listener = new Listener((request, response) => {
    new Exchange(parts, request, response).run();
  });
  const parts: ServerParts = {
    context,
    activity,
    requests: new RequestLog(),
    faults: new FaultSet(options.faultSeed ?? Math.floor(Math.random() * 2 ** 32), (refuse, keepOpen) =>
      listener.refuse(refuse, keepOpen),
    ),
    authentication: new Authentication(options.users),
    authorization: options.authorization ?? 'authenticated',
    rendering: new Rendering(context),
    frames: new WatchFrames(representations),
    hub: new WatchHub(context),
    bookmarkInterval: options.bookmarkInterval ?? 60_000,
    documents: (url, headers) => documentAnswer(registry, `127.0.0.1:${listener.port}`, url, headers),
    nextId: () => ++ids,
    auditId: () => randomUuid(random),
    onInternalError: context.onInternalError,
  };
  await listener.listen(options.port ?? 0);
  const controllers: { stop(): void }[] = [
    new DefinitionController(context),
    new EventExpiry(context, options.eventTtl ?? 3_600_000),
  ];
  if (options.gc ?? true) controllers.push(new GarbageCollector(context, activity, parts.onInternalError));
  if (options.namespaceController ?? true) {
    controllers.push(new NamespaceController(context, activity, parts.onInternalError));
  }
  const api = new ApiServer(parts, listener, options.users ?? [], async () => {
    closing.abort();
    for (const controller of controllers) controller.stop();
    parts.hub.stop();
    for (const watch of parts.hub.all()) watch.session.end();
    await listener.close();
  });
  try {
    await seed(api, options);
    // As after the start of a real server, nothing older than the present state can be asked for.
    store.compact();
  } catch (error) {
    await api.close();
    throw error;
  }
  return api;
}

async function seed(api: ApiServer, options: ApiServerOptions): Promise<void> {
  const namespaces = new Set(initialNamespaces);
  const objects = (options.objects ?? []).flatMap((given) => documents(given));
  for (const { metadata, kind } of objects) {
    if (kind !== 'Namespace' && metadata.namespace !== undefined) namespaces.add(metadata.namespace);
  }
  for (const name of namespaces) await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const definition of options.crds ?? []) await api.apply(definition);
  for (const object of objects) await api.apply(object);
}
