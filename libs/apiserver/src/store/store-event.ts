import type { KubeObject } from '../json.js';

/** One change of one object. */
export interface StoreEvent {
  readonly revision: number;
  /** `group/plural`, without a version: all versions of a resource share one storage. */
  readonly resource: string;
  /** `namespace/name`, or the name of a cluster-scoped object. */
  readonly key: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The new state; for DELETED the last state, carrying the revision of the deletion. */
  readonly object: KubeObject;
  /** The state before, absent for ADDED. */
  readonly previous?: KubeObject;
}

/** A saved state of the whole store. Opaque; valid for the server that made it. */
export interface StoreSnapshot {
  readonly revision: number;
  readonly compacted: number;
  readonly log: readonly StoreEvent[];
  readonly buckets: ReadonlyMap<string, ReadonlyMap<string, KubeObject>>;
}
