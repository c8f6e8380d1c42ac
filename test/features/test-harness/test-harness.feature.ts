import { afterAll, describe, expect, test } from 'vitest';
import { OpenWorlds } from '../../support/open-worlds.js';
import { Widget } from '../../support/widget.js';
import type { World } from '../../support/world.js';
import { WidgetHandlers } from './operator.js';

/** An operator under test: in the test's own process, with its log, its state and its end in the test's hand. */
export function testHarnessFeature(createWorld: () => Promise<World>): void {
  describe('test harness', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('shows what the operator logs, and that it neither died at the start nor later', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const { operator, logs, exit, close } = await world.startOperator({ providers: [WidgetHandlers] });
      expect(operator.getStatus().state).toBe('running');
      await admin.create(Widget, { metadata: { name: 'a', namespace }, spec: { size: 3 } });
      await world.until(() => logs.find({ message: 'A widget was made' }).length === 1);
      const [line] = logs.find({ message: 'A widget was made' });
      expect(line).toMatchObject({
        level: 'info',
        fields: { size: 3, key: `${namespace}/a`, handler: 'WidgetHandlers.greet' },
      });
      await close();
      await operator.done;
      expect(operator.getStatus().state).toBe('stopped');
      expect([exit.code, exit.exits]).toEqual([undefined, []]);
      expect(logs.find({ level: 'error' })).toEqual([]);
    });

    test('shows that it died, and why', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const { operator, logs, exit } = await world.startOperator({ providers: [WidgetHandlers] });
      await admin.create(Widget, { metadata: { name: 'broken', namespace }, spec: {} });
      await world.until(() => exit.exits.length > 0);
      expect(exit.exits).toEqual([1]);
      expect(operator.getStatus().state).toBe('failed');
      const chain: string[] = [];
      for (
        let error: unknown = await operator.done.catch((failure: unknown) => failure);
        error instanceof Error;
        error = error.cause
      ) {
        chain.push(error.message);
      }
      expect(chain.at(-1)).toBe('this is the end');
      expect(logs.find({ level: 'error' }).length).toBeGreaterThan(0);
    });
  });
}
