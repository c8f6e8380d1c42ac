/** Whose record it is. The uid alone tells an object from a namesake that came before it. */
export interface RecordOwner {
  /** The operator's name. */
  readonly operator: string;
  /** The resource's group; empty for the core group. */
  readonly group: string;
  readonly plural: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace: string | undefined;
  readonly name: string;
  readonly uid: string;
}

/**
 * Keeps the records of objects elsewhere than on the objects, for example in a database. Named in `persistence.stores`.
 *
 * A record is a text to be given back as it is; it may hold the content of objects (of Secrets digests only). It is found
 * by operator, group, plural and uid. Calls for one object come one after another, those for several at the same time.
 * Each gets a signal that is aborted on a stop of the operator and after `client.timeout`. What a call rejects with counts
 * as a write of that object that failed: the object is throttled and the call made again, other objects go on.
 */
export interface RecordStore {
  /** Most bytes that a record may take; beyond, it holds digests in place of content. @defaultValue 1 MiB */
  readonly maxBytes?: number;
  /** The record that was saved last, if there is one. Called once for each object and process, before its handlers. */
  load(owner: RecordOwner, signal: AbortSignal): Promise<string | undefined>;
  /**
   * Keeps the record in place of an earlier one. Once it resolves, the record must survive a crash: what it says was done
   * is not done again. Called after what handlers want changed on the object was written.
   */
  save(owner: RecordOwner, record: string, signal: AbortSignal): Promise<void>;
  /** Drops the record, because its object is gone or no handler serves it any more. It may be gone already. */
  remove(owner: RecordOwner, signal: AbortSignal): Promise<void>;
  /**
   * The owners of all records of one resource. With it, records of objects that went while no operator ran are removed
   * after the start; without it they stay.
   */
  list?(
    resource: Pick<RecordOwner, 'operator' | 'group' | 'plural'>,
    signal: AbortSignal,
  ): AsyncIterable<RecordOwner> | Iterable<RecordOwner>;
}

/**
 * Where records are kept: `annotations`; `status`, under `status.nestjsOperator.<operator>`; `both`, written to both and
 * read from either; or a name in `persistence.stores`.
 */
export type RecordStoreName = 'annotations' | 'status' | 'both' | (string & {});

/** Records are kept on the objects themselves, in these places. */
export type RecordPlace = 'annotations' | 'status' | 'both';

export const recordPlaces: readonly RecordPlace[] = ['annotations', 'status', 'both'];
