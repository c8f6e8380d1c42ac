import { InvalidFaultError } from '../errors/invalid-fault.error.js';
import type { RandomSource } from '../random.js';
import type { Fault, FaultAction, FaultHandle, FaultMatch, FaultRequest } from './fault.js';
import { faultProblems } from './fault-problems.js';
import { RequestFaults } from './request-faults.js';
import { seededRandom } from './seeded-random.js';

/** Numbers apart for faults that are added one after another, and for the requests that each of them hits. */
const mixed = (seed: number, index: number): number => Math.imul(seed ^ Math.imul(index + 1, 0x9e3779b1), 0x85ebca6b);

class ActiveFault implements FaultHandle {
  hits = 0;
  #seen = 0;
  readonly #random: RandomSource;

  constructor(
    readonly fault: Fault,
    private readonly seed: number,
    private readonly set: Set<ActiveFault>,
  ) {
    this.#random = seededRandom(seed);
  }

  remove(): void {
    this.set.delete(this);
  }

  /** Counts a request that matches, and adds what has to be done to it if it is to be hit. */
  meet(found: RequestFaults): void {
    const { match = {}, do: todo } = this.fault;
    if (++this.#seen < (match.nth ?? 1)) return;
    if (match.probability !== undefined && this.#random() >= match.probability) return;
    this.hits++;
    if (match.times !== undefined && this.hits >= match.times) this.remove();
    const actions = Array.isArray(todo) ? (todo as readonly FaultAction[]) : [todo as FaultAction];
    actions.forEach((action, index) => found.add(action, mixed(mixed(this.seed, this.hits), index)));
  }
}

/** The faults of a server: what tests add to see how clients cope. */
export class FaultSet {
  /** Decides everything about faults that is left to chance. The same seed and requests meet the same faults. */
  readonly seed: number;
  readonly #active = new Set<ActiveFault>();
  #added = 0;

  /** @internal */
  constructor(
    seed: number,
    private readonly onRefuse: (refuse: boolean, keepOpen: boolean) => Promise<void>,
  ) {
    this.seed = seed;
  }

  /**
   * Adds a fault; later requests that match it are hit until it is removed or used up.
   *
   * @throws InvalidFaultError (`APISERVER_INVALID_FAULT`) for numbers out of range.
   */
  add(fault: Fault): FaultHandle {
    const problems = faultProblems(fault);
    if (problems.length > 0) throw new InvalidFaultError(problems);
    const active = new ActiveFault(fault, mixed(this.seed, this.#added++), this.#active);
    this.#active.add(active);
    return active;
  }

  /** Removes all faults. Connections that are refused stay so. */
  clear(): void {
    this.#active.clear();
  }

  /**
   * Refuses new connections (ECONNREFUSED) or accepts them again, on the same port. Open connections are reset, unless
   * `keepOpen` is set.
   */
  refuseConnections(refuse: boolean, options?: { keepOpen?: boolean }): Promise<void> {
    return this.onRefuse(refuse, options?.keepOpen ?? false);
  }

  /** @internal What has to be done to a request. */
  actionsFor(request: () => FaultRequest): RequestFaults {
    if (this.#active.size === 0) return RequestFaults.none;
    const found = new RequestFaults();
    const seen = request();
    for (const active of this.#active) {
      if (matches(active.fault.match ?? {}, seen)) active.meet(found);
    }
    return found;
  }
}

function matches(match: FaultMatch, request: FaultRequest): boolean {
  const { verb, resource, namespace, name, subresource, user, path, where } = match;
  if (verb !== undefined && !(request.verb !== undefined && [verb].flat().includes(request.verb))) return false;
  if (resource !== undefined && resource !== request.resource && resource !== `${request.resource}.${request.group}`) {
    return false;
  }
  if (namespace !== undefined && namespace !== request.namespace) return false;
  if (name !== undefined && name !== request.name) return false;
  if (subresource !== undefined && subresource !== (request.subresource ?? '')) return false;
  if (user !== undefined && user !== request.user) return false;
  if (path !== undefined && !request.path.startsWith(path)) return false;
  return where?.(request) ?? true;
}
