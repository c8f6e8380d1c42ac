import { ApiError } from '../../errors/api.error.js';
import type { ApiErrorDetails } from '../../errors/api.error.js';
import type { Clock } from '../ports/index.js';
import type { ApiRequest } from './api-client.js';
import { hideValues } from './hide-values.js';

interface StatusBody {
  readonly kind?: unknown;
  readonly reason?: unknown;
  readonly message?: unknown;
  readonly details?: {
    readonly kind?: unknown;
    readonly name?: unknown;
    readonly group?: unknown;
    readonly uid?: unknown;
    readonly retryAfterSeconds?: unknown;
    readonly causes?: readonly { readonly reason?: unknown; readonly field?: unknown }[] | null;
  } | null;
}

export interface FailedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The typed error for an answer that is not a success. */
export function readFailure(request: ApiRequest, answer: FailedAnswer, clock: Clock): ApiError {
  const body = parseStatus(answer.text);
  const details = body?.details ?? undefined;
  return new ApiError({
    verb: request.verb,
    path: request.path,
    status: answer.status,
    reason: text(body?.reason) ?? '',
    serverMessage: hideValues(text(body?.message) ?? describeForeign(answer)),
    details: details === undefined ? undefined : readDetails(details),
    retryAfter: retryAfterOf(answer.headers['retry-after'], details?.retryAfterSeconds, clock),
  });
}

function parseStatus(content: string): StatusBody | undefined {
  if (!content.trimStart().startsWith('{')) return undefined;
  try {
    const body = JSON.parse(content) as StatusBody;
    return body.kind === 'Status' ? body : undefined;
  } catch {
    // Not JSON after all, or cut off: the status code says enough.
    return undefined;
  }
}

/** Says what came without repeating it: proxies and load balancers answer in pages of their own. */
function describeForeign(answer: FailedAnswer): string {
  const type = answer.headers['content-type'] ?? 'unnamed type';
  return answer.text === ''
    ? 'the answer is empty'
    : `the answer is no Status but ${answer.text.length} characters of ${type}`;
}

function readDetails(details: NonNullable<StatusBody['details']>): ApiErrorDetails {
  return {
    kind: text(details.kind),
    name: text(details.name),
    group: text(details.group),
    uid: text(details.uid),
    causes: (details.causes ?? []).map((cause) => ({ reason: text(cause.reason), field: text(cause.field) })),
  };
}

/** Milliseconds. The header is a number of seconds or a date; the body's number counts where the header is missing. */
export function retryAfterOf(header: string | undefined, seconds: unknown, clock: Clock): number | undefined {
  const value = header?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const date = value === '' ? Number.NaN : Date.parse(value);
  if (!Number.isNaN(date)) return Math.max(0, date - clock.now());
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1_000 : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
