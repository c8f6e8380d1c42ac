import type { LogFields, LogRecord } from '../engine/ports/index.js';
import { describeError, type ErrorDescription } from './safe-error.js';

/**
 * A record for a terminal: the message, then `key=value`, then the error's chain, all on one line. Stacks follow on lines
 * of their own at level `error` only, in the same write.
 */
export function textLine({ level, message, fields, error }: LogRecord): string {
  const parts = fieldParts(fields);
  if (error === undefined) return [message, ...parts].join(' ');
  const description = describeError(error);
  const line = [message, ...parts, `error=${JSON.stringify(chain(description))}`].join(' ');
  return level === 'error' ? [line, ...stacks(description)].join('\n') : line;
}

/** Fields as `key=value`. */
export function fieldsText(fields: LogFields): string {
  return fieldParts(fields).join(' ');
}

function fieldParts(fields: LogFields): string[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${fieldText(value)}`);
}

function fieldText(value: unknown): string {
  if (typeof value === 'string') return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  if (typeof value === 'bigint') return value.toString();
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    // A field that is no JSON must not lose the record.
    return typeof value;
  }
}

function chain({ name, code, message, cause, errors }: ErrorDescription): string {
  const head = `${name}${code === undefined ? '' : ` [${code}]`}: ${message}`;
  const members = errors === undefined || errors.length === 0 ? '' : ` (${errors.map(chain).join('; ')})`;
  return `${head}${members}${cause === undefined ? '' : ` <- ${chain(cause)}`}`;
}

function stacks({ stack, cause, errors = [] }: ErrorDescription, label = ''): string[] {
  const own = (stack ?? '').split('\n').map((line, index) => (index === 0 ? `  ${label}${line}` : `  ${line}`));
  return [
    ...own,
    ...errors.flatMap((member, index) => stacks(member, `[${index + 1} of ${errors.length}] `)),
    ...(cause === undefined ? [] : stacks(cause, 'Caused by: ')),
  ];
}
