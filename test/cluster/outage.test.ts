import 'reflect-metadata';
import { startControlPlane, type ControlPlane } from '@nestjs-operator/testing/control-plane';
import { afterAll, beforeAll } from 'vitest';
import { outageSuite, type OutageWorld } from '../e2e/suite/outage.suite.js';
import { createRealWorld } from '../support/real-world.js';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
});
afterAll(() => plane.stop());

outageSuite(async (): Promise<OutageWorld> => {
  const world = await createRealWorld(plane);
  return {
    ...world,
    restart: () => plane.restartApiServer(),
    async pause(milliseconds) {
      plane.pauseApiServer();
      try {
        await world.pass(milliseconds);
      } finally {
        plane.resumeApiServer();
      }
    },
    async compact() {
      await plane.compact();
    },
  };
});
