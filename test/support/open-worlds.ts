import type { World } from './world.js';

/** The worlds of one suite. They stay open until its end, so that one quiet check does for all their operators. */
export class OpenWorlds<W extends World = World> {
  readonly #worlds: W[] = [];

  constructor(private readonly createWorld: () => Promise<W>) {}

  async open(): Promise<W> {
    const world = await this.createWorld();
    this.#worlds.push(world);
    return world;
  }

  /** Fails if any operator writes anything in the next 30 seconds. Call it last. */
  async expectQuiet(): Promise<void> {
    await Promise.all(this.#worlds.map((world) => world.expectQuiet()));
  }

  async close(): Promise<void> {
    for (const world of this.#worlds) await world.close();
  }
}
