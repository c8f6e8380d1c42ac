import type { Assignment } from './assign-resources.js';
import { kindName } from './assign-resources.js';
import type { Resource } from '../resource.js';
import type { ResourceDemand } from './resource-demand.js';

/** What runs for one kind. */
export interface Served {
  /** Discovery shows the kind with what does not matter to its watches, such as other subresources. */
  update(resource: Resource): void;
  /**
   * Ends it. `gone`: the kind is not served any more, and its objects with it; `replaced`: its objects go on elsewhere.
   * Resolves when nothing of it runs.
   */
  close(how: 'gone' | 'replaced'): Promise<void>;
}

export interface ControllerSetOptions<D extends ResourceDemand, C extends Served> {
  /** Makes and starts what runs for a kind; `undefined`: nothing begins any more. */
  readonly open: (assignment: Assignment<D>) => C | undefined;
  readonly fatal: (error: unknown) => void;
}

interface Slot<D extends ResourceDemand, C> {
  current: { readonly controller: C; readonly assignment: Assignment<D> } | undefined;
  wanted: Assignment<D> | undefined;
  changing: boolean;
}

/**
 * What runs for each kind. What is wanted is told again and again; a kind that changes its version, its scope or its handlers
 * ends first, with all that runs for its objects, and begins anew then, so that nothing runs twice for one object.
 */
export class ControllerSet<D extends ResourceDemand, C extends Served> {
  readonly #options: ControllerSetOptions<D, C>;
  readonly #slots = new Map<string, Slot<D, C>>();

  constructor(options: ControllerSetOptions<D, C>) {
    this.#options = options;
  }

  /** Those that run, also those that are about to end. */
  get controllers(): readonly C[] {
    return [...this.#slots.values()].flatMap(({ current }) => current?.controller ?? []);
  }

  /** The kinds from now on. */
  want(assignments: readonly Assignment<D>[]): void {
    const wanted = new Map(assignments.map((assignment) => [kindName(assignment.resource), assignment]));
    for (const [kind, slot] of this.#slots) if (!wanted.has(kind)) slot.wanted = undefined;
    for (const [kind, assignment] of wanted) {
      const slot = this.#slots.get(kind);
      if (slot === undefined) this.#slots.set(kind, { current: undefined, wanted: assignment, changing: false });
      else slot.wanted = assignment;
    }
    for (const [kind, slot] of this.#slots) this.#adjust(kind, slot);
  }

  #adjust(kind: string, slot: Slot<D, C>): void {
    if (slot.changing) return;
    const { current, wanted } = slot;
    if (current !== undefined && wanted !== undefined && isSame(current.assignment, wanted)) {
      current.controller.update(wanted.resource);
      return;
    }
    if (current === undefined) {
      if (wanted === undefined) this.#slots.delete(kind);
      else {
        const controller = this.#options.open(wanted);
        if (controller !== undefined) slot.current = { controller, assignment: wanted };
      }
      return;
    }
    slot.changing = true;
    current.controller
      .close(wanted === undefined ? 'gone' : 'replaced')
      .then(() => {
        slot.current = undefined;
        slot.changing = false;
        this.#adjust(kind, slot);
      })
      .catch((error: unknown) => this.#options.fatal(error));
  }
}

/** Whether what runs for one does for the other. */
function isSame<D extends ResourceDemand>(one: Assignment<D>, other: Assignment<D>): boolean {
  const [a, b] = [one.resource, other.resource];
  return (
    a.version === b.version &&
    a.namespaced === b.namespaced &&
    a.kind === b.kind &&
    one.demands.length === other.demands.length &&
    one.demands.every((demand, index) => demand === other.demands[index])
  );
}
