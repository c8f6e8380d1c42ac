/** A defect that the simulation has to find. It is planted into a copy of the engine only. */
export interface PlantedDefect {
  readonly name: string;
  /** Stands exactly once in the engine. */
  readonly find: string;
  /** What takes its place. `PLANTED` stands for the condition under which the defect is alive. */
  readonly plant: string;
  /** Some that have found it. */
  readonly seeds: readonly number[];
}

export const plantedDefects: readonly PlantedDefect[] = [
  {
    name: 'dropped relist deletion',
    seeds: [98, 270],
    find: 'if (covered) this.removeListed(key, entry, version);',
    plant: 'if (covered && !(PLANTED)) this.removeListed(key, entry, version);',
  },
  {
    name: 'echo swallowing a foreign change',
    seeds: [37, 350],
    find: '|| !equalOutside(base, prepared, options.written);',
    plant: '|| (!(PLANTED) && !equalOutside(base, prepared, options.written));',
  },
  {
    name: 'record written before status',
    seeds: [66, 115],
    find: 'return record?.statusLast === true ? steps.toReversed() : steps;',
    plant: 'return (record?.statusLast === true) !== (PLANTED) ? steps.toReversed() : steps;',
  },
  {
    name: 'tombstone without version',
    seeds: [576, 588],
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
    seeds: [32, 58],
    find: `decideChange(handler, progress, view)?.cause === 'delete' ||`,
    plant: `(!(PLANTED) && decideChange(handler, progress, view)?.cause === 'delete') ||`,
  },
  {
    name: '410 without relist',
    seeds: [37, 44],
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
    seeds: [40, 65],
    find: `    failures: (decision.attempt?.failures ?? 0) + 1,
    startedAt: times.startedAt,`,
    plant: `    failures: PLANTED ? 1 : (decision.attempt?.failures ?? 0) + 1,
    startedAt: times.startedAt,`,
  },
  {
    name: 'stale store read after an own write',
    seeds: [2, 12],
    find: `if (!this.isWhole(response)) return 'ignored';`,
    plant: `if (PLANTED || !this.isWhole(response)) return 'ignored';`,
  },
  {
    name: 'patch without a test of the version',
    seeds: [323, 484],
    find: 'const guarded = patch.functions.length > 0;',
    plant: 'const guarded = !(PLANTED) && patch.functions.length > 0;',
  },
  {
    name: 'slot not given back',
    seeds: [1, 4],
    find: 'if (slot.taken) freeSlot();',
    plant: `if (slot.taken && PLANTED && entry.state === 'waiting' && entry.due < this.#options.clock.monotonic() + 60_000) {
        // It waits for its time, and keeps the slot meanwhile and after.
      } else if (slot.taken) freeSlot();`,
  },
  {
    name: 'due entry lost at a restart',
    seeds: [58, 154],
    find: 'if (decision !== undefined) times.push(monotonic + Math.max(0, decision.at - view.now));',
    plant: `if (decision !== undefined && !(PLANTED && memory.initial && decision.attempt !== undefined)) {
          times.push(monotonic + Math.max(0, decision.at - view.now));
        }`,
  },
  {
    name: 'throttle never lifted',
    seeds: [7, 122],
    find: `return isStopping() ? undefined : { after: delay, priority: 'live' };`,
    plant: `return isStopping() || PLANTED ? undefined : { after: delay, priority: 'live' };`,
  },
];
