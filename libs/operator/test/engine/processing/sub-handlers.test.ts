import { afterEach, describe, expect, test } from 'vitest';
import { PermanentError } from '../../../src/errors/permanent.error.js';
import type { HandlerContext } from '../../../src/engine/handling/handler-context.js';
import type { StoredObject } from '../../../src/engine/kube-object.js';
import { gate, on, ProcessingRig, type RigOptions, type Run } from './rig.js';

let rig: ProcessingRig;
const start = (options: RigOptions): ProcessingRig => (rig = new ProcessingRig(options));
afterEach(() => rig.stop());

type Context = HandlerContext<StoredObject>;

let log: string[] = [];
const note = (text: string): void => void log.push(text);

/** A handler of everything that plans what it is given. */
const planning = (plan: (context: Context) => void, policy = {}): RigOptions => {
  log = [];
  const run: Run = (context) => {
    note(`parent ${context.cause}`);
    plan(context);
  };
  return { handlers: [{ id: 'parent', triggers: [on.create(), on.update(), on.delete()], policy, run }] };
};

const failing =
  (name: string, times: number) =>
  ({ retry }: Context): void => {
    note(`${name} ${retry}`);
    if (retry < times) throw new Error('not yet');
  };

describe('parts of a handler', () => {
  test('are called in order when it has returned, with its cause, and their results go out with its own', async () => {
    start(
      planning(({ parts }) => {
        parts.add('one', (context: Context) => {
          note(`one ${context.cause}`);
          return { one: 1 };
        });
        parts.addAll({ two: () => note('two'), three: () => note('three') });
        parts.addAll([['four', () => note('four')]]);
        parts.addAll(new Map([['five', () => note('five')]]));
      }),
    );
    await rig.create({ spec: { size: 1 } });
    expect(log).toEqual(['parent create', 'one create', 'two', 'three', 'four', 'five']);
    expect(rig.object['status']).toEqual({ one: 1 });
    // The finalizer, the status, the record: no part costs a request of its own.
    expect(rig.server.writes).toHaveLength(3);
    expect(JSON.stringify(rig.record)).not.toContain('parent/');
  });

  test('have attempts of their own; what is done is not repeated, and the handler plans anew in each round', async () => {
    start(
      planning(({ parts }) => {
        parts.add('done', () => note('done'));
        parts.add('slow', failing('slow', 2), { backoff: 500 });
      }),
    );
    await rig.create();
    await rig.advance(500);
    await rig.advance(500);
    await rig.advance(60_000);
    expect(log).toEqual(['parent create', 'done', 'slow 0', 'parent create', 'slow 1', 'parent create', 'slow 2']);
    expect(rig.events.map(({ reason }) => reason)).toEqual(['HandlerFailed']);
  });

  test('keep their progress over a restart', async () => {
    const options = planning(({ parts }) => {
      parts.add('done', () => note('done'));
      parts.add('slow', failing('slow', 1), { backoff: 500 });
    });
    start(options);
    await rig.create();
    expect(Object.keys((rig.record as { h: object }).h)).toEqual(['parent', 'parent/done', 'parent/slow']);
    const { server } = rig;
    await rig.stop();
    start({ ...options, server });
    await rig.list();
    await rig.advance(500);
    expect(log).toEqual(['parent create', 'done', 'slow 0', 'parent create', 'slow 1']);
    expect(JSON.stringify(rig.record)).not.toContain('parent/');
  });

  test('can be nested at any depth', async () => {
    start(
      planning(({ parts }) => {
        parts.add('a', (inner: Context) => {
          note('a');
          inner.parts.add('b', (innermost: Context) => {
            note('a/b');
            innermost.parts.add('c', failing('a/b/c', 1), { backoff: 500 });
          });
        });
        parts.add('z', () => note('z'));
      }),
    );
    await rig.create();
    expect(Object.keys((rig.record as { h: object }).h)).toContain('parent/a/b/c');
    await rig.advance(500);
    await rig.advance(60_000);
    expect(log).toEqual(['parent create', 'a', 'a/b', 'a/b/c 0', 'z', 'parent create', 'a', 'a/b', 'a/b/c 1']);
    expect(JSON.stringify(rig.record)).not.toContain('parent/');
  });

  test('follow the plan of each round: what is planned no more is forgotten, what is new is called', async () => {
    let round = 0;
    start(
      planning(({ parts }) => {
        round += 1;
        if (round === 1) parts.add('old', failing('old', 9), { backoff: 500 });
        else parts.add('new', () => note('new'));
      }),
    );
    await rig.create();
    await rig.advance(60_000);
    expect(log).toEqual(['parent create', 'old 0', 'parent create', 'new']);
    expect(JSON.stringify(rig.record)).not.toContain('parent/');
  });

  test('run again for a change that comes between two rounds', async () => {
    start(
      planning(({ parts, spec }) => {
        const { size } = spec as { size: number };
        parts.add('sized', () => note(`sized ${size}`));
        parts.add('slow', failing('slow', 1), { backoff: 5_000 });
      }),
    );
    await rig.create({ spec: { size: 1 } });
    await rig.change({ spec: { size: 2 } });
    await rig.advance(60_000);
    expect(log.filter((line) => line.startsWith('sized'))).toEqual(['sized 1', 'sized 2']);
    expect(log.filter((line) => line.startsWith('slow'))).toEqual(['slow 0', 'slow 0', 'slow 1']);
    // Nothing is left to be handled as a change.
    log.length = 0;
    await rig.advance(60_000);
    expect(log).toEqual([]);
  });

  test('that failed for good do not hold back the handler', async () => {
    start(
      planning(({ parts }) => {
        parts.add('bad', () => {
          note('bad');
          throw new PermanentError('never');
        });
        parts.add('good', () => note('good'));
      }),
    );
    await rig.create();
    await rig.advance(60_000);
    expect(log).toEqual(['parent create', 'bad', 'good']);
    expect(rig.events.map(({ reason, message }) => [reason, message])).toEqual([
      ['HandlerGaveUp', 'parent/bad: never'],
    ]);
  });

  test('of a deletion hold the object until they are done', async () => {
    start(
      planning(({ parts, deleting }) => {
        if (!deleting) return;
        parts.add('done', () => note('done'));
        parts.add('slow', failing('slow', 1), { backoff: 500 });
      }),
    );
    await rig.create();
    await rig.delete();
    expect(rig.object.metadata.finalizers).toEqual(['op.example/finalizer']);
    await rig.advance(500);
    expect(log).toEqual(['parent create', 'parent delete', 'done', 'slow 0', 'parent delete', 'slow 1']);
    expect(rig.server.objects.get(rig.key)?.metadata.finalizers ?? []).toEqual([]);
  });

  test('of a resumption keep their progress in memory', async () => {
    log = [];
    const run: Run = ({ parts, cause }) => {
      note(`parent ${cause}`);
      if (cause !== 'resume') return;
      parts.add('done', () => note('done'));
      parts.add('slow', failing('slow', 1), { backoff: 500 });
    };
    const options: RigOptions = { handlers: [{ id: 'parent', triggers: [on.create(), on.resume()], run }] };
    start(options);
    await rig.create();
    const { server } = rig;
    await rig.stop();
    start({ ...options, server });
    await rig.list();
    await rig.advance(60_000);
    expect(log).toEqual(['parent create', 'parent resume', 'done', 'slow 0', 'parent resume', 'slow 1']);
  });

  test('are recorded while a later one takes its time', async () => {
    const { promise, open } = gate();
    start(
      planning(({ parts }) => {
        parts.add('quick', () => ({ quick: true }));
        parts.add('slow', () => promise);
      }),
    );
    await rig.create();
    await rig.advance(1_500);
    expect(rig.object['status']).toEqual({ quick: true });
    expect(JSON.stringify(rig.record)).toContain('parent/quick');
    open();
    await rig.settle();
    expect(JSON.stringify(rig.record)).not.toContain('parent/');
  });

  test('have names of their own, and are refused where no progress is kept', async () => {
    const refused: unknown[] = [];
    const attempt = (act: () => void): void => {
      try {
        act();
      } catch (error) {
        refused.push((error as Error).message);
      }
    };
    log = [];
    start({
      handlers: [
        {
          id: 'parent',
          triggers: [on.create()],
          run: ({ parts }) => {
            parts.add('one', () => undefined);
            attempt(() => parts.add('one', () => undefined));
            attempt(() => parts.add('a/b', () => undefined));
            attempt(() => parts.add('two', () => undefined, { retries: 0 }));
          },
        },
        { id: 'level', triggers: [on.reconcile()], run: ({ parts }) => attempt(() => parts.add('x', () => undefined)) },
      ],
    });
    await rig.create();
    expect(refused).toEqual([
      expect.stringContaining('"one" already'),
      expect.stringContaining('"a/b" is no name'),
      expect.stringContaining('"retries"'),
      expect.stringContaining('others keep no progress'),
    ]);
  });
});
