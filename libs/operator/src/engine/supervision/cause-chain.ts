import { types } from 'node:util';
import { ThrownValueError } from '../../errors/thrown-value.error.js';

const longestMessage = 2_000;
const mostErrors = 64;

/** The value itself when it is an error (of any realm), else an error that stands for it. */
export function ensureError(thrown: unknown): Error {
  if (thrown instanceof Error || types.isNativeError(thrown)) return thrown;
  return new ThrownValueError(describe(thrown));
}

/** The error, its `cause`, the cause's `cause` and so on; each link once, so cycles end. Members of AggregateErrors are not followed. */
export function causeChain(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let link = error; link !== undefined && !chain.includes(link); link = read(link, 'cause')) {
    chain.push(link);
    if (chain.length === mostErrors) break;
  }
  return chain;
}

/**
 * The whole cause chain as text, members of AggregateErrors included. Only names, codes, messages and stacks are shown,
 * never other properties, which may hold bodies or credentials.
 *
 * `stacks`: with the call stacks (default), else one line per error.
 */
export function renderCauseChain(error: unknown, options: { readonly stacks?: boolean } = {}): string {
  const lines: string[] = [];
  const seen = new Set<unknown>();
  const add = (link: unknown, label: string, indent: string): void => {
    if (seen.size >= mostErrors) {
      lines.push(`${indent}${label}[more errors left out]`);
      return;
    }
    if (typeof link === 'object' && link !== null) {
      if (seen.has(link)) {
        lines.push(`${indent}${label}[already shown: ${headline(link)}]`);
        return;
      }
      seen.add(link);
    }
    const [first, ...frames] = [headline(link), ...(options.stacks === false ? [] : stackFrames(link))];
    lines.push(`${indent}${label}${first}`, ...frames.map((frame) => `${indent}    ${frame}`));
    const members = read(link, 'errors');
    if (Array.isArray(members)) {
      members.forEach((member, index) => add(member, `[${index + 1} of ${members.length}] `, `${indent}  `));
    }
    const cause = read(link, 'cause');
    if (cause !== undefined) add(cause, 'Caused by: ', indent);
  };
  add(error, '', '');
  return lines.join('\n');
}

function headline(link: unknown): string {
  if (!(link instanceof Error) && !types.isNativeError(link)) return `(not an Error) ${describe(link)}`;
  const name = text(read(link, 'name')) ?? 'Error';
  const code = text(read(link, 'code'));
  const message = text(read(link, 'message')) ?? '';
  return `${name}${code === undefined ? '' : ` [${code}]`}${message === '' ? '' : `: ${shorten(message)}`}`;
}

/** The frames alone: the stack's head repeats name and message, which may be long. */
function stackFrames(link: unknown): string[] {
  const stack = text(read(link, 'stack'));
  if (stack === undefined) return [];
  return stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '));
}

/** Primitives by value, everything else by type alone. */
function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value));
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return String(value);
  if (typeof value === 'function') return 'a function';
  const type = text(read(read(value, 'constructor'), 'name'));
  return type === undefined || type === '' ? 'an object' : `an object of type ${type}`;
}

/** A property that may be missing, or throw when read. */
function read(target: unknown, property: string): unknown {
  if ((typeof target !== 'object' && typeof target !== 'function') || target === null) return undefined;
  try {
    return (target as Record<string, unknown>)[property];
  } catch {
    // A getter of a foreign error failed: reporting the rest of the chain matters more.
    return undefined;
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function shorten(value: string): string {
  return value.length <= longestMessage ? value : `${value.slice(0, longestMessage)}… (${value.length} characters)`;
}
