import { DiscoveryFailedError } from '../errors/discovery-failed.error.js';
import { ResourceAmbiguousError, type AmbiguousResource } from '../errors/resource-ambiguous.error.js';
import { ResourceMissingError, type MissingResource } from '../errors/resource-missing.error.js';
import { ResourceUnsuitableError, type UnsuitableResource } from '../errors/resource-unsuitable.error.js';
import type { Discovery } from './client/discovery/discovery.js';
import type { Resolution } from './client/discovery/find-resource.js';
import { wait } from './client/wait.js';
import type { HandlerDefinition } from './handling/handler-definition.js';
import type { OperatorConfig } from './operator-config.js';
import type { Clock, Logger } from './ports/index.js';
import { resourceName, selectorName, type Resource } from './resource.js';

export interface ResourceLookupOptions {
  readonly discovery: Pick<Discovery, 'resolve'>;
  readonly config: Pick<OperatorConfig['watching'], 'syncTimeout' | 'missingKind'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One way in which handlers name a resource. */
interface Wanted {
  readonly name: string;
  readonly handlers: readonly [HandlerDefinition, ...HandlerDefinition[]];
  readonly origins: readonly string[];
  told: boolean;
}

interface Answer {
  readonly wanted: Wanted;
  readonly resolution: Resolution;
}

const firstPause = 500;
const longestPause = 5_000;

/**
 * Finds the resources that handlers were written for, and hands each over with its handlers as soon as it is known. Waits
 * for the others within `syncTimeout`, or for as long as it takes. Resolves when all are found; rejects with one error
 * for all that are wrong in the same way.
 *
 * Handlers may name one resource in several ways: names with the same plural are handed over together.
 */
export async function lookUpResources(
  options: ResourceLookupOptions,
  handlers: readonly HandlerDefinition[],
  onFound: (resource: Resource, handlers: readonly HandlerDefinition[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const { discovery, config, clock } = options;
  const begun = clock.monotonic();
  let open = [...Map.groupBy(handlers, ({ resource }) => resource.plural).values()].map(waysToName);
  for (let pause = firstPause; ; pause = Math.min(longestPause, pause * 2)) {
    const rounds = await Promise.all(
      open.map((ways) =>
        Promise.all(
          ways.map(async (wanted): Promise<Answer> => {
            const resolution = await discovery.resolve(wanted.handlers[0].resource, signal);
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
    for (const answered of complete) handOver(answered, handlers, onFound);
    if (open.length === 0) return;
    const waited = Math.round(clock.monotonic() - begun);
    if (waited >= config.syncTimeout) refuseLateOnes(answers, waited, config.missingKind);
    for (const { wanted, resolution } of answers) tell(options, wanted, resolution);
    await wait(clock, pause, signal);
  }
}

function waysToName(handlers: readonly HandlerDefinition[]): Wanted[] {
  return [...Map.groupBy(handlers, ({ resource }) => selectorName(resource))].map(([name, group]) => ({
    name,
    handlers: group as [HandlerDefinition, ...HandlerDefinition[]],
    origins: group.map(({ origin }) => origin),
    told: false,
  }));
}

/** What no waiting mends. */
function refuseWrongOnes(answers: readonly Answer[]): void {
  const ambiguous = answers.flatMap(({ wanted, resolution }): AmbiguousResource[] =>
    'ambiguous' in resolution
      ? [{ resource: wanted.name, found: resolution.ambiguous.map(resourceName), handlers: wanted.origins }]
      : [],
  );
  if (ambiguous.length > 0) throw new ResourceAmbiguousError(ambiguous);
  const unsuitable = answers.flatMap(({ wanted, resolution }) =>
    'found' in resolution ? unsuitableFor(resolution.found, wanted.handlers) : [],
  );
  if (unsuitable.length > 0) throw new ResourceUnsuitableError(unsuitable);
}

function refuseLateOnes(answers: readonly Answer[], waited: number, missingKind: 'fail' | 'wait'): void {
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

/** Names that turned out to be one resource are one, with its handlers in declaration order. */
function handOver(
  answered: readonly Answer[],
  all: readonly HandlerDefinition[],
  onFound: (resource: Resource, handlers: readonly HandlerDefinition[]) => void,
): void {
  const found = answered.flatMap(({ wanted, resolution }) =>
    'found' in resolution ? wanted.handlers.map((handler) => ({ handler, resource: resolution.found })) : [],
  );
  for (const same of Map.groupBy(found, ({ resource }) => resourceName(resource)).values()) {
    const [first] = same;
    if (first === undefined) continue;
    const own = new Set(same.map(({ handler }) => handler));
    onFound(
      first.resource,
      all.filter((handler) => own.has(handler)),
    );
  }
}

function tell({ logger, config }: ResourceLookupOptions, wanted: Wanted, resolution: Resolution): void {
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

function unsuitableFor(resource: Resource, handlers: readonly HandlerDefinition[]): UnsuitableResource[] {
  const keepsProgress = ({ triggers }: HandlerDefinition): boolean =>
    triggers.some(({ on }) => on !== 'event' && on !== 'resume' && on !== 'reconcile');
  const lacking = (verbs: readonly string[], needed: readonly HandlerDefinition[]): UnsuitableResource[] => {
    const missingVerbs = needed.length === 0 ? [] : verbs.filter((verb) => !resource.verbs.includes(verb));
    const origins = needed.map(({ origin }) => origin);
    return missingVerbs.length === 0 ? [] : [{ resource: resourceName(resource), missingVerbs, handlers: origins }];
  };
  return [...lacking(['list', 'watch'], handlers), ...lacking(['patch'], handlers.filter(keepsProgress))];
}
