/** What every stored object has. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly [field: string]: unknown;
}

/** An entry of `metadata.ownerReferences`. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** One stored object as the server sent it: plain JSON, dates as strings, never mutated once stored. */
export interface StoredObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/** The identity of an object within its resource: `namespace/name`, or `name` when cluster-scoped. */
export type ObjectKey = string;

export function objectKey(object: {
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined };
}): ObjectKey {
  const { namespace, name } = object.metadata;
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}
