import { DiscoveryFailedError } from '../errors/discovery-failed.error.js';
import { InvalidHandlersError } from '../errors/invalid-handlers.error.js';
import { ResourceAmbiguousError, type AmbiguousResource } from '../errors/resource-ambiguous.error.js';
import { ResourceMissingError, type MissingResource } from '../errors/resource-missing.error.js';
import { assignResources, kindName, mayLeadTo, type Match, type Omission } from './assign-resources.js';
import type { Discovery } from './client/discovery/discovery.js';
import type { Resolution } from './client/discovery/find-resource.js';
import { wait } from './client/wait.js';
import type { OperatorConfig } from './operator-config.js';
import type { Clock, Logger } from './ports/index.js';
import type { ResourceDemand } from './resource-demand.js';
import { isNamed, resourceName, selectorName, type Resource, type ResourceSelector } from './resource.js';

export interface ResourceLookupOptions {
  readonly discovery: Pick<Discovery, 'resolve' | 'select'>;
  readonly config: Pick<OperatorConfig['watching'], 'syncTimeout' | 'missingKind'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One way in which resources are named or selected. */
interface Way<D extends ResourceDemand> {
  readonly name: string;
  readonly selector: ResourceSelector;
  readonly demands: readonly [D, ...D[]];
  readonly origins: readonly string[];
}

interface Answer<D extends ResourceDemand> {
  readonly way: Way<D>;
  /** Of a name. */
  readonly resolution: Resolution;
}

const firstPause = 500;
const longestPause = 5_000;

/**
 * Finds the resources that are needed, and hands each over with what needs it as soon as it is known. Waits for named
 * ones within `syncTimeout`, or for as long as it takes. Resolves when all are found; rejects with one error for all that
 * are wrong in the same way.
 *
 * A resource may be named and selected in several ways: it is handed over once, with all that needs it.
 */
export async function lookUpResources<D extends ResourceDemand>(
  options: ResourceLookupOptions,
  demands: readonly D[],
  onFound: (resource: Resource, demands: readonly D[]) => void,
  signal: AbortSignal,
  onRound: () => void = () => undefined,
): Promise<void> {
  const { config, clock } = options;
  const begun = clock.monotonic();
  const ways = waysOf(demands);
  const told = new Set<string>();
  const done = new Set<string>();
  for (let pause = firstPause; ; pause = Math.min(longestPause, pause * 2)) {
    const { answers, matches } = await ask(options, ways, signal);
    refuseAmbiguous(answers);
    const open = answers.filter(({ resolution }) => !('found' in resolution));
    const { assignments, omissions } = assignResources(matches, demands);
    for (const assignment of assignments) {
      const { resource } = assignment;
      if (done.has(kindName(resource))) continue;
      // With a name that may be this one, its handlers would come too late.
      if (open.some(({ way }) => mayLeadTo(way.demands[0], resource))) continue;
      done.add(kindName(resource));
      onFound(resource, assignment.demands);
    }
    for (const omission of omissions) tellOmission(options, omission, told);
    onRound();
    if (open.length === 0) return;
    const waited = Math.round(clock.monotonic() - begun);
    if (waited >= config.syncTimeout) refuseLateOnes(open, waited, config.missingKind);
    for (const answer of open) tell(options, answer, told);
    await wait(clock, pause, signal);
  }
}

async function ask<D extends ResourceDemand>(
  { discovery, logger }: ResourceLookupOptions,
  ways: readonly Way<D>[],
  signal: AbortSignal,
): Promise<{ readonly answers: readonly Answer<D>[]; readonly matches: readonly Match<D>[] }> {
  const answers: Answer<D>[] = [];
  const matches: Match<D>[] = [];
  const match = ({ demands }: Way<D>, resource: Resource): void =>
    void matches.push(...demands.map((demand) => ({ demand, resource })));
  const named = ways.filter(({ selector }) => isNamed(selector));
  const resolutions = await Promise.all(named.map(({ selector }) => discovery.resolve(selector, signal)));
  named.forEach((way, index) => {
    const resolution = resolutions[index] as Resolution;
    answers.push({ way, resolution });
    if ('found' in resolution) match(way, resolution.found);
  });
  // After the names, which read afresh what they do not find.
  for (const way of ways.filter(({ selector }) => !isNamed(selector))) {
    const { found, unavailable, failed } = await discovery.select(way.selector, signal);
    if (failed !== undefined) answers.push({ way, resolution: failed });
    for (const resource of found) match(way, resource);
    for (const cause of unavailable) {
      logger.log('debug', 'A part of the API could not be discovered', { handlers: way.origins }, cause);
    }
  }
  return { answers, matches };
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

function refuseAmbiguous(answers: ReadonlyArray<Answer<ResourceDemand>>): void {
  const ambiguous = answers.flatMap(({ way, resolution }): AmbiguousResource[] =>
    'ambiguous' in resolution
      ? [{ resource: way.name, found: resolution.ambiguous.map(resourceName), handlers: way.origins }]
      : [],
  );
  if (ambiguous.length > 0) throw new ResourceAmbiguousError(ambiguous);
}

function refuseLateOnes(
  answers: ReadonlyArray<Answer<ResourceDemand>>,
  waited: number,
  missingKind: 'fail' | 'wait',
): void {
  const missing = answers.flatMap(({ way, resolution }): MissingResource[] =>
    'missing' in resolution ? [{ resource: way.name, served: resolution.served, handlers: way.origins }] : [],
  );
  if (missing.length > 0 && missingKind === 'fail') throw new ResourceMissingError(missing, waited);
  const unavailable = answers.flatMap(({ way, resolution }) =>
    'unavailable' in resolution ? [{ name: way.name, cause: resolution.unavailable }] : [],
  );
  const [first] = unavailable;
  if (first === undefined) return;
  throw new DiscoveryFailedError(
    unavailable.map(({ name }) => name),
    waited,
    { cause: first.cause },
  );
}

function tell(
  { logger, config }: ResourceLookupOptions,
  { way, resolution }: Answer<ResourceDemand>,
  told: Set<string>,
): void {
  if (told.has(way.name)) return;
  told.add(way.name);
  const fields = { resource: way.name, handlers: way.origins };
  if ('unavailable' in resolution) {
    const message = 'Waiting for the discovery of a resource';
    logger.log('warn', message, { ...fields, timeout: config.syncTimeout }, resolution.unavailable);
  } else {
    const timeout = config.missingKind === 'wait' ? 'none' : config.syncTimeout;
    logger.log('warn', 'Waiting for a resource that the server does not serve', { ...fields, timeout });
  }
}

/** What cannot be watched is no surprise in a selection; what can, but cannot be written, may be one. */
function tellOmission({ logger }: ResourceLookupOptions, omission: Omission, told: Set<string>): void {
  const key = `${omission.handler} ${omission.resource}`;
  if (told.has(key)) return;
  told.add(key);
  const level = omission.missingVerbs.some((verb) => verb === 'list' || verb === 'watch') ? 'debug' : 'warn';
  logger.log(level, 'A selected resource is left out: it does not allow what the handler needs', { ...omission });
}
