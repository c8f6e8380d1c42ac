import { describe, expect, it } from 'vitest';
import type { HandlerFact } from '../../../src/engine/engine-observer.js';
import { ObserverHub } from '../../../src/engine/observing/observer-hub.js';
import { runWithin } from '../../../src/engine/observing/run-within.js';
import { createLogger, type LogRecord } from '../../../src/engine/ports/index.js';

const call: HandlerFact = {
  handler: 'ensure',
  origin: 'Widgets.ensure',
  resource: 'widgets.v1.demo.example',
  key: 'a/one' as HandlerFact['key'],
  cause: 'create',
  attempt: 1,
};

function hub(): { readonly hub: ObserverHub; readonly records: LogRecord[] } {
  const records: LogRecord[] = [];
  return { hub: new ObserverHub(createLogger((record) => records.push(record))), records };
}

describe('an observer hub', () => {
  it('has only the methods that somebody has, and loses them with the last one', () => {
    const { hub: one } = hub();
    expect(Object.keys(one.observer)).toEqual([]);
    const first = one.add('first', { onSynced: () => undefined, onQueueAdd: () => undefined });
    const second = one.add('second', { onSynced: () => undefined });
    expect(Object.keys(one.observer).sort()).toEqual(['onQueueAdd', 'onSynced']);
    first();
    expect(Object.keys(one.observer)).toEqual(['onSynced']);
    second();
    expect(Object.keys(one.observer)).toEqual([]);
  });

  it('tells everybody in the order in which they came, and keeps each one its own this', () => {
    const { hub: one } = hub();
    const heard: string[] = [];
    class Listener {
      constructor(private readonly name: string) {}
      onQueueAdd(resource: string): void {
        heard.push(`${this.name} ${resource}`);
      }
    }
    one.add('first', new Listener('first'));
    one.observer.onQueueAdd?.('alone');
    one.add('second', new Listener('second'));
    one.observer.onQueueAdd?.('both');
    expect(heard).toEqual(['first alone', 'first both', 'second both']);
  });

  it('is disturbed by none that throws, and says so once for each of its methods', () => {
    const { hub: one, records } = hub();
    const heard: string[] = [];
    one.add('bad', {
      onQueueAdd: () => {
        throw new Error('no');
      },
      onSynced: () => {
        throw new Error('no');
      },
    });
    one.add('good', { onQueueAdd: (resource) => heard.push(resource) });
    one.observer.onQueueAdd?.('a');
    one.observer.onQueueAdd?.('b');
    one.observer.onSynced?.();
    expect(heard).toEqual(['a', 'b']);
    expect(records.map(({ level, message, fields }) => [level, message, fields])).toEqual([
      ['warn', 'An observer failed', { observer: 'bad', method: 'onQueueAdd' }],
      ['debug', 'An observer failed', { observer: 'bad', method: 'onQueueAdd' }],
      ['warn', 'An observer failed', { observer: 'bad', method: 'onSynced' }],
    ]);
  });

  it('lays contexts one inside the other around the work', async () => {
    const { hub: one } = hub();
    const order: string[] = [];
    for (const name of ['outer', 'inner']) {
      one.add(name, {
        withinHandler: (_, work) => {
          order.push(`${name} in`);
          work();
          order.push(`${name} out`);
        },
      });
    }
    const within = (fact: HandlerFact, work: () => void): void => one.observer.withinHandler?.(fact, work);
    const result = await runWithin(within, call, async () => {
      order.push('work');
      return 7;
    });
    expect(result).toBe(7);
    expect(order).toEqual(['outer in', 'inner in', 'work', 'inner out', 'outer out']);
  });

  it.each([
    [
      'throws before the work',
      () => {
        throw new Error('before');
      },
    ],
    [
      'throws after the work',
      (_: unknown, work: () => void) => {
        work();
        throw new Error('after');
      },
    ],
    ['forgets the work', () => undefined],
    [
      'does the work twice',
      (_: unknown, work: () => void) => {
        work();
        work();
      },
    ],
  ])('has the work done once, and its failure handed on, beside an observer that %s', async (_, withinHandler) => {
    const { hub: one } = hub();
    let calls = 0;
    one.add('good', { withinHandler: (__, work) => work() });
    one.add('bad', { withinHandler });
    const within = (fact: HandlerFact, work: () => void): void => one.observer.withinHandler?.(fact, work);
    const done = runWithin(within, call, async () => {
      calls += 1;
      await Promise.resolve();
      throw new Error('its own');
    });
    await expect(done).rejects.toThrow('its own');
    expect(calls).toBe(1);
  });
});
