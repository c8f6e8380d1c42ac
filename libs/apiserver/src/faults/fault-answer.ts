import type { JsonObject } from '../json.js';
import type { FaultAction } from './fault.js';

/** What the action `answer` sends in the server's place. */
export function faultAnswer(action: Extract<FaultAction, { action: 'answer' }>): {
  status: number;
  contentType: string;
  body: string;
  headers: Record<string, string>;
} {
  const { status, retryAfter } = action;
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  if (typeof action.body === 'string') {
    return { status, contentType: 'text/plain; charset=utf-8', body: action.body, headers };
  }
  const document: JsonObject = action.body ?? {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: action.message ?? `the server answered ${status} on purpose`,
    reason: action.reason ?? reasons[status] ?? 'Unknown',
    ...(retryAfter === undefined ? {} : { details: { retryAfterSeconds: retryAfter } }),
    code: status,
  };
  return { status, contentType: 'application/json', body: JSON.stringify(document), headers };
}

const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Expired',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};
