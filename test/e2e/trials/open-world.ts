import { onTestFinished } from 'vitest';
import { createEmbeddedWorld, type EmbeddedWorld } from '../../support/embedded-world.js';

/** An embedded world for this test alone. */
export async function openWorld(...options: Parameters<typeof createEmbeddedWorld>): Promise<EmbeddedWorld> {
  const world = await createEmbeddedWorld(...options);
  onTestFinished(() => world.close());
  return world;
}
