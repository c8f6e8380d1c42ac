/** Which object. `namespace` belongs to namespaced resources, and to them only. */
export interface ObjectRef {
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** What every request takes. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for each attempt. @defaultValue `client.timeout` */
  readonly timeout?: number | undefined;
}

/** Options of `KubeClient.get`. */
export interface GetOptions extends RequestOptions {
  readonly subresource?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** Which objects a request is about. */
export interface SelectOptions extends RequestOptions {
  /** Absent for a namespaced resource: all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** Options of `KubeClient.list`. */
export interface ListOptions extends SelectOptions {
  /** Objects per request. @defaultValue 500 */
  readonly pageSize?: number | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
}

/** Options of `KubeClient.listPage`. */
export interface PageOptions extends ListOptions {
  /** From the page before. */
  readonly continue?: string | undefined;
}

/** What every write takes; the options of `KubeClient.create`. */
export interface WriteOptions extends RequestOptions {
  /** @defaultValue the operator's name */
  readonly fieldManager?: string | undefined;
  /** The server does everything but store the result. */
  readonly dryRun?: boolean | undefined;
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
}

/** Options of `KubeClient.replace`. */
export interface ReplaceOptions extends WriteOptions {
  readonly subresource?: string | undefined;
}

/** Options of `KubeClient.patch`. */
export interface PatchOptions extends WriteOptions {
  /**
   * `merge` (RFC 7386), `json` (RFC 6902), or `strategic`, which custom resources do not know.
   *
   * @defaultValue `json` for an array, else `merge`
   */
  readonly type?: 'merge' | 'json' | 'strategic' | undefined;
  readonly subresource?: string | undefined;
}

/** Options of `KubeClient.apply`. */
export interface ApplyOptions extends WriteOptions {
  readonly subresource?: string | undefined;
  /** Takes fields over from other managers in place of a conflict. @defaultValue false */
  readonly force?: boolean | undefined;
}

/** How objects are deleted. */
export interface DeletionOptions extends RequestOptions {
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan' | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly dryRun?: boolean | undefined;
}

/** Options of `KubeClient.delete`. */
export interface DeleteOptions extends DeletionOptions {
  /** Only this very object, not a later one of its name. */
  readonly uid?: string | undefined;
  /** Only in this state. */
  readonly resourceVersion?: string | undefined;
}

/** Options of `KubeClient.deleteCollection`. */
export interface DeleteCollectionOptions extends DeletionOptions, SelectOptions {}

/** Options of `KubeClient.watch`. */
export interface WatchOptions extends SelectOptions {
  /** Changes after this version. Absent: first all objects as ADDED, then their changes. */
  readonly resourceVersion?: string | undefined;
}

/** One page of a list. */
export interface ObjectPage<T> {
  readonly items: readonly T[];
  /** Of the list: where a watch goes on. */
  readonly resourceVersion: string;
  /** Present while there are more pages. */
  readonly continue: string | undefined;
}

/** One change that a watch tells of. */
export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: T;
}

/** The part of an `autoscaling/v1` Scale that counts. */
export interface Scale {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly resourceVersion: string };
  readonly spec: { readonly replicas?: number };
  readonly status: { readonly replicas: number; readonly selector?: string };
}
