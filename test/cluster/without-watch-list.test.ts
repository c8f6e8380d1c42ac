import 'reflect-metadata';
import { startControlPlane, type ControlPlane } from '@nestjs-operator/testing/control-plane';
import { afterAll, beforeAll } from 'vitest';
import { lifecycleSuite } from '../e2e/suite/lifecycle.suite.js';
import { createRealWorld } from '../support/real-world.js';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ featureGates: { WatchList: false } });
});
afterAll(() => plane.stop());

lifecycleSuite(() => createRealWorld(plane));
