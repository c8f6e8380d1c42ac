import type { Fault, FaultAction, FaultHandle, FaultMatch, FaultRequest } from './fault.js';

class ActiveFault implements FaultHandle {
  hits = 0;
  seen = 0;

  constructor(
    readonly fault: Fault,
    private readonly set: Set<ActiveFault>,
  ) {}

  remove(): void {
    this.set.delete(this);
  }
}

/** The faults of a server: what tests add to see how clients cope. */
export class FaultSet {
  readonly #active = new Set<ActiveFault>();

  constructor(private readonly onRefuse: (refuse: boolean, keepOpen: boolean) => Promise<void>) {}

  /** Adds a fault; later requests that match it are hit until it is removed or used up. */
  add(fault: Fault): FaultHandle {
    check(fault);
    const active = new ActiveFault(fault, this.#active);
    this.#active.add(active);
    return active;
  }

  /** Removes all faults. */
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

  /** What has to be done to a request, in the order in which the faults were added. */
  actionsFor(request: FaultRequest): FaultAction[] {
    const actions: FaultAction[] = [];
    for (const active of this.#active) {
      const { match = {}, do: todo } = active.fault;
      if (!matches(match, request)) continue;
      active.seen++;
      if (active.seen < (match.nth ?? 1)) continue;
      active.hits++;
      if (match.times !== undefined && active.hits >= match.times) active.remove();
      actions.push(...(Array.isArray(todo) ? (todo as readonly FaultAction[]) : [todo as FaultAction]));
    }
    return actions;
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

function check({ match, do: todo }: Fault): void {
  if (match?.nth !== undefined && !(Number.isInteger(match.nth) && match.nth >= 1)) {
    throw new RangeError(`fault: nth must be an integer from 1 on, got ${match.nth}`);
  }
  if (match?.times !== undefined && !(Number.isInteger(match.times) && match.times >= 1)) {
    throw new RangeError(`fault: times must be an integer from 1 on, got ${match.times}`);
  }
  for (const action of [todo].flat() as FaultAction[]) {
    if (action.action === 'rechunk' && !(Number.isInteger(action.bytes) && action.bytes >= 1)) {
      throw new RangeError(`fault rechunk: bytes must be an integer from 1 on, got ${action.bytes}`);
    }
    if ((action.action === 'delay' || action.action === 'delayEvents') && !(action.ms >= 0)) {
      throw new RangeError(`fault ${action.action}: ms must not be negative, got ${action.ms}`);
    }
  }
}
