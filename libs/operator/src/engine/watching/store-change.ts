import type { ObjectKey, StoredObject } from '../kube-object.js';

/**
 * One change of the store. Another uid under a known key is two changes: the former object removed, the new one added.
 *
 * `origin`: `list` (first list of the watch or a relist), `watch`, or `write` (the answer to a write of our own).
 */
export type StoreChange =
  | {
      readonly type: 'added' | 'modified';
      readonly key: ObjectKey;
      readonly object: StoredObject;
      readonly previous: StoredObject | undefined;
      readonly origin: 'list' | 'watch' | 'write';
      /** Seen in the first list of its watch since this process (or term of leadership) began. */
      readonly initial: boolean;
      /**
       * False only for an own write whose answer shows nothing but what the write itself set: it wakes nobody.
       */
      readonly foreign: boolean;
    }
  | {
      readonly type: 'removed';
      readonly key: ObjectKey;
      /** The last known state. */
      readonly previous: StoredObject;
      readonly origin: 'list' | 'watch' | 'write';
    }
  | {
      /** The watch shows the object no more, which may mean that it only left the watch's selection. It is in the store still. */
      readonly type: 'doubted';
      readonly key: ObjectKey;
      readonly object: StoredObject;
    }
  | {
      /** The state that the watch brought last was an own write and nothing else: its answer, which came later, tells. */
      readonly type: 'recognized';
      readonly key: ObjectKey;
      readonly object: StoredObject;
    };
