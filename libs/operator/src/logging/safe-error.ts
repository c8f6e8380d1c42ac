import { types } from 'node:util';

/** An error as JSON: names, codes, messages and stacks, nothing else that it may carry. */
export interface ErrorDescription {
  readonly name: string;
  readonly message: string;
  readonly code?: string | number;
  readonly stack?: string;
  readonly cause?: ErrorDescription;
  readonly errors?: readonly ErrorDescription[];
}

const deepest = 16;

/**
 * A description that may be logged. Errors of clients carry bodies and headers as properties, and client-node's
 * ApiException repeats them in its message: those parts are left out.
 */
export function describeError(error: unknown, above: readonly unknown[] = []): ErrorDescription {
  if (!isError(error)) return { name: 'ThrownValue', message: describeValue(error) };
  const { name } = error;
  const message = safeMessage(error);
  const code = (error as { code?: unknown }).code;
  const { cause } = error;
  const members = (error as { errors?: unknown }).errors;
  const path = [...above, error];
  const shown = (one: unknown): boolean => !path.includes(one) && path.length < deepest;
  return {
    name,
    message,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    stack: [`${name}: ${message}`, ...frames(error)].join('\n'),
    ...(cause === undefined || !shown(cause) ? {} : { cause: describeError(cause, path) }),
    ...(Array.isArray(members) ? { errors: members.filter(shown).map((one) => describeError(one, path)) } : {}),
  };
}

/** The description as an error again, for sinks that treat errors in their own way. */
export function safeError(error: unknown): Error {
  return revive(describeError(error), isError(error) ? error.constructor : Error);
}

function revive(description: ErrorDescription, type: unknown = Error): Error {
  const { name, message, stack, code, cause, errors } = description;
  const error = new Error(message, cause === undefined ? undefined : { cause: revive(cause) });
  const hidden = {
    name,
    stack,
    constructor: type,
    ...(errors === undefined ? {} : { errors: errors.map((one) => revive(one)) }),
  };
  for (const [key, value] of Object.entries(hidden)) {
    Object.defineProperty(error, key, { value, enumerable: false, configurable: true, writable: true });
  }
  return code === undefined ? error : Object.assign(error, { code });
}

function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}

function safeMessage(error: Error): string {
  const { message } = error;
  const body = 'body' in error ? message.indexOf('\nBody: ') : -1;
  return body === -1 ? message : message.slice(0, body).replaceAll('\n', ', ');
}

function frames({ stack }: Error): string[] {
  return (stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return String(value);
  return `a thrown ${typeof value}`;
}
