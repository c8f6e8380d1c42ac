import 'reflect-metadata';
import { createEmbeddedWorld } from '../support/embedded-world.js';
import { outageSuite, type OutageWorld } from './suite/outage.suite.js';

const downtime = 5_000;

outageSuite(async (): Promise<OutageWorld> => {
  const world = await createEmbeddedWorld();
  const { api } = world.stage;
  return {
    ...world,
    async restart() {
      await api.faults.refuseConnections(true);
      await world.pass(downtime);
      api.compact();
      await api.faults.refuseConnections(false);
    },
    async pause(milliseconds) {
      api.watches.cut({ how: 'stall' });
      const silence = api.faults.add({ do: { action: 'stall' } });
      await world.pass(milliseconds);
      silence.remove();
    },
    compact: () => Promise.resolve(api.compact()),
  };
});
