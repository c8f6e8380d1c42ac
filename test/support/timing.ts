import { expect } from 'vitest';
import type { World } from './world.js';

/** What a loaded machine may add to a wait, in milliseconds. */
const lateness = 5_000;
/** A handler looks at the clock a little after the moment that it stands for. */
const earliness = 50;

/**
 * Expects these waits between moments, in milliseconds: a number for an exact one, a pair for the bounds of one with jitter.
 * They hold to the millisecond on the virtual clock; in real time each may be longer.
 */
export function expectWaits(
  world: World,
  moments: readonly Date[],
  waits: ReadonlyArray<number | readonly [least: number, most: number]>,
): void {
  const found = moments.slice(1).map((moment, index) => moment.getTime() - (moments[index]?.getTime() ?? Number.NaN));
  expect(found, 'number of waits').toHaveLength(waits.length);
  for (const [index, wait] of waits.entries()) {
    const [least, most] = typeof wait === 'number' ? [wait, wait] : wait;
    expect(found[index], `wait ${index + 1} of ${found.join(', ')}`).toBeGreaterThanOrEqual(
      world.kind === 'real' ? least - earliness : least,
    );
    expect(found[index], `wait ${index + 1} of ${found.join(', ')}`).toBeLessThanOrEqual(
      world.kind === 'real' ? most + lateness : most,
    );
  }
}
