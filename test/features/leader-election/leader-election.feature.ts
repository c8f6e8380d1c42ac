import { afterAll, describe, expect, test } from 'vitest';
import { OpenWorlds } from '../../support/open-worlds.js';
import { Widget } from '../../support/widget.js';
import type { RunningOperator, World } from '../../support/world.js';
import { election, WidgetHandlers } from './operator.js';

/** Several replicas, of which one works at a time: the others follow what it does, and one of them takes over when it ends. */
export function leaderElectionFeature(createWorld: () => Promise<World>): void {
  describe('leader-election', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    const linesOf = ({ module }: RunningOperator): string[] => module.get(WidgetHandlers).lines;
    const stateOf = ({ operator }: RunningOperator): string => operator.getStatus().leadership.state;

    test('one replica works; when it ends, another one goes on where it was, and does nothing twice', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = (name: string) => ({ name, namespace });
      const start = (identity: string): Promise<RunningOperator> =>
        world.startOperator({ providers: [WidgetHandlers], operator: election(identity, namespace) });
      const first = await start('first');
      const second = await start('second');
      expect([stateOf(first), stateOf(second)]).toEqual(['leading', 'standby']);
      await admin.create(Widget, { metadata: ref('a'), spec: { size: 1 } });
      await world.until(() => linesOf(first).length === 1);
      await world.pass(2_000);
      expect(linesOf(second)).toEqual([]);

      await first.close();
      await admin.patch(Widget, ref('a'), { spec: { size: 2 } });
      await admin.create(Widget, { metadata: ref('b'), spec: { size: 3 } });
      await world.until(() => linesOf(second).length === 2);
      expect(stateOf(second)).toBe('leading');
      await world.pass(2_000);
      expect(linesOf(first)).toEqual(['create a 1']);
      expect(linesOf(second).toSorted()).toEqual(['create b 3', 'update a 2']);
    });
  });
}
