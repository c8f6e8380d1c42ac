import 'reflect-metadata';
import { HandlerContext, OnCreate, OnUpdate, ResourceHandlers } from 'nestjs-operator';
import { describe, expect, it } from 'vitest';
import { Widget } from '../../support/kinds.js';
import { openWorld } from './open-world.js';
import { ref } from './widgets.js';

describe('sub-handlers made from a list', () => {
  it('[TC-39] of any depth run once in every cycle, also after a failure of one, and leave no key behind', async () => {
    const world = await openWorld();
    const { api, clock } = world.stage;
    const leaves: string[] = [];
    let failing: string | undefined;
    @ResourceHandlers(Widget)
    class Items {
      @OnCreate()
      @OnUpdate()
      spread(ctx: HandlerContext<Widget>): void {
        for (const item of ctx.spec['items'] as string[]) {
          ctx.parts.add(item, (part) => {
            for (const side of ['left', 'right']) {
              part.parts.add(side, (leaf) => {
                const name = `${item}/${side}`;
                if (failing === name && leaf.retry === 0) throw new Error('once');
                leaves.push(name);
              });
            }
          });
        }
      }
    }
    const { settled } = await world.startOperator({ providers: [Items] });
    const cycle = async (items: readonly string[]): Promise<string[]> => {
      leaves.length = 0;
      const object = { metadata: { name: 'a', namespace: 'default' }, spec: { items } };
      await api.apply({ apiVersion: 'demo.example/v1', kind: 'Widget', ...object });
      await settled();
      await clock.advance(10_000);
      const annotations = (await api.get(ref('a')))!.metadata.annotations ?? {};
      expect(Object.keys(annotations)).toEqual(['test.example.com/nestjs-operator.widgets']);
      expect(Object.values(annotations).join()).not.toMatch(/spread\//);
      return [...leaves];
    };
    const all = (...items: string[]): string[] => items.flatMap((item) => [`${item}/left`, `${item}/right`]);
    expect(await cycle(['one'])).toEqual(all('one'));
    expect(await cycle(['one', 'two'])).toEqual(all('one', 'two'));
    expect(await cycle(['two'])).toEqual(all('two'));
    failing = 'three/left';
    expect((await cycle(['three', 'four'])).toSorted()).toEqual(all('three', 'four').toSorted());
    failing = undefined;
    expect(await cycle(['five', 'six'])).toEqual(all('five', 'six'));
    await world.expectQuiet();
  });
});
