import { InvalidHandlersError } from '../../errors/invalid-handlers.error.js';
import type { Discovery } from '../client/discovery/discovery.js';
import type { Resolution } from '../client/discovery/find-resource.js';
import type { Logger } from '../ports/index.js';
import { isNamed, resourceName, selectorName, type Resource, type ResourceSelector } from '../resource.js';
import {
  assignResources,
  kindName,
  mayLeadTo,
  type Assignment,
  type Match,
  type Omission,
} from './assign-resources.js';
import type { ResourceDemand } from './resource-demand.js';

export interface ResourceSurveyOptions {
  readonly discovery: Pick<Discovery, 'resolve' | 'select'>;
  readonly logger: Logger;
}

/** One way in which resources are named or selected. */
export interface Way<D extends ResourceDemand = ResourceDemand> {
  readonly name: string;
  readonly selector: ResourceSelector;
  readonly demands: readonly [D, ...D[]];
  readonly origins: readonly string[];
}

/** A name that has led to nothing, or discovery that cannot be had. */
export interface OpenWay {
  readonly way: Way;
  readonly resolution: Exclude<Resolution, { readonly found: Resource }>;
}

export interface Findings<D extends ResourceDemand> {
  /** What can be served: no name that has led to nothing so far may mean one of these. */
  readonly assignments: readonly Assignment<D>[];
  readonly open: readonly OpenWay[];
  readonly omissions: readonly Omission[];
  /** A part of what selections mean could not be looked at. */
  readonly incomplete: boolean;
}

/**
 * Says what is to be served, by what discovery shows each time. What was found once is held on to: a name stays with its
 * kind while that is away, and a selection with what cannot be looked at.
 */
export class ResourceSurvey<D extends ResourceDemand> {
  readonly ways: readonly Way<D>[];
  readonly #options: ResourceSurveyOptions;
  readonly #demands: readonly D[];
  /** What names have led to. */
  readonly #named = new Map<Way<D>, Resource>();
  /** What selections have led to, by kind. */
  readonly #selected = new Map<Way<D>, ReadonlyMap<string, Resource>>();
  readonly #served = new Set<string>();
  readonly #told = new Set<string>();

  constructor(options: ResourceSurveyOptions, demands: readonly D[]) {
    this.#options = options;
    this.#demands = demands;
    this.ways = waysOf(demands);
  }

  /**
   * @throws InvalidHandlersError
   * @throws ResourceUnsuitableError
   */
  async look(signal: AbortSignal): Promise<Findings<D>> {
    const matches: Match<D>[] = [];
    const open: OpenWay[] = [];
    const match = ({ demands }: Way<D>, resource: Resource): void =>
      void matches.push(...demands.map((demand) => ({ demand, resource })));
    const named = this.ways.filter(({ selector }) => isNamed(selector));
    const resolutions = await Promise.all(named.map((way) => this.#resolve(way, signal)));
    named.forEach((way, index) => {
      const resolution = resolutions[index] as Resolution;
      const known = this.#named.get(way);
      const resource = 'found' in resolution ? withVerbsOf(known, resolution.found) : known;
      if (resource !== undefined) {
        this.#named.set(way, resource);
        match(way, resource);
      } else if (!('found' in resolution)) {
        open.push({ way, resolution });
      }
    });
    // After the names, which read afresh what they do not find.
    let incomplete = false;
    for (const way of this.ways.filter(({ selector }) => !isNamed(selector))) {
      const selection = await this.#select(way, signal);
      if ('unavailable' in selection) open.push({ way, resolution: selection });
      else incomplete ||= selection.incomplete;
      for (const resource of this.#selected.get(way)?.values() ?? []) match(way, resource);
    }
    const { assignments, omissions } = assignResources(matches, this.#demands);
    const ready = assignments.filter(({ resource }) => {
      // With a name that may be this one, its handlers would come too late.
      const held = open.some(({ way }) => isNamed(way.selector) && mayLeadTo(way.demands[0], resource));
      return this.#served.has(kindName(resource)) || !held;
    });
    for (const { resource } of ready) this.#served.add(kindName(resource));
    for (const omission of omissions) this.#tell(omission);
    return { assignments: ready, open, omissions, incomplete };
  }

  #resolve(way: Way<D>, signal: AbortSignal): Promise<Resolution> {
    const known = this.#named.get(way);
    const { version } = way.selector;
    if (known === undefined) return this.#options.discovery.resolve(way.selector, signal);
    const { group, plural } = known;
    return this.#options.discovery.resolve({ group, plural, ...(version === undefined ? {} : { version }) }, signal);
  }

  async #select(
    way: Way<D>,
    signal: AbortSignal,
  ): Promise<{ readonly unavailable: unknown } | { readonly incomplete: boolean }> {
    const { discovery, logger } = this.#options;
    const { found, unavailable, failed } = await discovery.select(way.selector, signal);
    if (failed !== undefined) return failed;
    const before = this.#selected.get(way) ?? new Map<string, Resource>();
    const now = new Map(found.map((one) => [kindName(one), withVerbsOf(before.get(kindName(one)), one)]));
    for (const [kind, resource] of before) {
      if (!now.has(kind) && (await this.#isHeldOn(resource, signal))) now.set(kind, resource);
    }
    this.#selected.set(way, now);
    for (const cause of unavailable) {
      logger.log('debug', 'A part of the API could not be discovered', { handlers: way.origins }, cause);
    }
    return { incomplete: unavailable.length > 0 };
  }

  /** What is not selected any more, since it cannot be looked at, or is away while a name waits for it. */
  async #isHeldOn({ group, version, plural }: Resource, signal: AbortSignal): Promise<boolean> {
    const resolution = await this.#options.discovery.resolve({ group, version, plural }, signal);
    if ('unavailable' in resolution) return true;
    const kind = kindName({ group, plural });
    return 'missing' in resolution && [...this.#named.values()].some((named) => kindName(named) === kind);
  }

  /** What cannot be watched is no surprise in a selection; what can, but cannot be written, may be one. */
  #tell(omission: Omission): void {
    const key = `${omission.handler} ${omission.resource}`;
    if (this.#told.has(key)) return;
    this.#told.add(key);
    const level = omission.missingVerbs.some((verb) => verb === 'list' || verb === 'watch') ? 'debug' : 'warn';
    const message = 'A selected resource is left out: it does not allow what the handler needs';
    this.#options.logger.log(level, message, { ...omission });
  }
}

/** Verbs that go while a definition is being deleted change nothing: what is served stays so until it is gone. */
function withVerbsOf(known: Resource | undefined, found: Resource): Resource {
  if (known === undefined || known.version !== found.version) return found;
  return { ...found, verbs: [...new Set([...known.verbs, ...found.verbs])] };
}

/** What is written alike is asked for once. */
function waysOf<D extends ResourceDemand>(demands: readonly D[]): Way<D>[] {
  const byFunction = [...Map.groupBy(demands, ({ resource }) => resource.where).values()];
  return byFunction
    .flatMap((group) => [...Map.groupBy(group, ({ resource }) => selectorName(resource))])
    .map(([name, group]) => {
      const origins = [...new Set(group.map(({ origin }) => origin))];
      const [first] = group as [D, ...D[]];
      return { name, selector: guarded(first.resource, origins), demands: group as [D, ...D[]], origins };
    });
}

/** An error of a user's function must say whose it is. */
function guarded(selector: ResourceSelector, origins: readonly string[]): ResourceSelector {
  const { where } = selector;
  if (where === undefined) return selector;
  return {
    ...selector,
    where: (resource) => {
      try {
        return Boolean(where(resource));
      } catch (error) {
        const problem = `${origins.join(', ')}: "where" of its resource selector threw for ${resourceName(resource)}`;
        throw new InvalidHandlersError([problem], { cause: error });
      }
    },
  };
}
