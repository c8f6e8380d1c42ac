import { regexpOf, type GoRegexp } from '../regexp/go-regexp.js';
import { RegexpSyntaxError } from '../regexp/syntax.js';
import { Failure } from '../values/failure.js';
import { PlainList, type Result } from '../values/value.js';
import { overload, type Library } from './overload.js';

function withPattern(pattern: string, prefix: string, then: (regexp: GoRegexp) => Result): Result {
  let regexp: GoRegexp;
  try {
    regexp = regexpOf(pattern);
  } catch (error) {
    if (error instanceof RegexpSyntaxError) return new Failure(prefix + error.message);
    throw error;
  }
  return then(regexp);
}

const matches = (text: string, pattern: string): Result => withPattern(pattern, '', (regexp) => regexp.test(text));

const find = (text: string, pattern: string): Result =>
  withPattern(pattern, 'Illegal regex: ', (regexp) => regexp.find(text) ?? '');

const findAll = (text: string, pattern: string, limit = -1n): Result =>
  withPattern(
    pattern,
    'Illegal regex: ',
    (regexp) => new PlainList(regexp.findAll(text, limit < 0n ? -1 : Number(limit))),
  );

/** Regular expressions. */
export const regexLibrary: Library = {
  matches: [overload('(string, string) bool', matches), overload('string.(string) bool', matches)],
  find: [overload('string.(string) string', find)],
  findAll: [overload('string.(string) list(string)', findAll), overload('string.(string, int) list(string)', findAll)],
};
