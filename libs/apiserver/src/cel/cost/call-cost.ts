import { NamedFormatValue } from '../library/named-formats.js';
import { operators } from '../syntax/ast.js';
import type { Result, Value } from '../values/value.js';
import { Failure } from '../values/failure.js';
import { ListValue, OpaqueValue } from '../values/value.js';
import { formatPatternSizes, patternFactor, stringFactor, traversal, valueSize } from './value-size.js';

type CallCost = (args: readonly Value[], result: Value | undefined) => number;

const read = (value: Value | undefined, times = 1): number => Math.ceil(valueSize(value) * times * stringFactor);

const one: CallCost = () => 1;
const readFirst: CallCost = ([first]) => read(first);
const readTwice: CallCost = ([first]) => read(first, 2);
const traverse: CallCost = ([first]) => traversal(first);

const search = (text: Value | undefined, patternSize: number): number =>
  Math.ceil((1 + valueSize(text)) * stringFactor) * Math.ceil(patternSize * patternFactor);
const searchText: CallCost = ([text, pattern]) => search(text, valueSize(pattern));

/** Equality looks at the smaller one only. */
const compare: CallCost = ([a, b]) =>
  a instanceof OpaqueValue ? 1 : Math.ceil(Math.min(valueSize(a), valueSize(b)) * stringFactor);

const concatenate: CallCost = ([a, b]) =>
  a instanceof ListValue
    ? 1
    : typeof a === 'string' || a instanceof Uint8Array
      ? Math.ceil((valueSize(a) + valueSize(b)) * stringFactor)
      : 1;

const contains: CallCost = ([text, part]) => read(text) * read(part);

const inRange: CallCost = ([range, other]) =>
  Math.ceil((valueSize(range) + valueSize(other)) * stringFactor) + (typeof other === 'string' ? read(other) : 0);

const sets =
  (factor: number): CallCost =>
  ([a, b]) =>
    1 + valueSize(a) * valueSize(b) * factor;

const validate: CallCost = ([format, text]) =>
  format instanceof NamedFormatValue ? search(text, formatPatternSizes[format.name] ?? 0) : 1;

const sized = (result: Value | undefined): number => (result === undefined ? 1 : valueSize(result));

const costs: Readonly<Record<string, CallCost>> = {
  [operators.equals]: compare,
  [operators.notEquals]: compare,
  [operators.less]: compare,
  [operators.lessEquals]: compare,
  [operators.greater]: compare,
  [operators.greaterEquals]: compare,
  [operators.add]: concatenate,
  [operators.in]: ([, container]) => (container instanceof ListValue ? valueSize(container) : 1),
  contains,
  startsWith: ([, part]) => read(part),
  endsWith: ([, part]) => read(part),
  matches: searchText,
  find: searchText,
  findAll: searchText,
  validate,
  isSorted: traverse,
  sum: traverse,
  min: traverse,
  max: traverse,
  indexOf: traverse,
  lastIndexOf: traverse,
  url: readFirst,
  lowerAscii: readFirst,
  upperAscii: readFirst,
  substring: readFirst,
  trim: readFirst,
  replace: readTwice,
  split: readTwice,
  join: (_args, result) => read(result, 2),
  cidr: readFirst,
  isIP: readFirst,
  isCIDR: readFirst,
  ip: ([first]) => (typeof first === 'string' ? read(first) : 1),
  'ip.isCanonical': readTwice,
  containsIP: inRange,
  containsCIDR: (args, result) => inRange(args, result) + 1,
  quantity: readFirst,
  isQuantity: readFirst,
  semver: readFirst,
  isSemver: readFirst,
  'sets.contains': sets(1),
  'sets.intersects': sets(1),
  'sets.equivalent': sets(2),
  // What makes a list costs as much as the list is long.
  slice: (_args, result) => sized(result),
  flatten: (_args, result) => sized(result),
  reverse: (_args, result) => sized(result),
  'lists.range': (_args, result) => sized(result),
  distinct: ([list]) => valueSize(list) ** 2,
  sort: ([list]) => valueSize(list) ** 2,
  '@sortByAssociatedKeys': ([list]) => valueSize(list) ** 2,
  string: ([first]) => (first instanceof Uint8Array ? read(first) : 1),
  bytes: ([first]) => (typeof first === 'string' ? read(first) : 1),
  check: () => 350_000,
};

/** What a call cost, whose result is known by now. */
export function callCost(name: string, args: readonly Value[], result: Result): number {
  const cost = Object.hasOwn(costs, name) ? costs[name]! : one;
  return cost(args, result instanceof Failure ? undefined : result);
}
