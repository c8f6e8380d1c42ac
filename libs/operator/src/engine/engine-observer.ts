import type { ObjectKey } from './kube-object.js';
import type { LeadershipStatus } from './leaderelection/leadership-status.js';

/**
 * States of a key in its queue. `waiting`: until its due time. `ready`: until a slot is free. `running`: it is being
 * processed. `absent`: there is nothing to do for it.
 */
export type QueueState = 'absent' | 'waiting' | 'ready' | 'running';

/**
 * States of a key's cycle. `held`: its turn came before its throttle or pause was over. `running`: a cycle works. Then how it
 * ended: `done`; `postponed`: others kept writing, or the operator fails; `throttled`: by an error; `gone`: the object is no
 * more; `cut`: by the stop.
 */
export type CycleState = 'held' | 'running' | 'done' | 'postponed' | 'throttled' | 'gone' | 'cut';

/** Is told of what no record is written for, as it happens. Must be quick and must not throw. */
export interface EngineObserver {
  onQueueState(resource: string, key: ObjectKey, state: QueueState): void;
  onCycleState(resource: string, key: ObjectKey, state: CycleState): void;
  /** The election has gone on to another state. */
  onLeadership?(status: LeadershipStatus): void;
}
