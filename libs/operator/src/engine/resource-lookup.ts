import { DiscoveryFailedError } from '../errors/discovery-failed.error.js';
import { ResourceAmbiguousError, type AmbiguousResource } from '../errors/resource-ambiguous.error.js';
import { ResourceMissingError, type MissingResource } from '../errors/resource-missing.error.js';
import { ResourceUnsuitableError, type UnsuitableResource } from '../errors/resource-unsuitable.error.js';
import type { Discovery } from './client/discovery/discovery.js';
import type { Resolution } from './client/discovery/find-resource.js';
import { wait } from './client/wait.js';
import type { OperatorConfig } from './operator-config.js';
import type { Clock, Logger } from './ports/index.js';
import { resourceName, selectorName, type Resource, type ResourceSelector } from './resource.js';

export interface ResourceLookupOptions {
  readonly discovery: Pick<Discovery, 'resolve'>;
  readonly config: Pick<OperatorConfig['watching'], 'syncTimeout' | 'missingKind'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Something of the operator that needs a resource. */
export interface ResourceDemand {
  readonly resource: ResourceSelector;
  /** The handler, for messages. */
  readonly origin: string;
  /** What must be allowed on the resource by its kind. */
  readonly verbs: readonly string[];
}

/** One way in which a resource is named. */
interface Wanted<D extends ResourceDemand> {
  readonly name: string;
  readonly demands: readonly [D, ...D[]];
  readonly origins: readonly string[];
  told: boolean;
}

interface Answer<D extends ResourceDemand> {
  readonly wanted: Wanted<D>;
  readonly resolution: Resolution;
}

const firstPause = 500;
const longestPause = 5_000;

/**
 * Finds the resources that are needed, and hands each over with what needs it as soon as it is known. Waits for the
 * others within `syncTimeout`, or for as long as it takes. Resolves when all are found; rejects with one error for all that
 * are wrong in the same way.
 *
 * One resource may be named in several ways: names with the same plural are handed over together.
 */
export async function lookUpResources<D extends ResourceDemand>(
  options: ResourceLookupOptions,
  demands: readonly D[],
  onFound: (resource: Resource, demands: readonly D[]) => void,
  signal: AbortSignal,
  onRound: () => void = () => undefined,
): Promise<void> {
  const { discovery, config, clock } = options;
  const begun = clock.monotonic();
  let open = [...Map.groupBy(demands, ({ resource }) => resource.plural).values()].map(waysToName);
  for (let pause = firstPause; ; pause = Math.min(longestPause, pause * 2)) {
    const rounds = await Promise.all(
      open.map((ways) =>
        Promise.all(
          ways.map(async (wanted): Promise<Answer<D>> => {
            const resolution = await discovery.resolve(wanted.demands[0].resource, signal);
            return { wanted, resolution };
          }),
        ),
      ),
    );
    const answers = rounds.flat();
    refuseWrongOnes(answers);
    const complete = rounds.filter((answered) => answered.every(({ resolution }) => 'found' in resolution));
    open = rounds
      .filter((answered) => !complete.includes(answered))
      .map((answered) => answered.map(({ wanted }) => wanted));
    for (const answered of complete) handOver(answered, demands, onFound);
    onRound();
    if (open.length === 0) return;
    const waited = Math.round(clock.monotonic() - begun);
    if (waited >= config.syncTimeout) refuseLateOnes(answers, waited, config.missingKind);
    for (const { wanted, resolution } of answers) tell(options, wanted, resolution);
    await wait(clock, pause, signal);
  }
}

function waysToName<D extends ResourceDemand>(demands: readonly D[]): Array<Wanted<D>> {
  return [...Map.groupBy(demands, ({ resource }) => selectorName(resource))].map(([name, group]) => ({
    name,
    demands: group as [D, ...D[]],
    origins: [...new Set(group.map(({ origin }) => origin))],
    told: false,
  }));
}

/** What no waiting mends. */
function refuseWrongOnes(answers: ReadonlyArray<Answer<ResourceDemand>>): void {
  const ambiguous = answers.flatMap(({ wanted, resolution }): AmbiguousResource[] =>
    'ambiguous' in resolution
      ? [{ resource: wanted.name, found: resolution.ambiguous.map(resourceName), handlers: wanted.origins }]
      : [],
  );
  if (ambiguous.length > 0) throw new ResourceAmbiguousError(ambiguous);
  const unsuitable = answers.flatMap(({ wanted, resolution }) =>
    'found' in resolution ? unsuitableFor(resolution.found, wanted.demands) : [],
  );
  if (unsuitable.length > 0) throw new ResourceUnsuitableError(unsuitable);
}

function refuseLateOnes(
  answers: ReadonlyArray<Answer<ResourceDemand>>,
  waited: number,
  missingKind: 'fail' | 'wait',
): void {
  const missing = answers.flatMap(({ wanted, resolution }): MissingResource[] =>
    'missing' in resolution ? [{ resource: wanted.name, served: resolution.served, handlers: wanted.origins }] : [],
  );
  if (missing.length > 0 && missingKind === 'fail') throw new ResourceMissingError(missing, waited);
  const unavailable = answers.flatMap(({ wanted, resolution }) =>
    'unavailable' in resolution ? [{ name: wanted.name, cause: resolution.unavailable }] : [],
  );
  const [first] = unavailable;
  if (first === undefined) return;
  throw new DiscoveryFailedError(
    unavailable.map(({ name }) => name),
    waited,
    { cause: first.cause },
  );
}

/** Names that turned out to be one resource are one, with what needs it in declaration order. */
function handOver<D extends ResourceDemand>(
  answered: ReadonlyArray<Answer<D>>,
  all: readonly D[],
  onFound: (resource: Resource, demands: readonly D[]) => void,
): void {
  const found = answered.flatMap(({ wanted, resolution }) =>
    'found' in resolution ? wanted.demands.map((demand) => ({ demand, resource: resolution.found })) : [],
  );
  for (const same of Map.groupBy(found, ({ resource }) => resourceName(resource)).values()) {
    const [first] = same;
    if (first === undefined) continue;
    const own = new Set(same.map(({ demand }) => demand));
    onFound(
      first.resource,
      all.filter((demand) => own.has(demand)),
    );
  }
}

function tell({ logger, config }: ResourceLookupOptions, wanted: Wanted<ResourceDemand>, resolution: Resolution): void {
  if (wanted.told || 'found' in resolution) return;
  wanted.told = true;
  const fields = { resource: wanted.name, handlers: wanted.origins };
  if ('unavailable' in resolution) {
    const message = 'Waiting for the discovery of a resource';
    logger.log('warn', message, { ...fields, timeout: config.syncTimeout }, resolution.unavailable);
  } else {
    const timeout = config.missingKind === 'wait' ? 'none' : config.syncTimeout;
    logger.log('warn', 'Waiting for a resource that the server does not serve', { ...fields, timeout });
  }
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
