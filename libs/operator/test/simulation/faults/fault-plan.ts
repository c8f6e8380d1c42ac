import type { SeededRandom } from '../world/seeded-random.js';
import { faultKinds, type FaultKind, type RequestFault, type StreamFault } from './fault.js';

/** What a fault may depend on. */
export interface FaultTarget {
  readonly verb: 'read' | 'list' | 'watch' | 'create' | 'patch' | 'delete';
  /** The oldest revision that the client takes; absent where it wants the newest: no server answers that by an older one. */
  readonly notOlderThan: number | undefined;
}

/** Which faults a run has, how often, and until when. */
export class FaultPlan {
  readonly kinds: ReadonlySet<FaultKind>;
  readonly #rate: number;
  #over = false;

  constructor(private readonly random: SeededRandom) {
    this.#rate = random.weighted([
      [0, 1],
      [0.03, 3],
      [0.1, 4],
      [0.25, 2],
    ]);
    const share = random.pick([0.3, 0.6, 1]);
    this.kinds = new Set(faultKinds.filter(() => random.chance(share)));
  }

  /** From now on nothing goes wrong any more. */
  cease(): void {
    this.#over = true;
  }

  get ceased(): boolean {
    return this.#over;
  }

  /** How long a leg of the way takes. */
  latency(): number {
    return this.#over || this.random.chance(0.5) ? this.random.between(0.1, 2) : this.random.between(0.1, 60);
  }

  forRequest(target: FaultTarget): RequestFault | undefined {
    const { random } = this;
    // Few requests can be answered by an older state.
    const stale = target.notOlderThan !== undefined && this.kinds.has('stale') && this.#strikes(5);
    if (!stale && !this.#strikes()) return undefined;
    const kind = stale ? 'stale' : random.pick(this.#possible(target));
    switch (kind) {
      case undefined:
        return undefined;
      case 'cut':
        return { kind, when: random.pick(['refused', 'before', 'after', 'after'] as const) };
      case '410':
      case '409':
        return { kind, status: Number(kind) };
      case '422':
        return { kind, status: 422, causes: random.chance(0.5) };
      case '429':
        return { kind, status: 429, retryAfter: random.int(0, 4) };
      case '5xx': {
        const status = random.pick([500, 502, 503, 504]);
        return status === 503 && random.chance(0.5) ? { kind, status, retryAfter: random.int(0, 3) } : { kind, status };
      }
      case 'delay':
        return { kind, request: this.#longDelay(), answer: this.#longDelay() };
      case 'duplicate':
        return { kind };
      case 'stale':
        return { kind, revisions: random.int(1, 40) };
      case 'crash':
      case 'restart':
        return undefined;
    }
  }

  forStream(): StreamFault | undefined {
    if (!this.#strikes(2)) return undefined;
    const { random } = this;
    const possible = (['cut', '410', 'duplicate', 'delay'] as const).filter((kind) => this.kinds.has(kind));
    const kind = random.pick(possible);
    switch (kind) {
      case undefined:
        return undefined;
      case 'cut':
        return { kind, after: this.#soon(), how: random.pick(['end', 'reset', 'midline', 'silence'] as const) };
      case '410':
        return { kind, after: this.#soon() };
      case 'duplicate':
        return { kind, share: random.between(0.1, 0.9), longest: random.pick([10, 1_000, 20_000]) };
      case 'delay':
        return { kind, longest: random.pick([500, 5_000, 20_000]) };
    }
  }

  #strikes(factor = 1): boolean {
    return !this.#over && this.#rate > 0 && this.random.chance(Math.min(0.6, this.#rate * factor));
  }

  #soon(): number {
    return this.random.pick([0, 50, 1_000, 10_000, 40_000]) * this.random.next();
  }

  #longDelay(): number {
    return this.random.chance(0.5) ? 0 : this.random.between(0, this.random.pick([200, 3_000, 40_000]));
  }

  #possible({ verb }: FaultTarget): readonly FaultKind[] {
    const always: FaultKind[] = ['cut', '429', '5xx', 'delay'];
    const byVerb: Record<FaultTarget['verb'], readonly FaultKind[]> = {
      read: [],
      list: ['410'],
      watch: ['410'],
      create: ['409', '422', 'duplicate'],
      patch: ['409', '409', '422', '422', 'duplicate'],
      delete: ['409', 'duplicate'],
    };
    return [...always, ...byVerb[verb]].filter((kind) => this.kinds.has(kind));
  }
}
