import type { StoreEvent, StoreSnapshot } from './store-event.js';

/** Where a store keeps what happens to it beyond its own life. */
export interface StoreJournal {
  /** Called with each event before it takes effect. If it throws, the event does not. */
  append(event: StoreEvent): void;
  /** Called before everything is replaced. If it throws, nothing is. */
  replace(snapshot: StoreSnapshot): void;
  /** Called when the history up to a revision is forgotten. Throws nothing. */
  compact(revision: number): void;
  /** Called once an event has taken effect; `state` is asked for where the journal begins anew. Throws nothing. */
  settle(objects: number, events: number, state: () => StoreSnapshot): void;
}
