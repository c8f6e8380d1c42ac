import type { HandlerDeclaration } from '../decorators/handler-declaration.js';
import { parseDuration } from '../duration.js';
import type { Backoff, HandlerPolicy } from '../engine/handling/handler-definition.js';
import { tryDuration } from './try-duration.js';

type Report = (problem: string) => void;

const policyOptions = [
  'retries',
  'timeout',
  'giveUpAfter',
  'backoff',
  'errors',
  'abortOnChange',
  'result',
  'asHandlerError',
] as const;

type PolicyOption = (typeof policyOptions)[number];

/** One policy for all decorators of a method: it is one handler. Problems go to `report`. */
export function compilePolicy(declarations: readonly HandlerDeclaration[], report: Report): HandlerPolicy {
  const options = new Map<PolicyOption, unknown>();
  for (const name of policyOptions) {
    const values = declarations.map((declaration) => declaration.options[name]).filter((value) => value !== undefined);
    const [first] = values;
    if (first === undefined) continue;
    options.set(name, first);
    if (values.some((value) => !same(value, first))) {
      report(`stacked decorators give option "${name}" different values, but are one handler with one policy`);
    }
  }
  const duration = (name: 'timeout' | 'giveUpAfter'): { [name]?: number } => {
    const value = options.get(name);
    if (value === undefined) return {};
    const parsed = tryDuration(value, name, report);
    if (parsed === 0) report(`option "${name}" is 0: no attempt could run`);
    return parsed === undefined ? {} : { [name]: parsed };
  };
  const backoff = compileBackoff(options.get('backoff'), report);
  const retries = options.get('retries');
  if (retries !== undefined && !(Number.isInteger(retries) && (retries as number) >= 1)) {
    report('option "retries" counts attempts: a whole number from 1 on');
  }
  const asHandlerError = options.get('asHandlerError');
  if (asHandlerError !== undefined && typeof asHandlerError !== 'function') {
    report('option "asHandlerError" is not a function');
  }
  const abortOnChange = options.get('abortOnChange');
  if (abortOnChange !== undefined && typeof abortOnChange !== 'boolean') {
    report('option "abortOnChange" is neither true nor false');
  }
  return {
    ...(typeof retries === 'number' ? { retries } : {}),
    ...duration('timeout'),
    ...duration('giveUpAfter'),
    ...(backoff === undefined ? {} : { backoff }),
    ...compileJitter(options.get('backoff'), report),
    errors: choice(options.get('errors'), 'errors', ['temporary', 'permanent', 'ignored'], report),
    abortOnChange: abortOnChange === true,
    result: choice(options.get('result'), 'result', ['merge', 'byHandler'], report),
    ...(typeof asHandlerError === 'function'
      ? { asHandlerError: asHandlerError as NonNullable<HandlerPolicy['asHandlerError']> }
      : {}),
  };
}

function compileBackoff(value: unknown, report: Report): Backoff | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'function') {
    const compute = value as (failures: number) => unknown;
    return (failures) => parseDuration(compute(failures));
  }
  if (Array.isArray(value)) return compileDelays(value, report);
  if (typeof value === 'object' && value !== null) return compileGrowth(value as Record<string, unknown>, report);
  const fixed = tryDuration(value, 'backoff', report);
  return fixed === undefined ? undefined : () => fixed;
}

/** One delay after the other; the last one from then on. */
function compileDelays(values: readonly unknown[], report: Report): Backoff | undefined {
  const delays = values.map((value) => tryDuration(value, 'backoff', report));
  if (delays.length === 0) report('option "backoff" is an empty list');
  if (delays.length === 0 || delays.includes(undefined)) return undefined;
  return (failures) => delays[Math.min(failures, delays.length) - 1] as number;
}

function compileGrowth(value: Record<string, unknown>, report: Report): Backoff | undefined {
  const { initial, factor = 2, cap, jitter: _jitter, ...others } = value;
  const first = tryDuration(initial, 'backoff.initial', report);
  const limit = cap === undefined ? Infinity : tryDuration(cap, 'backoff.cap', report);
  if (typeof factor !== 'number' || !(factor >= 1) || !Number.isFinite(factor)) {
    report('option "backoff.factor" is not a number from 1 on');
    return undefined;
  }
  for (const name of Object.keys(others))
    report(`option "backoff" has no "${name}"; it has initial, factor, cap, jitter`);
  if (first === undefined || limit === undefined) return undefined;
  return (failures) => Math.min(limit, first * factor ** (failures - 1), Number.MAX_SAFE_INTEGER);
}

function compileJitter(value: unknown, report: Report): { readonly jitter?: number } {
  if (typeof value !== 'object' || value === null || !('jitter' in value) || value.jitter === undefined) return {};
  const { jitter } = value;
  if (typeof jitter === 'number' && jitter >= 0 && jitter <= 1) return { jitter };
  report('option "backoff.jitter" is no number from 0 to 1');
  return {};
}

function choice<T extends string>(value: unknown, name: string, choices: readonly [T, ...T[]], report: Report): T {
  const found = choices.find((one) => one === value);
  if (value !== undefined && found === undefined) report(`option "${name}" is none of "${choices.join('", "')}"`);
  return found ?? choices[0];
}

function same(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  const plain = (value: unknown): boolean => typeof value === 'object' && value !== null;
  return plain(one) && plain(other) && JSON.stringify(one) === JSON.stringify(other);
}
