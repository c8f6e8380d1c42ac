import type { Logger } from '../ports/index.js';
import { compareVersions } from './resource-version.js';

/** How far a watch has come. */
export class WatchProgress {
  readonly #logger: Logger;
  readonly #listeners = new Set<() => void>();
  #version: string | undefined;
  #lists = 0;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Where a watch goes on. `undefined` until a list was applied. */
  get version(): string | undefined {
    return this.#version;
  }

  /** Lists that were applied. */
  get lists(): number {
    return this.#lists;
  }

  /** Calls the listener when the watch has come further. Returns what ends that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  listed(version: string): void {
    this.#lists += 1;
    this.#reach(version);
  }

  /** The resume point never goes back: an event behind a bookmark is an oddity of the server. */
  move(version: string): void {
    const order = this.#version === undefined ? undefined : compareVersions(version, this.#version);
    if (order !== undefined && order < 0) {
      this.#logger.log('debug', 'Event behind the version already reached', { version, reached: this.#version });
      return;
    }
    this.#reach(version);
  }

  forget(): void {
    this.#version = undefined;
  }

  #reach(version: string): void {
    this.#version = version;
    for (const listener of this.#listeners) listener();
  }
}
