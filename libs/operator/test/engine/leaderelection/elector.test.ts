import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LeadershipLostError } from '../../../src/errors/leadership-lost.error.js';
import { ElectorRig, leaseRef } from './elector-rig.js';

let rig: ElectorRig;
beforeEach(async () => {
  rig = await ElectorRig.start();
});
afterEach(() => rig.close());

const second = 1_000;
const sixDigits = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;

describe('taking the lease', () => {
  test('an absent lease is created, with six digits in its times, and renewed every retry period', async () => {
    const a = rig.candidate('a');
    await rig.clock.settle();
    expect(a.states).toEqual(['standby', 'acquiring', 'leading']);
    const first = await rig.lease();
    expect(first?.spec).toMatchObject({ holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0 });
    expect(first?.spec.acquireTime).toMatch(sixDigits);
    await rig.clock.advance(5 * second);
    const later = await rig.lease();
    expect(later?.spec.renewTime).toMatch(sixDigits);
    expect(later?.spec.renewTime).not.toBe(first?.spec.renewTime);
    expect(later?.spec.acquireTime).toBe(first?.spec.acquireTime);
    expect(a.elector.isLeading).toBe(true);
  });

  test('a lease without a holder is taken at once', async () => {
    await rig.edit({});
    const a = rig.candidate('a');
    await rig.clock.settle();
    expect(a.elector.state).toBe('leading');
  });

  test('a released lease is taken at the next look', async () => {
    const a = rig.candidate('a');
    await rig.clock.settle();
    const b = rig.candidate('b');
    await rig.clock.advance(5 * second);
    expect(b.elector.state).toBe('standby');
    await a.stop();
    expect((await rig.lease())?.spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
    await rig.clock.advance(2 * second);
    expect(b.elector.state).toBe('leading');
    expect((await rig.lease())?.spec).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
  });

  test.each([
    ['from the future, in another offset', '2031-01-01T10:00:00.123+02:00'],
    ['from long ago, without digits', '2019-01-01T10:00:00Z'],
    ['with nine digits', '2026-01-01T00:00:00.123456789Z'],
    ['that is no time', 'yesterday'],
    ['that is missing', undefined],
  ])('a held lease blocks for its own duration from when it was seen: with a time %s', async (_what, renewTime) => {
    await rig.edit({ holderIdentity: 'java', leaseDurationSeconds: 40 });
    const lease = await rig.lease();
    const body = { ...lease, spec: { ...lease?.spec, acquireTime: renewTime, renewTime } } as never;
    rig.server.faults.add({ match: { resource: 'leases', verb: 'get' }, do: { action: 'answer', status: 200, body } });
    const a = rig.candidate('a');
    await rig.clock.advance(39 * second);
    expect(a.elector.state).toBe('standby');
    expect(a.elector.status.holder).toBe('java');
    await rig.clock.advance(1.5 * second);
    expect(a.elector.state).toBe('leading');
    const { spec } = (await rig.lease())!;
    expect(spec).toMatchObject({ holderIdentity: 'a', leaseTransitions: 1 });
    expect([spec.acquireTime, spec.renewTime].every((time) => sixDigits.test(String(time)))).toBe(true);
  });

  test('the log says once who blocks, and until when', async () => {
    await rig.edit({ holderIdentity: 'other', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z' });
    const a = rig.candidate('a');
    await rig.clock.advance(8 * second);
    const told = a.records.filter(({ message }) => message === 'Another replica leads; this one stands by');
    expect(told.map(({ fields }) => fields)).toEqual([
      { lease: 'default/op.example', holder: 'other', until: '2026-01-01T00:00:15.000000Z', milliseconds: 15_000 },
    ]);
  });

  test('a dead leader is followed within the lease time and 2 s', async () => {
    for (let phase = 0; phase < 8; phase += 1) {
      const own = await ElectorRig.start();
      try {
        const a = own.candidate('a');
        await own.clock.settle();
        const b = own.candidate('b');
        await own.clock.advance(20 * second + phase * 250);
        await a.kill();
        const died = own.clock.monotonic();
        await own.clock.advanceUntil(() => b.elector.state === 'leading');
        expect(own.clock.monotonic() - died).toBeLessThanOrEqual(17 * second);
        expect(own.clock.monotonic() - died).toBeGreaterThan(12 * second);
      } finally {
        await own.close();
      }
    }
  });

  test('of two that stand at once, one leads', async () => {
    rig.server.faults.add({
      match: { resource: 'leases', verb: 'create', times: 1 },
      do: { action: 'delay', ms: 100, when: 'beforeWork' },
    });
    rig.delaying = true;
    const both = [rig.candidate('a'), rig.candidate('b')];
    await rig.clock.advance(10 * second);
    expect(both.map(({ elector }) => elector.state).toSorted()).toEqual(['leading', 'standby']);
  });

  test('the same identity in another process is somebody else: it waits for the lease to run out', async () => {
    const a = rig.candidate('same');
    await rig.clock.settle();
    const b = rig.candidate('same');
    await rig.clock.advance(30 * second);
    expect([a.elector.state, b.elector.state]).toEqual(['leading', 'standby']);
    await a.kill();
    await rig.clock.advance(17 * second);
    expect(b.elector.state).toBe('leading');
  });

  test('a lease whose holder lives is not made anew when somebody deletes it, except by its holder', async () => {
    const a = rig.candidate('a');
    await rig.clock.settle();
    const b = rig.candidate('b');
    for (let round = 0; round < 5; round += 1) {
      await rig.clock.advance(1.3 * second);
      await rig.server.delete(leaseRef);
      await rig.clock.advance(4 * second);
      expect((await rig.lease())?.spec.holderIdentity).toBe('a');
    }
    expect([a.elector.state, b.elector.state]).toEqual(['leading', 'standby']);
    expect(a.lost).toEqual([]);
  });

  test('requests that are refused are told, and tried again', async () => {
    const fault = rig.server.faults.add({
      match: { resource: 'leases' },
      do: { action: 'answer', status: 403, reason: 'Forbidden', message: 'no' },
    });
    const a = rig.candidate('a');
    await rig.clock.advance(10 * second);
    expect(a.elector.state).toBe('standby');
    expect(a.elector.status.failing).toMatchObject({ since: Date.UTC(2026, 0, 1) });
    expect(a.records.filter(({ level }) => level === 'warn')).toHaveLength(1);
    fault.remove();
    await rig.clock.advance(2 * second);
    expect(a.elector.state).toBe('leading');
    expect(a.elector.status.failing).toBeUndefined();
  });
});

describe('losing the lead', () => {
  test('without a renewal for the renew deadline it is lost, long before the lease runs out', async () => {
    const a = rig.candidate('a');
    await rig.clock.settle();
    const b = rig.candidate('b');
    await rig.clock.advance(4 * second);
    rig.server.faults.add({ match: { resource: 'leases', verb: 'update' }, do: { action: 'reset' } });
    await rig.clock.advanceUntil(() => a.lost.length > 0);
    const lostAt = rig.clock.monotonic();
    expect(lostAt).toBeLessThanOrEqual(14 * second);
    expect(a.end).toBeInstanceOf(LeadershipLostError);
    expect(a.lost[0]).toMatchObject({ because: 'expired', lease: 'default/op.example' });
    expect(b.elector.state).toBe('standby');
    rig.server.faults.clear();
    await rig.clock.advanceUntil(() => b.elector.state === 'leading');
    expect(rig.clock.monotonic() - lostAt).toBeGreaterThanOrEqual(5 * second);
  });

  test('answers that stall for 12 s lose it at the deadline, and a late answer changes nothing', async () => {
    const a = rig.candidate('a');
    await rig.clock.settle();
    rig.delaying = true;
    rig.server.faults.add({
      match: { resource: 'leases', verb: 'update', times: 1 },
      do: { action: 'stall', ms: 12 * second },
    });
    rig.server.faults.add({ match: { resource: 'leases', nth: 2 }, do: { action: 'stall', ms: 12 * second } });
    await rig.clock.advance(9.9 * second);
    expect(a.lost).toEqual([]);
    await rig.clock.advance(0.2 * second);
    expect(a.lost).toHaveLength(1);
    await rig.clock.advance(20 * second);
    expect(a.states.at(-1)).toBe('losing');
  });

  test('one failed renewal, and one whose answer is lost, change nothing', async () => {
    const a = rig.candidate('a');
    await rig.clock.settle();
    rig.server.faults.add({ match: { resource: 'leases', verb: 'update', times: 1 }, do: { action: 'reset' } });
    await rig.clock.advance(6 * second);
    rig.server.faults.add({ match: { resource: 'leases', verb: 'update', times: 2 }, do: { action: 'loseAnswer' } });
    await rig.clock.advance(60 * second);
    expect(a.elector.isLeading).toBe(true);
    expect(a.lost).toEqual([]);
  });

  test('renewals that are conflicts because of somebody who edits labels go on', async () => {
    const a = rig.candidate('a');
    await rig.clock.settle();
    for (let edit = 0; edit < 20; edit += 1) {
      await rig.server.patch(leaseRef, { metadata: { labels: { edit: String(edit) } } });
      await rig.clock.advance(1.7 * second);
    }
    expect(a.elector.isLeading).toBe(true);
    expect((await rig.lease())?.metadata.labels).toEqual({ edit: '19' });
  });

  test('taken away by an edit it is lost at the next renewal, and nobody follows at once', async () => {
    const a = rig.candidate('a');
    await rig.clock.settle();
    const b = rig.candidate('b');
    await rig.clock.advance(3 * second);
    await rig.edit({ holderIdentity: '', renewTime: '2026-01-01T00:00:00.000000Z' });
    const editedAt = rig.clock.monotonic();
    await rig.clock.advanceUntil(() => a.lost.length > 0);
    expect(rig.clock.monotonic() - editedAt).toBeLessThanOrEqual(2 * second);
    expect(a.lost[0]).toMatchObject({ because: 'taken' });
    expect(b.elector.state).toBe('standby');
    await rig.clock.advanceUntil(() => b.elector.state === 'leading');
    expect(rig.clock.monotonic() - editedAt).toBeGreaterThanOrEqual(15 * second);
  });

  test('after an event loop that was blocked for 12 s it counts as lost before any late timer fires', async () => {
    const a = rig.candidate('a');
    await rig.clock.advance(5 * second);
    const lead = a.lead;
    a.clock.block();
    await rig.clock.advance(12 * second);
    // User code goes on in the same turn in which the block ends.
    expect(lead?.isLeading).toBe(false);
    expect(() => lead?.timeForWrite()).toThrow(LeadershipLostError);
    expect(a.lost).toHaveLength(1);
    a.clock.unblock();
    await rig.clock.advance(3 * second);
    expect(a.end).toBeInstanceOf(LeadershipLostError);
    expect(a.lost).toHaveLength(1);
  });

  test('with onLost standby it stands again, once everything has ended', async () => {
    const ended = Promise.withResolvers<void>();
    const a = rig.candidate('a', { onLost: 'standby', stepDown: () => ended.promise });
    await rig.clock.settle();
    await rig.edit({ holderIdentity: 'other', leaseDurationSeconds: 3 });
    await rig.clock.advance(30 * second);
    expect(a.states.at(-1)).toBe('losing');
    ended.resolve();
    await rig.clock.advance(5 * second);
    expect(a.states).toEqual(['standby', 'acquiring', 'leading', 'losing', 'standby', 'acquiring', 'leading']);
    expect(a.end).toBeUndefined();
  });

  test('a lead that follows on one that was lost is another one', async () => {
    const a = rig.candidate('a', { onLost: 'standby' });
    await rig.clock.settle();
    const first = a.lead;
    await rig.edit({ holderIdentity: 'other', leaseDurationSeconds: 3 });
    await rig.clock.advance(10 * second);
    expect(a.elector.isLeading).toBe(true);
    expect(() => first?.timeForWrite()).toThrow(LeadershipLostError);
    expect(a.lead?.timeForWrite()).toBeGreaterThan(0);
  });
});

describe('giving it back', () => {
  test('with work that has not ended it is left to run out', async () => {
    const a = rig.candidate('a');
    await rig.clock.settle();
    await a.kill();
    await a.elector.leave(false, new AbortController().signal);
    expect(a.elector.state).toBe('left');
    expect((await rig.lease())?.spec.holderIdentity).toBe('a');
  });

  test('it is tried again after a conflict with an own write whose answer was cut off', async () => {
    const a = rig.candidate('a');
    await rig.clock.settle();
    rig.delaying = true;
    rig.server.faults.add({
      match: { resource: 'leases', verb: 'update', times: 1 },
      do: { action: 'delay', ms: 500, when: 'beforeAnswer' },
    });
    await rig.clock.advance(2.1 * second);
    await a.stop();
    expect(a.elector.state).toBe('released');
    expect((await rig.lease())?.spec.holderIdentity).toBe('');
  });

  test("somebody else's lease is left alone", async () => {
    const a = rig.candidate('a');
    await rig.clock.settle();
    const b = rig.candidate('b');
    await rig.clock.advance(2 * second);
    await b.stop();
    expect(b.elector.state).toBe('left');
    await rig.clock.advance(20 * second);
    expect(a.elector.isLeading).toBe(true);
  });

  test('a lease that is ours still is released after the lead was lost', async () => {
    const a = rig.candidate('a');
    await rig.clock.settle();
    const fault = rig.server.faults.add({ match: { resource: 'leases', verb: 'update' }, do: { action: 'reset' } });
    await rig.clock.advance(10 * second);
    expect(a.states.at(-1)).toBe('losing');
    fault.remove();
    await a.elector.leave(true, new AbortController().signal);
    expect(a.elector.state).toBe('released');
    expect((await rig.lease())?.spec.holderIdentity).toBe('');
  });
});

describe('clocks', () => {
  test('jumps of the wall clock change nothing for leader and standby', async () => {
    const a = rig.candidate('a');
    await rig.clock.settle();
    const b = rig.candidate('b');
    for (const jump of [600, -1_200, 86_400, -86_400 * 365, 0.001]) {
      a.clock.wallOffset += jump * second;
      await rig.clock.advance(7 * second);
      b.clock.wallOffset -= jump * second;
      await rig.clock.advance(7 * second);
    }
    expect([a.elector.state, b.elector.state]).toEqual(['leading', 'standby']);
    expect(a.lost).toEqual([]);
  });

  test('a wall clock that stands still is no reason to take over', async () => {
    const a = rig.candidate('a');
    await rig.clock.settle();
    const b = rig.candidate('b');
    const frozen = a.clock.now();
    a.clock.now = () => frozen;
    await rig.clock.advance(60 * second);
    expect([a.elector.state, b.elector.state]).toEqual(['leading', 'standby']);
  });

  test('durations of more than 24.8 days are waited for', async () => {
    const day = 86_400 * second;
    const long = { leaseDuration: 30 * day, renewDeadline: 29 * day, retryPeriod: 10 * day };
    const a = rig.candidate('a', long);
    await rig.clock.settle();
    const b = rig.candidate('b', long);
    await rig.clock.advance(11 * day);
    await a.kill();
    const died = rig.clock.monotonic();
    await rig.clock.advance(24 * day);
    expect(b.elector.state).toBe('standby');
    await rig.clock.advanceUntil(() => b.elector.state === 'leading', 40 * day);
    expect(rig.clock.monotonic() - died).toBeLessThanOrEqual(39 * day);
  });
});
