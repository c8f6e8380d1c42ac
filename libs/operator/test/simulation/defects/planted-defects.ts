/** A defect that the simulation has to find. It is planted into a copy of the engine only. */
export interface PlantedDefect {
  readonly name: string;
  /** Below `engine`. */
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  /** What takes its place. `PLANTED` stands for the condition under which the defect is alive. */
  readonly plant: string;
  /** Some that have found it. */
  readonly seeds: readonly number[];
}

export const plantedDefects: readonly PlantedDefect[] = [
  {
    name: 'dropped relist deletion',
    seeds: [49],
    file: 'watching/store-scope.ts',
    find: 'if (covered) this.removeListed(key, entry, version);',
    plant: 'if (covered && !(PLANTED)) this.removeListed(key, entry, version);',
  },
  {
    name: 'echo swallowing a foreign change',
    seeds: [350],
    file: 'watching/object-store.ts',
    find: 'const foreign = base === undefined || !equalOutside(base, prepared, options.written);',
    plant: 'const foreign = !(PLANTED) && (base === undefined || !equalOutside(base, prepared, options.written));',
  },
  {
    name: 'record written before status',
    seeds: [15],
    file: 'processing/object-writer.ts',
    find: `    if (this.#options.resource().subresources.status && 'status' in wanted) {`,
    plant: `    if (PLANTED && annotations !== undefined && this.#options.resource().subresources.status && 'status' in wanted) {
      const early = { ...withAnnotations({}, base, annotations), };
      const metadata = { ...(early['metadata'] as JsonObject | undefined), ...guard };
      const response = await this.#patch(base, { patchType: 'merge', body: { metadata } }, undefined, signal);
      this.#options.store.writeThrough(response, { base, written: early });
      base = this.#options.store.get(key) ?? response;
    }
    if (this.#options.resource().subresources.status && 'status' in wanted) {`,
  },
  {
    name: 'tombstone without version',
    seeds: [96],
    file: 'watching/store-scope.ts',
    find: `    if (tombstone.final && tombstone.uid === uid) return false;
    const order = compareVersions(version, tombstone.version);
    return order === undefined || order > 0;`,
    plant: `    if (PLANTED) return true;
    if (tombstone.final && tombstone.uid === uid) return false;
    const order = compareVersions(version, tombstone.version);
    return order === undefined || order > 0;`,
  },
  {
    name: 'finalizer removed before the deletion handler',
    seeds: [32],
    file: 'processing/object-cycle.ts',
    find: `decideChange(handler, progress, view)?.cause === 'delete' ||`,
    plant: `(!(PLANTED) && decideChange(handler, progress, view)?.cause === 'delete') ||`,
  },
  {
    name: '410 without relist',
    seeds: [39],
    file: 'watching/watch-judge.ts',
    find: `return this.retryLater('gone', 'watch', error, { do: 'list', from: again.do === 'list' ? 'unset' : 'last' });`,
    plant: `return this.retryLater(
        'gone',
        'watch',
        error,
        PLANTED ? again : { do: 'list', from: again.do === 'list' ? 'unset' : 'last' },
      );`,
  },
  {
    name: 'retry counter reset',
    seeds: [7],
    file: 'processing/change-outcome.ts',
    find: 'failures: (decision.attempt?.failures ?? 0) + 1,',
    plant: 'failures: PLANTED ? 1 : (decision.attempt?.failures ?? 0) + 1,',
  },
  {
    name: 'stale store read after an own write',
    seeds: [7],
    file: 'watching/object-store.ts',
    find: `if (!this.isWhole(response)) return 'ignored';`,
    plant: `if (PLANTED || !this.isWhole(response)) return 'ignored';`,
  },
  {
    name: 'patch without a test of the version',
    seeds: [877],
    file: 'processing/object-writer.ts',
    find: 'const guarded = patch.functions.length > 0;',
    plant: 'const guarded = !(PLANTED) && patch.functions.length > 0;',
  },
  {
    name: 'slot not given back',
    seeds: [1],
    file: 'queueing/work-queue.ts',
    find: 'if (slot.taken) freeSlot();',
    plant: `if (slot.taken && PLANTED && entry.state === 'waiting' && entry.due < this.#options.clock.monotonic() + 60_000) {
        // It waits for its time, and keeps the slot meanwhile and after.
      } else if (slot.taken) freeSlot();`,
  },
  {
    name: 'due entry lost at a restart',
    seeds: [154],
    file: 'processing/object-cycle.ts',
    find: 'if (decision !== undefined) times.push(monotonic + Math.max(0, decision.at - view.now));',
    plant: `if (decision !== undefined && !(PLANTED && memory.initial && decision.attempt !== undefined)) {
          times.push(monotonic + Math.max(0, decision.at - view.now));
        }`,
  },
  {
    name: 'throttle never lifted',
    seeds: [7],
    file: 'processing/resource-processor.ts',
    find: `return isStopping() ? undefined : { after: delay, priority: 'live' };`,
    plant: `return isStopping() || PLANTED ? undefined : { after: delay, priority: 'live' };`,
  },
];
