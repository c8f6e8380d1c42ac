import { posix } from 'node:path';
import { goQuote } from '../cel/library/go-quote.js';
import { pause } from '../clock.js';
import { isObject, parseJson, type KubeObject } from '../json.js';
import type { ResourceType } from '../resources/resource-type.js';
import { parseFieldSelector } from '../selectors/field-selector.js';
import { parseLabelSelector } from '../selectors/label-selector.js';
import { errors, type ApiError, type StatusCause } from '../status.js';
import { CompactedError } from '../store/store.js';
import { represented } from './representations.js';
import type { ServerContext } from './server-context.js';
import { wait, type Steps } from './steps.js';

/** How long a read waits for a revision that the server has not reached, in milliseconds. */
const freshnessWait = 3000;

/** The query parameters of a list or a watch, checked. */
export interface ListOptions {
  readonly limit: number;
  readonly continue: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: '' | 'Exact' | 'NotOlderThan';
  readonly sendInitialEvents: boolean | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly timeoutSeconds: number | undefined;
  readonly matches: ((stored: KubeObject) => boolean) | undefined;
  /** `matches` looks at fields of the version that was asked for, and not only at what all versions share. */
  readonly byFields: boolean;
}

/** A page of a list. */
export interface ListResult {
  readonly revision: number;
  readonly items: readonly KubeObject[];
  readonly continue: string;
  readonly remaining: number | undefined;
}

const isInt64 = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

function integer(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const problem = !/^[+-]?\d+$/.test(text)
    ? 'invalid syntax'
    : isInt64(BigInt(text.replace(/^\+/, '')))
      ? ''
      : 'value out of range';
  if (problem !== '') throw errors.badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: ${problem}`);
  return Number(text);
}

export function flag(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  return text === null ? undefined : text.toLowerCase() !== 'false' && text !== '0';
}

/** Reads and checks the options; `watch` decides which rules hold. */
export function listOptions(query: URLSearchParams, type: ResourceType, watch: boolean): ListOptions {
  const resourceVersion = query.get('resourceVersion') ?? '';
  const match = query.get('resourceVersionMatch') ?? '';
  const sendInitialEvents = flag(query, 'sendInitialEvents');
  const causes: StatusCause[] = [];
  const forbid = (field: string, text: string): void => {
    causes.push({ reason: 'FieldValueForbidden', message: `Forbidden: ${text}`, field });
  };
  if (watch) {
    const promoted = sendInitialEvents !== undefined || resourceVersion === '' || resourceVersion === '0';
    if (promoted && query.get('continue')) {
      forbid('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided');
    }
    if (sendInitialEvents !== undefined) {
      if (match !== 'NotOlderThan') {
        forbid('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
      }
    } else if (match !== '') {
      forbid(
        'resourceVersionMatch',
        'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      );
    }
  } else {
    if (sendInitialEvents !== undefined) forbid('sendInitialEvents', 'sendInitialEvents is forbidden for list');
    if (match !== '') {
      if (resourceVersion === '')
        forbid('resourceVersionMatch', 'resourceVersionMatch is forbidden unless resourceVersion is provided');
      if (query.get('continue'))
        forbid('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided');
      if (!['Exact', 'NotOlderThan'].includes(match)) {
        causes.push({
          reason: 'FieldValueNotSupported',
          message: `Unsupported value: ${JSON.stringify(match)}: supported values: "Exact", "NotOlderThan", ""`,
          field: 'resourceVersionMatch',
        });
      }
      if (match === 'Exact' && resourceVersion === '0') {
        forbid('resourceVersionMatch', 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
      }
    }
  }
  const timeoutSeconds = integer(query, 'timeoutSeconds');
  const limit = integer(query, 'limit') ?? 0;
  const labels = parseLabelSelector(query.get('labelSelector') ?? '');
  const fields = parseFieldSelector(query.get('fieldSelector') ?? '', type);
  if (query.has('shardSelector')) throw errors.badRequest('shardSelector is not supported by this server');
  if (causes.length > 0) throw errors.invalidOptions('ListOptions', causes);
  return {
    limit: Math.max(0, limit),
    continue: query.get('continue') ?? '',
    resourceVersion,
    resourceVersionMatch: match as ListOptions['resourceVersionMatch'],
    sendInitialEvents,
    allowWatchBookmarks: flag(query, 'allowWatchBookmarks') ?? false,
    timeoutSeconds,
    byFields: type.custom !== undefined && hasOwnFields(query.get('fieldSelector') ?? ''),
    matches:
      labels === undefined && fields === undefined
        ? undefined
        : (object) => (labels?.(object.metadata.labels) ?? true) && (fields?.(object) ?? true),
  };
}

const hasOwnFields = (selector: string): boolean =>
  selector.split(',').some((term) => term !== '' && !term.startsWith('metadata.'));

/** Whether an object is among those that were asked for. Selection by fields needs it in the version of `type`. */
export function isSelected(
  { representations }: ServerContext,
  type: ResourceType,
  { matches, byFields }: ListOptions,
  stored: KubeObject,
): boolean {
  return matches === undefined || matches(byFields ? representations.object(type, stored) : stored);
}

/** What is wrong with a text that should be an unsigned number of 64 bits; undefined when nothing is. */
export function unsignedProblem(text: string): string | undefined {
  const problem = !/^\d+$/.test(text) ? 'invalid syntax' : BigInt(text) >= 2n ** 64n ? 'value out of range' : undefined;
  return problem === undefined ? undefined : `strconv.ParseUint: parsing ${goQuote(text)}: ${problem}`;
}

const malformed = (text: string): string | undefined => {
  const problem = unsignedProblem(text);
  return problem === undefined ? undefined : `resourceVersion: Invalid value: ${goQuote(text)}: ${problem}`;
};

export function parseRevision(text: string): number {
  const problem = malformed(text);
  if (problem !== undefined) throw errors.badRequest(`invalid resource version: ${problem}`);
  return Number(text);
}

/** As for a watch or a single object, where the real server answers 500. */
export function parseWatchRevision(text: string): number {
  const problem = malformed(text);
  if (problem !== undefined) throw errors.plain(problem);
  return Number(text);
}

/** Waits until the store has reached a revision, or fails with 504. Immediate when it has. */
export async function reachRevision(context: ServerContext, revision: number): Promise<void> {
  const { store, clock } = context;
  if (revision <= store.revision) return;
  const reached = new AbortController();
  const unsubscribe = store.subscribe((event) => {
    if (event.revision >= revision) reached.abort();
  });
  await pause(clock, freshnessWait, AbortSignal.any([reached.signal, context.closing]));
  unsubscribe();
  if (revision > store.revision) throw errors.tooLargeVersion(revision, store.revision);
}

/** Reads a list, ready to be shown. `asOf` replaces what the client asked for by an older revision. */
export function* listObjects(
  context: ServerContext,
  type: ResourceType,
  namespace: string | undefined,
  options: ListOptions,
  asOf?: number,
): Steps<ListResult> {
  const { store } = context;
  const wanted = options.resourceVersion;
  if (options.continue !== '') {
    const token = decodeContinue(options.continue);
    if (wanted !== '' && wanted !== '0') {
      throw errors.badRequest('specifying resource version is not allowed when using continue');
    }
    const latest = token.rv === -1;
    try {
      return yield* page(context, type, namespace, options, latest ? undefined : token.rv, token.start);
    } catch (error) {
      if (!(error instanceof CompactedError)) throw error;
      throw expiredPage(options.continue);
    }
  }
  if (asOf !== undefined) return yield* page(context, type, namespace, options, asOf, '');
  if (wanted === '') return yield* page(context, type, namespace, options, undefined, '');
  const revision = parseRevision(wanted);
  if (revision === 0) return yield* page(context, type, namespace, { ...options, limit: 0 }, undefined, '');
  const exact = options.resourceVersionMatch === 'Exact' || (options.resourceVersionMatch === '' && options.limit > 0);
  if (revision > store.revision) yield* wait(reachRevision(context, revision));
  try {
    return yield* page(context, type, namespace, options, exact ? revision : undefined, '');
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error;
    throw expiredPage('');
  }
}

/** What a list says when its version is not kept any more; with a continue token, how to go on all the same. */
export function expiredPage(token: string): ApiError {
  if (token === '') return errors.expired('The resourceVersion for the provided list is too old.');
  return errors.expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    encodeContinue(-1, decodeContinue(token).start),
  );
}

function* page(
  context: ServerContext,
  type: ResourceType,
  namespace: string | undefined,
  options: ListOptions,
  at: number | undefined,
  start: string,
): Steps<ListResult> {
  const { store } = context;
  const prefix = namespace === undefined ? '' : `${namespace}/`;
  const revision = at ?? store.revision;
  const items: KubeObject[] = [];
  let last = '';
  let more = 0;
  const stored = store.list(type.storage, at).filter(({ key }) => key.startsWith(prefix));
  if (options.byFields) {
    yield* represented(
      context,
      type,
      stored.map(({ object }) => object),
    );
  }
  for (const { key, object } of stored) {
    const relative = key.slice(prefix.length);
    if (start !== '' && relative < start) continue;
    // What lies beyond a full page is not looked at, so that a page may turn out to be the last, or an empty one.
    if (options.limit > 0 && items.length >= options.limit) {
      more++;
      continue;
    }
    if (!isSelected(context, type, options, object)) continue;
    items.push(object);
    last = relative;
  }
  yield* represented(context, type, items);
  return {
    revision,
    items,
    continue: more > 0 ? encodeContinue(revision, `${last}\u0000`) : '',
    remaining: more > 0 && options.matches === undefined ? more : undefined,
  };
}

function encodeContinue(revision: number, start: string): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start })).toString('base64url');
}

function decodeContinue(token: string): { rv: number; start: string } {
  const fail = (why: string): never => {
    throw errors.badRequest(`invalid continue token: continue key is not valid: ${why}`);
  };
  const illegal = /[^\w-]/.exec(token)?.index ?? (token.length % 4 === 1 ? token.length - 1 : undefined);
  if (illegal !== undefined) return fail(`illegal base64 data at input byte ${illegal}`);
  let value: unknown;
  try {
    value = parseJson(Buffer.from(token, 'base64url').toString('latin1'));
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
  if (value !== null && !isObject(value)) {
    const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    return fail(`json: cannot unmarshal ${found} into Go value of type storage.continueToken`);
  }
  const { v = '', rv, start } = value ?? {};
  if (v !== 'meta.k8s.io/v1') return fail(`server does not recognize this encoded version ${String(v)}`);
  if (typeof rv !== 'number' || rv === 0 || !Number.isInteger(rv))
    return fail('incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  if (typeof start !== 'string' || start === '') return fail('encoded start key empty (version meta.k8s.io/v1)');
  const key = start.startsWith('/') ? start : `/${start}`;
  if (key !== '/' && key !== posix.normalize(key).replace(/\/$/, '')) return fail(start);
  return { rv, start: key.slice(1) };
}
