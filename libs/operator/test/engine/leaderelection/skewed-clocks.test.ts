import { expect, test } from 'vitest';
import type { Candidate } from './elector-rig.js';
import { ElectorRig, leaseRef } from './elector-rig.js';

const second = 1_000;
const hour = 3_600 * second;

/** A small generator of numbers from 0 to 1 (mulberry32): a seed stands for one run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Write {
  readonly by: string;
  readonly begun: number;
  /** The server may do it until then. */
  until: number;
}

/** The slowest of their clocks, which go by one second in a second more or less. */
const slowest = 0.99;

/** Three processes with clocks that differ by hours, jump and run unevenly, on a server that fails, stalls and loses answers. */
async function run(seed: number): Promise<{ readonly writes: readonly Write[]; readonly leaders: number }> {
  const rig = await ElectorRig.start();
  rig.delaying = true;
  const random = seeded(seed);
  const between = (low: number, high: number): number => low + (high - low) * random();
  const writes: Write[] = [];
  const leaders = new Set<string>();
  try {
    let born = 0;
    const birth = (): Candidate => {
      born += 1;
      return rig.candidate(`replica-${born}`, {
        wall: between(-hour, hour),
        monotonic: between(0, 100 * hour),
        // Crystals differ by far less than what the deadline leaves of the lease.
        rate: between(slowest, 2 - slowest),
        random,
        onLost: 'standby',
        stepDown: () => Promise.resolve(),
      });
    };
    const replicas = [birth(), birth(), birth()];
    const blocked = new Map<Candidate, number>();
    const faults: Array<() => void> = [
      () =>
        rig.server.faults.add({
          match: { resource: 'leases', times: Math.ceil(between(1, 6)) },
          do: { action: 'reset' },
        }),
      () => rig.server.faults.add({ match: { resource: 'leases', times: 2 }, do: { action: 'loseAnswer' } }),
      () =>
        rig.server.faults.add({
          match: { resource: 'leases', times: 2 },
          do: { action: 'stall', ms: between(1, 14) * second },
        }),
      () =>
        rig.server.faults.add({
          match: { resource: 'leases', times: 2 },
          do: { action: 'delay', ms: between(0, 5) * second, when: 'beforeAnswer' },
        }),
      () =>
        rig.server.faults.add({
          match: { resource: 'leases', verb: 'update', times: 7 },
          do: { action: 'answer', status: 503 },
        }),
    ];
    for (let step = 0; step < 160; step += 1) {
      const index = Math.floor(random() * replicas.length);
      const replica = replicas[index]!;
      const dice = random();
      if (dice < 0.12) faults[Math.floor(random() * faults.length)]!();
      else if (dice < 0.2) replica.clock.wallOffset += between(-hour, hour);
      else if (dice < 0.25) {
        replica.clock.block();
        blocked.set(replica, rig.clock.monotonic() + between(1, 20) * second);
      } else if (dice < 0.29) {
        await replica.kill();
        replicas[index] = birth();
      } else if (dice < 0.32) {
        // The request may fail: the lease runs out then.
        await rig.clock.during(replica.stop().catch(() => undefined));
        // It gives the lease back only when all of its writes have ended.
        for (const one of writes) {
          if (one.by === replica.elector.status.identity) one.until = Math.min(one.until, rig.clock.monotonic());
        }
        replicas[index] = birth();
      } else if (dice < 0.34)
        await rig.server.patch(leaseRef, { metadata: { labels: { step: String(step) } } }).catch(() => undefined); // There may be no lease yet.
      await rig.clock.advance(between(0.1, 2.5) * second);
      for (const [one, until] of blocked) {
        if (rig.clock.monotonic() < until) continue;
        // What its code does in the very turn in which it wakes.
        write(one);
        blocked.delete(one);
        one.clock.unblock();
      }
      for (const one of replicas) if (!blocked.has(one)) write(one);
    }
    function write(one: Candidate): void {
      const { lead } = one;
      if (lead === undefined) return;
      try {
        const by = one.elector.status.identity ?? '';
        const begun = rig.clock.monotonic();
        // By its own clock, which may go slower.
        writes.push({ by, begun, until: begun + lead.timeForWrite() / slowest });
        leaders.add(by);
      } catch {
        // Refused, as it should be.
      }
    }
    return { writes, leaders: leaders.size };
  } finally {
    await rig.close();
  }
}

test.each(Array.from({ length: 12 }, (_none, index) => index + 1))(
  'never do two replicas write at the same time (seed %d)',
  async (seed) => {
    const { writes, leaders } = await run(seed);
    expect(writes.length).toBeGreaterThan(20);
    expect(leaders).toBeGreaterThan(1);
    const overlaps = writes.flatMap((one, index) =>
      writes.slice(index + 1).filter((other) => other.by !== one.by && other.begun < one.until),
    );
    expect(overlaps).toEqual([]);
  },
);
