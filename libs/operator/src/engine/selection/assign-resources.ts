import { InvalidHandlersError } from '../../errors/invalid-handlers.error.js';
import { ResourceUnsuitableError, type UnsuitableResource } from '../../errors/resource-unsuitable.error.js';
import { rankOf } from '../client/discovery/find-resource.js';
import type { ResourceDemand } from './resource-demand.js';
import { isNamed, resourceName, type Resource } from '../resource.js';

/** A resource that a demand leads to. */
export interface Match<D extends ResourceDemand> {
  readonly demand: D;
  readonly resource: Resource;
}

/** A resource that is to be served, in one version, with all that needs it in declaration order. */
export interface Assignment<D extends ResourceDemand> {
  readonly resource: Resource;
  readonly demands: readonly D[];
}

/** A demand for many resources does not get this one. */
export interface Omission {
  readonly resource: string;
  readonly handler: string;
  readonly missingVerbs: readonly string[];
}

export interface AssignmentResult<D extends ResourceDemand> {
  readonly assignments: readonly Assignment<D>[];
  readonly omissions: readonly Omission[];
}

/**
 * Brings together what leads to the same kind, so that each is served once. A version that a name gives wins, then one that a
 * selection gives, then the server's own choice.
 *
 * @throws InvalidHandlersError when names give a kind different versions, or two of its handlers have the same id
 * @throws ResourceUnsuitableError when a named kind does not allow what its handlers need
 */
export function assignResources<D extends ResourceDemand>(
  matches: readonly Match<D>[],
  declared: readonly D[],
): AssignmentResult<D> {
  const omissions: Omission[] = [];
  const problems: string[] = [];
  const unsuitable: UnsuitableResource[] = [];
  const assignments: Assignment<D>[] = [];
  for (const kind of Map.groupBy(matches, ({ resource }) => kindName(resource)).values()) {
    const resource = chosen(kind, problems);
    const own = new Set<D>();
    for (const { demand } of kind) {
      const { version } = demand.resource;
      if (version !== undefined && version !== resource.version) continue;
      const missing = demand.verbs.filter((verb) => !resource.verbs.includes(verb));
      if (missing.length === 0 || isNamed(demand.resource)) own.add(demand);
      else omissions.push({ resource: resourceName(resource), handler: demand.origin, missingVerbs: missing });
    }
    const demands = declared.filter((demand) => own.has(demand));
    unsuitable.push(...unsuitableFor(resource, demands));
    problems.push(...twins(resource, demands));
    if (demands.length > 0) assignments.push({ resource, demands });
  }
  if (problems.length > 0) throw new InvalidHandlersError(problems);
  if (unsuitable.length > 0) throw new ResourceUnsuitableError(unsuitable);
  return { assignments, omissions };
}

/** Whether a name that has led to nothing so far may still turn out to be this kind, in whatever version. */
export function mayLeadTo({ resource: selector }: ResourceDemand, resource: Resource): boolean {
  return (
    (selector.group === undefined || selector.group === resource.group) && rankOf(selector, resource) !== undefined
  );
}

/** The identity of a kind, whatever its version. */
export function kindName({ group, plural }: Pick<Resource, 'group' | 'plural'>): string {
  return `${plural}.${group}`;
}

function chosen<D extends ResourceDemand>(kind: readonly Match<D>[], problems: string[]): Resource {
  const versioned = kind.filter(({ demand }) => demand.resource.version !== undefined);
  const named = versioned.filter(({ demand }) => isNamed(demand.resource));
  const ways = [...Map.groupBy(named, ({ resource }) => resourceName(resource))];
  if (ways.length > 1) {
    const lines = ways.map(([name, same]) => `${name} (for ${same.map(({ demand }) => demand.origin).join(', ')})`);
    problems.push(`${lines.join(' and ')} are versions of one resource; an operator serves it in one version`);
  }
  const first = named[0] ?? versioned[0] ?? kind[0];
  if (first === undefined) throw new Error('A kind without a match was assigned.');
  return first.resource;
}

/** What needs the same verbs is told together. */
function unsuitableFor(resource: Resource, demands: readonly ResourceDemand[]): UnsuitableResource[] {
  const lacking = demands
    .map(({ origin, verbs }) => ({ origin, missing: verbs.filter((verb) => !resource.verbs.includes(verb)) }))
    .filter(({ missing }) => missing.length > 0);
  return [...Map.groupBy(lacking, ({ missing }) => missing.join())].map(([missing, same]) => ({
    resource: resourceName(resource),
    missingVerbs: missing.split(','),
    handlers: [...new Set(same.map(({ origin }) => origin))],
  }));
}

/** Handlers whose names for the resource differ are only here seen to be of the same one. */
function twins(resource: Resource, demands: readonly ResourceDemand[]): string[] {
  const withId = demands.filter(({ id }) => id !== undefined);
  return [...Map.groupBy(withId, ({ id }) => id)]
    .filter(([, same]) => same.length > 1)
    .map(([id, same]) => {
      const origins = same.map(({ origin }) => origin).join(' and ');
      return `${origins} have the same id "${id}" for ${resourceName(resource)}; give one of them another id`;
    });
}
