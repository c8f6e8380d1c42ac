/**
 * States of an elector.
 *
 * - `idle`: not started.
 * - `standby`: somebody else leads, or nobody can be told to. The lease is looked at again and again.
 * - `acquiring`: the lease is free, or has run out: it is being taken.
 * - `leading`: the lease is ours.
 * - `losing`: the lead is over; what ran under it is ending.
 * - `released`: given back. Final.
 * - `left`: not given back, since something may still work under it, or not ours at the end. Final.
 */
export type ElectionState = 'idle' | 'standby' | 'acquiring' | 'leading' | 'losing' | 'released' | 'left';

const transitions: Readonly<Record<ElectionState, readonly ElectionState[]>> = {
  idle: ['standby', 'left'],
  standby: ['acquiring', 'left', 'released'],
  acquiring: ['standby', 'leading', 'left', 'released'],
  leading: ['losing', 'released', 'left'],
  losing: ['standby', 'released', 'left'],
  released: [],
  left: [],
};

/** Throws when there is no way from one state to the other: that is a defect of the elector. */
export function checkTransition(from: ElectionState, to: ElectionState): void {
  if (!transitions[from].includes(to)) throw new Error(`An elector cannot go from ${from} to ${to}.`);
}
