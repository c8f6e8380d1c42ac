import { ApiError } from '../../../errors/api.error.js';
import type { ResourceSelector } from '../../resource.js';
import type { ApiClient, ApiResponse, RetryRule } from '../api-client.js';
import { unlessAborted } from '../wait.js';
import { aggregatedAccept, isAggregated, readAggregated } from './aggregated-discovery.js';
import type { DiscoveredGroup, GroupMap } from './discovered-group.js';
import { groupMap } from './discovered-group.js';
import type { Resolution, Selection } from './find-resource.js';
import { findInGroup, findInGroups, findKindInGroup, selectInGroups } from './find-resource.js';
import type { CoreVersions, GroupDocument, GroupList } from './legacy-discovery.js';
import { checked, isUnavailability, readLegacyGroup } from './legacy-discovery.js';

/** A part of the API that could not be read. */
export interface UnavailableVersion {
  readonly group: string;
  readonly version: string;
  readonly cause: unknown;
}

export interface DiscoveryReport {
  /** Never a reason to take a resource for missing. */
  readonly unavailable: readonly UnavailableVersion[];
}

/** The core group has a document of its own. */
type Part = 'core' | 'named';

/**
 * What the server serves. Keeps what it has read; a name that is not found is looked up afresh once, and a known one
 * until {@link Discovery.refresh}. Callers that poll for a resource pace themselves.
 */
export class Discovery {
  readonly #client: Pick<ApiClient, 'request'>;
  readonly #retry: RetryRule;
  readonly #parts = new Map<Part, GroupMap>();
  readonly #legacy = new Set<Part>();
  readonly #waiting = new Map<string, Promise<void>>();
  /** Reads follow one another: an older answer never replaces a newer one. */
  #last: Promise<unknown> = Promise.resolve();

  /**
   * `retry`: of each request. Who polls anyway, and within a time limit, takes `none`. `signal`: ends reads in progress,
   * which no single caller may do, as others may wait for them.
   */
  constructor(
    client: ApiClient,
    { retry = 'reads', signal }: { readonly retry?: RetryRule; readonly signal?: AbortSignal } = {},
  ) {
    this.#client = signal === undefined ? client : { request: (request) => client.request({ ...request, signal }) };
    this.#retry = retry;
  }

  /**
   * Reads again: everything, or what is needed for one group. What is asked for now is read from now on: a read in
   * progress does not count. After a failure the former knowledge stays.
   *
   * @throws what the client throws when the server's list of groups itself cannot be had
   */
  async refresh(group?: string, signal?: AbortSignal): Promise<DiscoveryReport> {
    const work: Promise<unknown> =
      group === undefined
        ? Promise.all([this.#schedule('core'), this.#schedule('named')])
        : this.#schedule(partOf(group), group);
    await (signal === undefined ? work : unlessAborted(work, signal));
    return { unavailable: this.#unavailable(group) };
  }

  /** Finds what a user named. Rejects only for reasons that are not discovery's own: abort, a closed client, no credentials. */
  resolve(selector: ResourceSelector, signal?: AbortSignal): Promise<Resolution> {
    const { group } = selector;
    if (group === undefined) return this.#resolveAnywhere(selector, signal);
    return this.#resolveIn(group, (found) => findInGroup(found, selector), signal);
  }

  /**
   * All that a selector without a name means, by what is known: reads nothing afresh. `failed`: the server's list of groups
   * itself could not be had. Rejects as {@link Discovery.resolve} does.
   */
  async select(
    selector: ResourceSelector,
    signal?: AbortSignal,
  ): Promise<Selection & { readonly failed?: { readonly unavailable: unknown } }> {
    const { group } = selector;
    const parts: readonly Part[] = group === undefined ? ['core', 'named'] : [partOf(group)];
    for (const part of parts) {
      const failed = this.#parts.has(part) ? undefined : await this.#tryRead(part, undefined, signal);
      if (failed !== undefined) return { found: [], unavailable: [], failed };
    }
    const groups = parts.flatMap((part) => [...this.#groups(part).values()]);
    return selectInGroups(group === undefined ? groups : groups.filter((one) => one.group === group), selector);
  }

  /** Finds the resource of an object's kind. */
  resolveKind(apiVersion: string, kind: string, signal?: AbortSignal): Promise<Resolution> {
    const slash = apiVersion.indexOf('/');
    const group = slash === -1 ? '' : apiVersion.slice(0, slash);
    const version = apiVersion.slice(slash + 1);
    return this.#resolveIn(group, (found) => findKindInGroup(found, version, kind), signal);
  }

  /** The core group wins over all others: while it cannot be read, theirs is not the answer. */
  async #resolveAnywhere(selector: ResourceSelector, signal?: AbortSignal): Promise<Resolution> {
    const look = (part: Part) => (): Resolution => findInGroups(this.#groups(part).values(), selector);
    const inCore = await this.#look('core', look('core'), ['unavailable'], undefined, signal);
    if (!('missing' in inCore)) return inCore;
    const inNamed = await this.#look('named', look('named'), ['unavailable', 'missing'], undefined, signal);
    if (!('missing' in inNamed)) return inNamed;
    // It is nowhere: the core group's turn to be read again.
    const again = await this.#look('core', look('core'), ['missing'], undefined, signal);
    return 'missing' in again ? { missing: true, served: [...again.served, ...inNamed.served] } : again;
  }

  #resolveIn(group: string, find: (group: DiscoveredGroup) => Resolution, signal?: AbortSignal): Promise<Resolution> {
    const part = partOf(group);
    const look = (): Resolution => {
      const found = this.#groups(part).get(group);
      return found === undefined ? { missing: true, served: [] } : find(found);
    };
    return this.#look(part, look, ['unavailable', 'missing'], group, signal);
  }

  /** Looks at what is known, and once more after a fresh read if the first look gives one of `unsure`. */
  async #look(
    part: Part,
    look: () => Resolution,
    unsure: readonly ('unavailable' | 'missing')[],
    group: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Resolution> {
    const known = this.#parts.has(part);
    if (known) {
      const first = look();
      if (!unsure.some((state) => state in first)) return first;
    }
    const failure = await this.#tryRead(part, known ? group : undefined, signal);
    return failure ?? look();
  }

  async #tryRead(
    part: Part,
    group: string | undefined,
    signal?: AbortSignal,
  ): Promise<{ readonly unavailable: unknown } | undefined> {
    try {
      const work = this.#schedule(part, group);
      await (signal === undefined ? work : unlessAborted(work, signal));
      return undefined;
    } catch (error) {
      if (!isUnavailability(error)) throw error;
      return { unavailable: error };
    }
  }

  #groups(part: Part): GroupMap {
    return this.#parts.get(part) ?? new Map();
  }

  /** Joins a read of the same kind that has not begun; else queues one. */
  #schedule(part: Part, group?: string): Promise<void> {
    // Only the older documents can be read group by group.
    const single = group !== undefined && part === 'named' && this.#legacy.has(part) && this.#parts.has(part);
    const key = single ? `named/${group}` : part;
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return waiting;
    const work = this.#last.then(() => {
      this.#waiting.delete(key);
      return single ? this.#readGroup(group) : this.#readPart(part);
    });
    this.#waiting.set(key, work);
    // Whoever asked is told of a failure; those in the queue behind it only wait for its end.
    this.#last = work.then(ignore, ignore);
    return work;
  }

  async #readPart(part: Part): Promise<void> {
    const document = await this.#readRoot(part);
    if (isAggregated(document)) {
      this.#legacy.delete(part);
      this.#parts.set(part, groupMap(readAggregated(document)));
      return;
    }
    this.#legacy.add(part);
    const list =
      part === 'core'
        ? [coreDocument(checked<CoreVersions>(document, 'APIVersions', '/api'))]
        : (checked<GroupList>(document, 'APIGroupList', '/apis').groups ?? []);
    const groups = await Promise.all(list.map((group) => readLegacyGroup(this.#client, group)));
    this.#parts.set(part, groupMap(groups));
  }

  async #readRoot(part: Part): Promise<unknown> {
    const path = part === 'core' ? '/api' : '/apis';
    try {
      return (await this.#get(path, aggregatedAccept)).body;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 406) throw error;
      return (await this.#get(path)).body;
    }
  }

  #get(path: string, accept?: string): Promise<ApiResponse<unknown>> {
    return this.#client.request({
      verb: 'get',
      path,
      retry: this.#retry,
      ...(accept === undefined ? {} : { accept }),
    });
  }

  async #readGroup(group: string): Promise<void> {
    const groups = new Map(this.#groups('named'));
    try {
      const path = `/apis/${encodeURIComponent(group)}`;
      const { body } = await this.#get(path);
      groups.set(group, await readLegacyGroup(this.#client, checked<GroupDocument>(body, 'APIGroup', path)));
    } catch (error) {
      if (!(error instanceof ApiError) || !error.isNotFound) throw error;
      groups.delete(group);
    }
    this.#parts.set('named', groups);
  }

  #unavailable(only: string | undefined): readonly UnavailableVersion[] {
    return [...this.#parts.values()]
      .flatMap((groups) => [...groups.values()])
      .filter((group) => only === undefined || group.group === only)
      .flatMap(({ group, versions }) =>
        versions.flatMap((entry) =>
          'unavailable' in entry ? [{ group, version: entry.version, cause: entry.unavailable }] : [],
        ),
      );
  }
}

function partOf(group: string): Part {
  return group === '' ? 'core' : 'named';
}

function coreDocument(document: CoreVersions): GroupDocument {
  return { name: '', versions: (document.versions ?? []).map((version) => ({ version })) };
}

function ignore(): void {}
