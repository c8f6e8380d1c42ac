import type { SeededRandom } from '../world/seeded-random.js';

export const handlerIds = [
  'byState',
  'seen',
  'ensure',
  'sized',
  'append',
  'parts',
  'greet',
  'remove',
  'level',
  'tick',
  'guard',
] as const;

/** `renew` is called for updates alone; it came later, and is drawn apart. */
export type HandlerId = (typeof handlerIds)[number] | 'renew';

/** What a run is about, as its seed has it. Times are milliseconds. */
export interface Scenario {
  /** In declaration order. */
  readonly handlers: readonly HandlerId[];
  readonly namespaces: readonly string[] | undefined;
  readonly concurrency: { readonly perResource: number; readonly total: number };
  readonly watchList: boolean;
  readonly pageSize: number;
  readonly events: boolean;
  /** Names that objects may have. */
  readonly names: readonly string[];
  /** How long things change and go wrong. */
  readonly chaos: number;
  /** Between two actions of others, on average. */
  readonly pace: number;
  /** Share of handler calls that fail. */
  readonly failing: number;
  /** The longest that a handler takes. */
  readonly slowest: number;
  /** Whether handlers go on for a while after their abort. */
  readonly deaf: boolean;
  /** Whether there are start-up and clean-up handlers. */
  readonly activities: boolean;
  /** How long a whole stop may take, where that is less than a drain does; else the default holds. */
  readonly stopDeadline: number | undefined;
  /** Milliseconds per attempt, of change handlers. */
  readonly timeout: number | undefined;
  /** Milliseconds over all attempts, of some of them. */
  readonly giveUpAfter: number | undefined;
}

/** `later` is what later additions draw from, so that all else stays what it was for each seed. */
export function drawScenario(random: SeededRandom, later: SeededRandom): Scenario {
  const share = random.pick([0.2, 0.4, 0.7]);
  const chaos = random.pick([2_000, 10_000, 30_000, 120_000]);
  const actions = random.weighted([
    [5, 4],
    [12, 4],
    [30, 2],
    [80, 0.3],
  ]);
  const drawn = handlerIds.filter((id) => random.chance(id === 'byState' ? 0.8 : share));
  const handlers = drawn.some((id) => id !== 'byState') ? drawn : [...drawn, 'ensure' as const];
  const shuffledHandlers = shuffled(handlers, random);
  return {
    handlers: later.chance(0.25) ? withRenew(shuffledHandlers, later) : shuffledHandlers,
    namespaces: random.chance(0.25) ? ['default', 'other'] : undefined,
    concurrency: random.pick([
      { perResource: 1, total: 1 },
      { perResource: 2, total: 2 },
      { perResource: 2, total: 3 },
      { perResource: 10, total: 50 },
    ]),
    watchList: random.chance(0.6),
    pageSize: random.pick([1, 2, 500]),
    events: random.chance(0.2),
    names: ['a', 'b', 'c', 'd'].slice(0, random.int(1, 4)),
    chaos,
    pace: chaos / actions,
    failing: random.pick([0, 0.1, 0.3]),
    slowest: random.pick([0, 50, 2_000, 10_000]),
    deaf: random.chance(0.3),
    activities: random.chance(0.3),
    stopDeadline: later.chance(0.05) ? 4_000 : undefined,
    timeout: later.chance(0.25) ? later.pick([20, 500, 3_000]) : undefined,
    giveUpAfter: later.chance(0.25) ? later.pick([500, 5_000, 30_000]) : undefined,
  };
}

export function needsFinalizer({ handlers }: Scenario): boolean {
  return handlers.includes('remove') || handlers.includes('guard');
}

function withRenew(handlers: readonly HandlerId[], random: SeededRandom): readonly HandlerId[] {
  return handlers.toSpliced(random.int(0, handlers.length), 0, 'renew');
}

function shuffled<T>(items: readonly T[], random: SeededRandom): readonly T[] {
  const left = [...items];
  const result: T[] = [];
  while (left.length > 0) result.push(...left.splice(random.int(0, left.length - 1), 1));
  return result;
}
