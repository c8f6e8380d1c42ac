import type { IncomingMessage } from 'node:http';
import type { Verb } from '../pipeline/api-request.js';
import type { RequestRecord } from '../request-log.js';
import { readable } from './request-body.js';
import type { ResourcePath } from './request-info.js';

/** A record of the request log while its request goes on. */
export type RequestEntry = { -readonly [K in Exclude<keyof RequestRecord, 'body'>]: RequestRecord[K] } & {
  readonly body: unknown;
  /** The body as it came. Read only when somebody asks for what is in it. */
  text: string | undefined;
};

/** The record of a request that has just come. */
export function requestEntry(
  request: IncomingMessage,
  url: URL,
  verb: Verb,
  resource: ResourcePath | undefined,
  at: number,
): RequestEntry {
  let read: { readonly body: unknown } | undefined;
  const entry: RequestEntry = {
    at,
    method: request.method ?? 'GET',
    path: url.pathname,
    verb: resource === undefined ? undefined : verb,
    group: resource?.group,
    resource: resource?.plural,
    namespace: resource?.namespace,
    name: resource?.name,
    subresource: resource?.subresource,
    query: url.searchParams,
    user: undefined,
    userAgent: request.headers['user-agent'],
    contentType: request.headers['content-type'],
    get body() {
      if (entry.text === undefined) return undefined;
      return (read ??= { body: readable(entry.text, entry.contentType) }).body;
    },
    text: undefined,
    status: undefined,
    bytes: 0,
    duration: undefined,
  };
  return entry;
}
