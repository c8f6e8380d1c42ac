import { writeFile } from 'node:fs/promises';
import type { Activity } from './activity.js';
import type { DirectClient, DirectPatchOptions, ObjectRef } from './direct-client.js';
import type { FaultSet } from './faults/fault-set.js';
import type { ApiUser } from './http/authentication.js';
import type { ServerParts } from './http/server-parts.js';
import type { JsonObject, KubeObject } from './json.js';
import { kubeConfigFor, type KubeConfigData } from './kube-config.js';
import { yamlLibrary } from './lazy-modules.js';
import type { RequestLog } from './request-log.js';
import type { Store, StoreSnapshot } from './store/store.js';
import { waitFor, type WaitOptions, type WaitSource } from './wait-for.js';
import { Watches } from './watching/watches.js';

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
  readonly #waitSource: WaitSource;
  readonly #users: readonly ApiUser[];
  readonly #close: () => Promise<void>;
  #closed: Promise<void> | undefined;

  /** @internal */
  constructor(
    parts: ServerParts,
    client: DirectClient,
    port: number,
    users: readonly ApiUser[],
    close: () => Promise<void>,
  ) {
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.faults = parts.faults;
    this.requests = parts.requests;
    this.watches = new Watches(parts.hub);
    this.activity = parts.activity;
    this.store = parts.context.store;
    this.#client = client;
    this.#waitSource = parts.context;
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
    await writeFile(path, yamlLibrary().stringify(this.kubeConfig(user)), { mode: 0o600 });
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

  /**
   * Resolves with what the predicate answers as soon as it is truthy; looks again after each write, never by time.
   *
   * @throws WaitTimeoutError (`APISERVER_WAIT_TIMEOUT`) when the time is up, ClosedError (`APISERVER_CLOSED`) when the
   * server is closed before, the signal's reason, and what the predicate throws.
   */
  waitFor<T>(predicate: (api: this) => T | Promise<T>, options?: WaitOptions): Promise<NonNullable<T>> {
    return waitFor(this.#waitSource, () => predicate(this), String(predicate), options);
  }

  /** Ends all connections, watches and timers. */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }
}
