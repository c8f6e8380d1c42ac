import { jsonEqual } from '../json/json-equal.js';
import type { Essence } from './essence.js';

/** An object whose cycle failed waits without holding a slot. */
export interface ThrottleState {
  /** Place in the list of delays. */
  readonly step: number;
  /** Monotonic milliseconds. */
  readonly since: number;
  readonly until: number;
  readonly essence: Essence;
  /** The deletion mark has been seen, or has ended a wait of this series already. */
  readonly deletionUsed: boolean;
}

const changeEndsWaitAfter = 30_000;

/** The state after one more error of a cycle that began with `seen`; `undefined` when throttling is switched off. */
export function throttleAfterError(
  delays: readonly number[],
  before: ThrottleState | undefined,
  now: number,
  seen: { readonly deleting: boolean; readonly essence: Essence },
): ThrottleState | undefined {
  if (delays.length === 0) return undefined;
  const step = before === undefined ? 0 : Math.min(before.step + 1, delays.length - 1);
  return {
    step,
    since: now,
    until: now + (delays[step] as number),
    essence: seen.essence,
    deletionUsed: before?.deletionUsed === true || seen.deleting,
  };
}

/** The state after a change of the object: a deletion mark ends the wait once, a changed essence when 30 s have passed. */
export function throttleAfterChange(
  state: ThrottleState,
  now: number,
  change: { readonly deleting: boolean; readonly essence: Essence },
): ThrottleState {
  if (change.deleting && !state.deletionUsed) return { ...state, until: now, deletionUsed: true };
  const earliest = state.since + changeEndsWaitAfter;
  if (earliest >= state.until || jsonEqual(state.essence, change.essence)) return state;
  return { ...state, until: Math.max(now, earliest) };
}
