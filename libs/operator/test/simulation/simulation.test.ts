import { beforeAll, describe, expect, it } from 'vitest';
import { Coverage } from './report/coverage.js';
import { Simulator } from './world/simulation.js';

let simulator: Simulator;

beforeAll(async () => {
  simulator = await Simulator.create();
});

describe('the whole engine in simulated worlds', () => {
  it('keeps every promise in 200 of them', async () => {
    const coverage = new Coverage();
    for (let seed = 1; seed <= 200; seed += 1) {
      const { violation } = await simulator.run({ seed, coverage });
      expect(violation, `npm run simulate -- --seed ${seed}`).toBeUndefined();
    }
    const { runs, calls, faults } = coverage.counts();
    expect(runs).toBe(200);
    expect(calls).toBeGreaterThan(2_000);
    expect(Object.entries(faults).filter(([, hits]) => hits === 0)).toEqual([]);
  }, 600_000);

  it('lets the same happen again for the same seed, whatever ran before', async () => {
    const seeds = [3, 14, 49, 154, 350];
    const first = new Map<number, readonly string[]>();
    for (const seed of seeds) first.set(seed, (await simulator.run({ seed, traced: true })).trace);
    const other = await Simulator.create();
    for (const seed of seeds.toReversed()) {
      const { trace } = await other.run({ seed, traced: true });
      expect(trace).toEqual(first.get(seed));
      expect(trace.length).toBeGreaterThan(40);
    }
    expect(first.get(3)).not.toEqual(first.get(14));
  });

  it('is the same run with and without a trace', async () => {
    const { fingerprint } = await simulator.run({ seed: 49, traced: true });
    expect((await simulator.run({ seed: 49 })).fingerprint).toBe(fingerprint);
  });
});
