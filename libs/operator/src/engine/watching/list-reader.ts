import type { ApiClient, ApiRequest } from '../client/api-client.js';
import { unlessAborted } from '../client/wait.js';
import type { StoredObject } from '../kube-object.js';
import { failureKind } from './request-failure.js';
import type { ListVersion, ResourceRequests } from './resource-requests.js';

export type ListEnd =
  | { readonly by: 'items'; readonly items: readonly StoredObject[]; readonly version: string }
  /** `expired`: the token of a further page is too old; the list has to begin anew, best in one piece. */
  | { readonly by: 'refusal'; readonly error: unknown; readonly expired: boolean }
  | { readonly by: 'broken'; readonly problem: string };

export interface ListReaderOptions {
  readonly client: ApiClient;
  readonly requests: ResourceRequests;
}

interface ListPage {
  readonly kind?: unknown;
  readonly metadata?: { readonly resourceVersion?: unknown; readonly continue?: unknown };
  readonly items?: readonly StoredObject[] | null;
}

/** A list in one piece may hold everything there is. Milliseconds. */
const wholeListTimeout = 120_000;

/** Reads a whole list, in pages of `limit` objects if given. Rejects only with the signal's reason. */
export async function readList(
  options: ListReaderOptions,
  version: ListVersion,
  limit: number | undefined,
  signal: AbortSignal,
): Promise<ListEnd> {
  const { requests } = options;
  const items: StoredObject[] = [];
  let request: ApiRequest = {
    ...requests.list(version, limit),
    // The reflector repeats a list by its own back-off, so that its state is seen.
    retry: 'none',
    ...(limit === undefined ? { timeout: wholeListTimeout } : {}),
  };
  for (let page = 1; ; page++) {
    const end = await readPage(options, request, signal);
    if (end.by !== 'page') {
      return end.by === 'broken' ? end : { ...end, expired: page > 1 && failureKind(end.error) === 'gone' };
    }
    for (const item of end.items) items.push(item);
    if (end.next === undefined) return { by: 'items', items, version: end.version };
    // A page that fails is asked for again: the pages before it need not be.
    request = { ...requests.nextPage(end.next, limit), retry: 'reads' };
  }
}

/** The version that the server is at now, from a list of one. */
export async function readVersion(options: ListReaderOptions, signal: AbortSignal): Promise<ListEnd> {
  const end = await readPage(options, { ...options.requests.list('unset', 1), retry: 'none' }, signal);
  if (end.by === 'page') return { by: 'items', items: [], version: end.version };
  return end.by === 'broken' ? end : { ...end, expired: false };
}

type PageEnd =
  | {
      readonly by: 'page';
      readonly items: readonly StoredObject[];
      readonly version: string;
      readonly next: string | undefined;
    }
  | { readonly by: 'refusal'; readonly error: unknown }
  | { readonly by: 'broken'; readonly problem: string };

async function readPage(options: ListReaderOptions, request: ApiRequest, signal: AbortSignal): Promise<PageEnd> {
  let page: ListPage | null;
  try {
    const answer = options.client.request<ListPage | null>({ ...request, signal });
    page = (await unlessAborted(answer, signal)).body;
  } catch (error) {
    signal.throwIfAborted();
    return { by: 'refusal', error };
  }
  signal.throwIfAborted();
  if (typeof page !== 'object' || page === null) return { by: 'broken', problem: 'it is no JSON object' };
  const kind = `${options.requests.type.kind}List`;
  if (page.kind !== kind) return { by: 'broken', problem: `it is no ${kind}` };
  const version = page.metadata?.resourceVersion;
  if (typeof version !== 'string' || version === '') return { by: 'broken', problem: 'it is a list without a version' };
  const items = page.items ?? [];
  if (!Array.isArray(items)) return { by: 'broken', problem: 'its items are no array' };
  const token = page.metadata?.continue;
  return { by: 'page', items, version, next: typeof token === 'string' && token !== '' ? token : undefined };
}
