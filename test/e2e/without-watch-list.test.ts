import 'reflect-metadata';
import { createEmbeddedWorld } from '../support/embedded-world.js';
import type { World } from '../support/world.js';
import { lifecycleSuite } from './suite/lifecycle.suite.js';

/** The embedded server always offers lists as watches; here the operator does without. */
lifecycleSuite(async (): Promise<World> => {
  const world = await createEmbeddedWorld();
  return {
    ...world,
    startOperator: (spec) =>
      world.startOperator({ ...spec, operator: { ...spec.operator, watching: { watchList: false } } }),
  };
});
