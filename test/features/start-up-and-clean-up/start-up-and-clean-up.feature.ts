import { afterAll, describe, expect, test } from 'vitest';
import { OpenWorlds } from '../../support/open-worlds.js';
import { Widget } from '../../support/widget.js';
import type { World } from '../../support/world.js';
import { CondemnedWarehouse, Storekeeper, Warehouse } from './operator.js';

/** What is done once before anything is watched, with retries, and once after the last handler has ended. */
export function startUpAndCleanUpFeature(createWorld: () => Promise<World>): void {
  describe('start-up and clean-up', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('start-up steps are repeated until they succeed, before any request; clean-up comes last', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      await admin.create(Widget, { metadata: { name: 'old', namespace }, spec: {} });
      const running = await world.startOperator({ providers: [Warehouse, Storekeeper], synced: false });
      const warehouse = running.module.get(Warehouse);
      await world.until(() => warehouse.journal.length === 4);
      expect(warehouse.journal).toEqual([
        'unlock',
        'open gates, attempt 1',
        'open gates, attempt 2',
        'open gates, attempt 3',
      ]);
      expect(running.transport.sent).toEqual([]);
      await world.until(() => warehouse.shelves.has('old'));
      await admin.create(Widget, { metadata: { name: 'new', namespace }, spec: {} });
      await world.until(() => warehouse.shelves.size === 2);
      await running.close();
      expect(warehouse.journal.slice(4)).toEqual(['open gates, attempt 4', 'store old', 'store new', 'clear 2']);
      expect(running.exit.exits).toEqual([]);
    });

    test('a step that fails for good fails the start, before any request', async () => {
      const world = await worlds.open();
      const providers = [{ provide: Warehouse, useClass: CondemnedWarehouse }, Storekeeper];
      const { operator, exit, transport, module } = await world.startOperator({ providers, synced: false });
      await world.until(() => exit.exits.length > 0);
      expect(exit.exits).toEqual([1]);
      expect(transport.sent).toEqual([]);
      await expect(operator.done).rejects.toMatchObject({ code: 'OPERATOR_FAILED' });
      // Its own start-up did not succeed, so there is nothing of it to clean up.
      expect(module.get<Warehouse>(Warehouse).journal.filter((entry) => entry.startsWith('clear'))).toEqual([]);
    });
  });
}
