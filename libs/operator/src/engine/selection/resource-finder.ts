import { DiscoveryFailedError } from '../../errors/discovery-failed.error.js';
import { ResourceAmbiguousError, type AmbiguousResource } from '../../errors/resource-ambiguous.error.js';
import { ResourceMissingError, type MissingResource } from '../../errors/resource-missing.error.js';
import type { Discovery } from '../client/discovery/discovery.js';
import { unlessAborted, wait } from '../client/wait.js';
import type { OperatorConfig } from '../operator-config.js';
import type { Clock, Logger } from '../ports/index.js';
import { isBuiltInGroup, isNamed, resourceName } from '../resource.js';
import type { Assignment } from './assign-resources.js';
import type { DefinitionNews } from './definition-watch.js';
import type { ResourceDemand } from './resource-demand.js';
import { ResourceSurvey, type Findings, type OpenWay } from './resource-survey.js';

export interface ResourceFinderOptions<D extends ResourceDemand> {
  readonly discovery: Pick<Discovery, 'resolve' | 'select' | 'refresh'>;
  readonly definitions: DefinitionNews;
  readonly config: Pick<OperatorConfig['watching'], 'syncTimeout' | 'missingKind'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** All that is to be served from now on. */
  readonly onFindings: (assignments: readonly Assignment<D>[]) => void;
  /** Called once, when all that is named has been found. */
  readonly onComplete: () => void;
}

/** While something that is named is missing, or discovery fails. */
const firstPause = 500;
const longestPause = 5_000;
/** While a part of the API cannot be looked at that selections may find something in. */
const incompletePause = 60_000;
/** Where definitions may not be watched, and before a definition tells of what no definition makes. */
const idlePause = 300_000;

/**
 * Says what is to be served, at the start and whenever definitions change. At the start it waits for what is named, within
 * `syncTimeout` or for as long as it takes.
 */
export class ResourceFinder<D extends ResourceDemand> {
  readonly #options: ResourceFinderOptions<D>;
  readonly #survey: ResourceSurvey<D>;
  readonly #told = new Set<string>();
  /** Since when discovery could not be had for a way, monotonic. */
  readonly #unavailableSince = new Map<string, number>();
  #complete = false;

  constructor(options: ResourceFinderOptions<D>, demands: readonly D[]) {
    this.#options = options;
    this.#survey = new ResourceSurvey(options, demands);
  }

  /**
   * The root task.
   *
   * @throws one error for all names that are wrong in the same way
   */
  async run(signal: AbortSignal): Promise<never> {
    const { definitions, clock, config, onFindings, onComplete } = this.#options;
    const begun = clock.monotonic();
    for (let pause = firstPause; ; pause = Math.min(longestPause, pause * 2)) {
      // Asked for before the look: what changes during it is news.
      const news = definitions.next();
      const findings = await this.#survey.look(signal);
      const { open } = findings;
      refuseAmbiguous(open);
      onFindings(findings.assignments);
      if (open.length === 0 && !this.#complete) {
        this.#complete = true;
        onComplete();
      }
      const waited = Math.round(clock.monotonic() - begun);
      if (!this.#complete) this.#refuseLateOnes(open, waited);
      for (const way of open) this.#tell(way);
      if (this.#needsNews(findings)) definitions.need();
      const inTime = waited >= config.syncTimeout ? Infinity : config.syncTimeout - waited;
      await this.#rest(Math.min(this.#pause(findings, pause), open.length > 0 ? inTime : Infinity), news, signal);
    }
  }

  /** Whether a definition may change what is served. A kind that goes asks for itself. */
  #needsNews({ open, assignments }: Findings<D>): boolean {
    if (open.length > 0 || this.#survey.ways.some(({ selector }) => !isNamed(selector))) return true;
    const unversioned = this.#survey.ways.filter(({ selector }) => selector.version === undefined);
    const kinds = new Set(unversioned.flatMap(({ demands }) => demands));
    return assignments.some(
      ({ resource, demands }) => !isBuiltInGroup(resource.group) && demands.every((demand) => kinds.has(demand)),
    );
  }

  /** Milliseconds until the next look, if there is no news before. */
  #pause({ open, incomplete }: Findings<D>, pause: number): number {
    const { following } = this.#options.definitions;
    if (open.some(({ resolution }) => !('missing' in resolution) || !following)) return pause;
    if (incomplete) return incompletePause;
    if (open.length > 0) return idlePause;
    const selects = this.#survey.ways.some(({ selector }) => !isNamed(selector));
    return following || !selects ? Infinity : idlePause;
  }

  #refuseLateOnes(open: readonly OpenWay[], waited: number): void {
    const { config, clock } = this.#options;
    const missing = open.flatMap(({ way, resolution }): MissingResource[] =>
      'missing' in resolution ? [{ resource: way.name, served: resolution.served, handlers: way.origins }] : [],
    );
    const isLate = waited >= config.syncTimeout;
    if (isLate && missing.length > 0 && config.missingKind === 'fail') throw new ResourceMissingError(missing, waited);
    const unavailable = open.flatMap(({ way, resolution }) =>
      'unavailable' in resolution ? [{ name: way.name, cause: resolution.unavailable }] : [],
    );
    const now = clock.monotonic();
    const names = new Set(unavailable.map(({ name }) => name));
    for (const name of this.#unavailableSince.keys()) if (!names.has(name)) this.#unavailableSince.delete(name);
    for (const name of names) if (!this.#unavailableSince.has(name)) this.#unavailableSince.set(name, now);
    const late = unavailable.filter(
      ({ name }) => now - (this.#unavailableSince.get(name) ?? now) >= config.syncTimeout,
    );
    const [first] = late;
    if (first === undefined) return;
    throw new DiscoveryFailedError(
      late.map(({ name }) => name),
      waited,
      { cause: first.cause },
    );
  }

  async #rest(pause: number, news: Promise<void>, signal: AbortSignal): Promise<void> {
    const { clock, discovery, logger } = this.#options;
    if (pause === Infinity) return unlessAborted(news, signal);
    const over = new AbortController();
    const time = wait(clock, pause, AbortSignal.any([signal, over.signal])).then(() => 'time' as const);
    try {
      if ((await Promise.race([time, news])) !== 'time' || pause <= longestPause) return;
    } finally {
      over.abort(new Error('There is news.'));
    }
    try {
      await discovery.refresh(undefined, signal);
    } catch (error) {
      signal.throwIfAborted();
      logger.log('debug', 'Discovery could not be read', {}, error);
    }
  }

  #tell({ way, resolution }: OpenWay): void {
    if (this.#told.has(way.name)) return;
    this.#told.add(way.name);
    const { config, logger } = this.#options;
    const fields = { resource: way.name, handlers: way.origins };
    if ('unavailable' in resolution) {
      const message = 'Waiting for the discovery of a resource';
      logger.log('warn', message, { ...fields, timeout: config.syncTimeout }, resolution.unavailable);
    } else {
      const timeout = config.missingKind === 'wait' ? 'none' : config.syncTimeout;
      logger.log('warn', 'Waiting for a resource that the server does not serve', { ...fields, timeout });
    }
  }
}

export function refuseAmbiguous(open: readonly OpenWay[]): void {
  const ambiguous = open.flatMap(({ way, resolution }): AmbiguousResource[] =>
    'ambiguous' in resolution
      ? [{ resource: way.name, found: resolution.ambiguous.map(resourceName), handlers: way.origins }]
      : [],
  );
  if (ambiguous.length > 0) throw new ResourceAmbiguousError(ambiguous);
}
