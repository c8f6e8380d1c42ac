import { goQuote } from '../cel/library/go-quote.js';
import { errors } from '../status.js';

const units = new Set(['ns', 'us', 'µs', 'μs', 'ms', 's', 'm', 'h']);

/** Refuses a `timeout` that is no duration. A request takes no longer than it takes, so that a right one changes nothing. */
export function checkTimeout(query: URLSearchParams): void {
  const text = query.get('timeout') ?? '';
  const problem = text === '' ? undefined : durationProblem(text);
  if (problem !== undefined) {
    throw errors.badRequest(`invalid timeout specified in the request URL - time: ${problem}`);
  }
}

/** What is wrong with a duration such as `1h30m`; undefined when nothing is. */
function durationProblem(text: string): string | undefined {
  let rest = text.replace(/^[+-]/, '');
  if (rest === '0') return undefined;
  if (rest === '') return `invalid duration ${goQuote(text)}`;
  while (rest !== '') {
    const number = /^(?:\d+\.?\d*|\.\d+)/.exec(rest)?.[0];
    if (number === undefined) return `invalid duration ${goQuote(text)}`;
    rest = rest.slice(number.length);
    const unit = /^[^.\d]*/.exec(rest)![0];
    if (unit === '') return `missing unit in duration ${goQuote(text)}`;
    if (!units.has(unit)) return `unknown unit ${goQuote(unit)} in duration ${goQuote(text)}`;
    rest = rest.slice(unit.length);
  }
  return undefined;
}
