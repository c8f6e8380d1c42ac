import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Fault, FaultAction } from '@nestjs-operator/apiserver';
import { ReflectorRig } from './reflector-rig.js';

let rig: ReflectorRig;

beforeEach(async () => {
  rig = await ReflectorRig.create();
});

afterEach(() => rig.close());

const once = (todo: FaultAction | readonly FaultAction[]): Fault => ({
  match: { verb: 'watch', resource: 'configmaps', times: 1 },
  do: todo,
});

/** The stream that runs ends, and the next one meets the fault. */
async function nextStreamMeets(todo: FaultAction | readonly FaultAction[]): Promise<void> {
  const fault = rig.api.faults.add(once(todo));
  rig.api.watches.cut({ how: 'end' });
  await rig.until(() => fault.hits === 1);
}

describe('a reflector, before its stream', () => {
  it('loses nothing when the answer comes late, or never comes', async () => {
    await rig.start({}, { timeout: 300 });
    await nextStreamMeets({ action: 'delay', ms: 100, when: 'beforeAnswer' });
    await rig.put('a', '1');
    await rig.converged();
    // Headers that never come are waited for as long as any answer.
    await nextStreamMeets({ action: 'delay', ms: 3_600_000, when: 'beforeAnswer' });
    await rig.put('a', '2');
    await rig.converged();
    expect(rig.news()).toEqual(['added a', 'modified a']);
    expect(rig.asked).not.toContain('list');
  });

  it('waits as long as 429 and 503 ask it to, in both forms of their body', async () => {
    await rig.start();
    const begun = performance.now();
    rig.api.faults.add(once({ action: 'answer', status: 503, retryAfter: 1 }));
    await nextStreamMeets({ action: 'answer', status: 429, retryAfter: 1, body: 'Too many requests' });
    await rig.put('a', '1');
    await rig.converged();
    expect(performance.now() - begun).toBeGreaterThanOrEqual(1_000);
    expect(rig.asked).not.toContain('list');
  });
});

describe('a reflector, within its stream', () => {
  it.each<[string, FaultAction]>([
    ['cut in the middle of a line', { action: 'cut', afterBytes: 300 }],
    ['closed in the middle of a line', { action: 'cut', afterBytes: 300, how: 'close' }],
    ['ended', { action: 'endStream', afterEvents: 1 }],
    ['stalled for a while', { action: 'stall', afterEvents: 1, ms: 50 }],
    ['half-open', { action: 'stall', afterEvents: 1 }],
    ['half-open in the middle of a line', { action: 'stall', afterBytes: 300 }],
    ['doubled', { action: 'duplicateEvents' }],
    ['in pieces of one byte', { action: 'rechunk', bytes: 1 }],
  ])('handles each change once when it is %s, and needs no list', async (_, todo) => {
    await rig.start({ silence: 200 });
    await nextStreamMeets(todo);
    for (const name of ['a', 'b', 'c']) await rig.put(name, '1');
    await rig.remove('a');
    await rig.converged();
    expect(rig.news().filter((change) => !change.endsWith(' a'))).toEqual(['added b', 'added c']);
    expect(rig.asked).not.toContain('list');
  });

  it.each<[string, FaultAction]>([
    ['half a line', { action: 'corrupt', events: { nth: 2, times: 1 } }],
    ['a line with a wrong byte', { action: 'corrupt', how: 'garble', events: { nth: 2, times: 1 } }],
    ['an event type that nobody knows', { action: 'changeEvents', type: 'BOGUS', events: { nth: 2, times: 1 } }],
    [
      'an ERROR event',
      { action: 'inject', line: { type: 'ERROR', object: { kind: 'Status', code: 500 } }, afterEvents: 1 },
    ],
    ['410', { action: 'expire', afterEvents: 1 }],
  ])('skips nothing when it meets %s: it reads everything anew', async (_, todo) => {
    await rig.start({ watchList: false });
    const lists = (): number => rig.asked.filter((verb) => verb === 'list').length;
    const before = lists();
    await nextStreamMeets(todo);
    for (const name of ['a', 'b', 'c']) await rig.put(name, '1');
    await rig.converged();
    expect(rig.news()).toEqual(['added a', 'added b', 'added c']);
    await rig.until(() => lists() === before + 1);
  });

  it('takes no object of another kind for one of its own', async () => {
    await rig.start();
    await nextStreamMeets({
      action: 'changeEvents',
      object: (object) => ({ ...object, kind: 'Secret' }),
      events: { name: 'a', times: 1 },
    });
    await rig.put('a', 'foreign');
    await rig.put('b', '1');
    await rig.until(() => rig.changes.length > 0);
    expect(rig.news()).toEqual(['added b']);
    // What it stood in for comes with the next change, or the next list.
    await rig.put('a', '2');
    await rig.converged();
  });

  it('does not go back when events of one object come in the wrong order', async () => {
    await rig.start();
    await nextStreamMeets({ action: 'reorderEvents', events: { name: 'a', nth: 2, times: 1 } });
    for (const value of ['1', '2', '3']) await rig.put('a', value);
    await rig.put('end', '');
    await rig.until(() =>
      rig.changes.some((change) => change.type !== 'removed' && change.object.metadata.name === 'end'),
    );
    expect(await rig.isEqual()).toBe(true);
    expect(rig.news()).toEqual(['added a', 'modified a', 'added end']);
  });

  it('cannot see that an event was dropped, and is right again after the next list', async () => {
    await rig.start();
    await nextStreamMeets({ action: 'dropEvents', events: { name: 'a' } });
    await rig.put('a', '1');
    await rig.put('b', '1');
    await rig.until(() => rig.changes.length > 0);
    expect(await rig.isEqual()).toBe(false);
    rig.api.faults.add(once({ action: 'expire' }));
    rig.api.watches.cut({ how: 'end' });
    await rig.converged();
    expect(rig.news()).toEqual(['added b', 'added a']);
  });
});

describe('a reflector, while it reads the whole state', () => {
  it('reads pages when the end of the initial events has no mark', async () => {
    await rig.put('a', '1');
    rig.api.faults.add({ match: { verb: 'watch' }, do: { action: 'omitInitialEventsEnd' } });
    await rig.start({ silence: 200 });
    expect(rig.asked).toContain('list');
    expect(rig.news()).toEqual(['added a']);
  });

  it('begins anew when a page is too old', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await rig.put(name, '1');
    const where = ({ query }: { query: URLSearchParams }): boolean => query.has('continue');
    const fault = rig.api.faults.add({ match: { verb: 'list', where, times: 1 }, do: { action: 'expire' } });
    await rig.start({ watchList: false, pageSize: 2 });
    expect(fault.hits).toBe(1);
    expect(await rig.isEqual()).toBe(true);
    expect(rig.news().toSorted()).toEqual(['added a', 'added b', 'added c', 'added d', 'added e']);
  });

  it('is not taken back in time by an old list', async () => {
    await rig.start({ watchList: false });
    await rig.put('a', '1');
    await rig.converged();
    const then = rig.api.store.revision;
    await rig.put('b', '1');
    await rig.remove('a');
    await rig.converged();
    rig.news();
    const old = rig.api.faults.add({ match: { verb: 'list', times: 1 }, do: { action: 'stale', revision: then } });
    rig.api.faults.add(once({ action: 'expire' }));
    rig.api.watches.cut({ how: 'end' });
    await rig.until(() => old.hits === 1 && rig.api.watches.list().length === 1);
    await rig.put('c', '1');
    await rig.converged();
    expect(rig.news()).toEqual(['added c']);
  });

  it.each<FaultAction>([
    { action: 'corrupt' },
    { action: 'corrupt', how: 'garble' },
    { action: 'cut', afterBytes: 100 },
    { action: 'cut', afterBytes: 100, how: 'close' },
    { action: 'expire' },
  ])('asks again for a list that was broken: %o', async (todo) => {
    await rig.put('a', '1');
    const fault = rig.api.faults.add({ match: { verb: 'list', times: 2 }, do: todo });
    await rig.start({ watchList: false });
    expect(fault.hits).toBe(2);
    expect(rig.news()).toEqual(['added a']);
  });
});

describe('a reflector, whatever chance brings', () => {
  it('ends equal to the server once the faults are gone', async () => {
    await rig.start({ silence: 150, pageSize: 3 });
    const { faults } = rig.api;
    const watch = { verb: 'watch', probability: 0.6 } as const;
    const added = [
      faults.add({ match: watch, do: { action: 'cut', afterBytes: 700 } }),
      faults.add({ match: watch, do: { action: 'duplicateEvents', events: { probability: 0.2 } } }),
      faults.add({ match: watch, do: { action: 'reorderEvents', events: { probability: 0.2 } } }),
      faults.add({ match: watch, do: { action: 'stall', afterEvents: 4 } }),
      faults.add({ match: watch, do: { action: 'expire', afterEvents: 5 } }),
      faults.add({ match: watch, do: { action: 'endStream', afterEvents: 6 } }),
      faults.add({ match: { ...watch, probability: 0.1 }, do: { action: 'omitInitialEventsEnd' } }),
      faults.add({ match: { verb: 'list', probability: 0.6 }, do: { action: 'answer', status: 500 } }),
      faults.add({ match: { verb: 'list', probability: 0.6 }, do: { action: 'expire' } }),
    ];
    for (let round = 0; round < 250; round++) {
      await rig.put(`n${round % 7}`, String(round));
      if (round % 5 === 0) await rig.remove(`n${round % 7}`);
      if (round % 10 === 0) {
        const before = rig.asked.length;
        if (rig.api.watches.cut({ how: 'end' }) > 0) await rig.until(() => rig.asked.length > before);
      }
    }
    expect(added.reduce((sum, { hits }) => sum + hits, 0)).toBeGreaterThan(10);
    faults.clear();
    rig.api.watches.cut({ how: 'end' });
    await rig.converged();
  });
});
