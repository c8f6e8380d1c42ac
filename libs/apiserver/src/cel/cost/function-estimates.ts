import type { Overload } from '../library/overload.js';
import { operators, type Expression } from '../syntax/ast.js';
import { isSameType, parametersOf, type Type } from '../types/type.js';
import { fixedSize, scaled, sizeProduct, sizeSum, sizeUnion, times, unknownSize, type Size } from './size.js';
import { patternFactor, stringFactor } from './value-size.js';

/** An argument of a call whose cost is estimated. */
export interface EstimatedPart {
  readonly part: Expression;
  readonly type: Type;
  readonly size: Size;
  /** The size of a list's items, where the list is declared in the schema. */
  readonly itemSize: () => Size | undefined;
}

/** What a call costs at most, beside its arguments, and how large its result can be. */
export interface Estimate {
  readonly cost: number;
  readonly size?: Size;
}

type Estimator = (args: readonly EstimatedPart[], overload: Overload) => Estimate;

const fixed =
  (cost: number): Estimator =>
  () => ({ cost });
const one = fixed(1);

/** Reads an argument so many times; the result is as large as the argument where that is said. */
const reading =
  (index: number, often = 1, sized = false): Estimator =>
  (args) => {
    const { size } = args[index]!;
    return { cost: scaled(size.max, often * stringFactor), ...(sized ? { size } : {}) };
  };

const firstOrLast =
  (kinds: readonly string[], estimate: Estimator): Estimator =>
  (args, overload) =>
    kinds.includes(overload.parameters[0]?.kind ?? '') ? estimate(args, overload) : { cost: 1 };

const comparison: Estimator = ([a, b]) => ({ cost: scaled(Math.min(a!.size.max, b!.size.max), stringFactor) });

const equality: Estimator = (args, overload) => {
  const [a, b] = args;
  const isOpaque = a!.type.kind === 'opaque' && a!.type.name !== 'optional_type' && isSameType(a!.type, b!.type);
  return isOpaque ? { cost: 1 } : comparison(args, overload);
};

const addition: Estimator = ([a, b], overload) => {
  const size = sizeSum(a!.size, b!.size);
  switch (overload.parameters[0]?.kind) {
    case 'list':
      return { cost: 1, size };
    case 'string':
    case 'bytes':
      return { cost: scaled(size.max, stringFactor), size };
    default:
      return { cost: 1 };
  }
};

const membership: Estimator = ([, container], overload) =>
  overload.parameters[1]?.kind === 'list' ? { cost: container!.size.max } : { cost: 1 };

function patternCost(text: Size, pattern: Size): number {
  return times(scaled(text.max + 1, stringFactor), scaled(pattern.max, patternFactor));
}

const matching: Estimator = ([text, pattern]) => ({ cost: patternCost(text!.size, pattern!.size) });
const finding: Estimator = ([text, pattern]) => ({
  cost: patternCost(text!.size, pattern!.size),
  size: { min: 0, max: text!.size.max },
});
const containing: Estimator = ([text, part]) => ({
  cost: times(scaled(text!.size.max, stringFactor), scaled(part!.size.max, stringFactor)),
});

/** The longest pattern of a named format counts for all of them. */
const longestFormat = 128;
const validating: Estimator = ([, text]) => ({
  cost: scaled(scaled(text!.size.max, stringFactor), longestFormat * patternFactor),
});

const isText = (type: Type | undefined): boolean => type?.kind === 'string' || type?.kind === 'bytes';

/** Lists are looked through, with all their texts; texts are read. */
const searching: Estimator = ([list]) => {
  const [item] = parametersOf(list!.type);
  if (item === undefined) return { cost: scaled(list!.size.max, stringFactor) };
  const each = 1 + (isText(item) ? scaled((list!.itemSize() ?? unknownSize).max, stringFactor) : 0);
  return { cost: times(list!.size.max, each) };
};

/** How long a text can become when parts of it are replaced. */
function replacedSize(text: Size, from: Size, to: Size): Size {
  const longest = (): number => {
    // Nothing is found between all characters.
    if (from.min === 0) return times(text.max + 1, to.max) + text.max;
    return to.max <= from.min ? text.max : times(Math.ceil(text.max / from.min), to.max);
  };
  const shortest = (): number => {
    if (from.max === 0) return times(text.min + 1, to.min) + text.min;
    return from.max <= to.min ? text.min : times(Math.ceil(text.min / from.max), to.min);
  };
  return { min: shortest(), max: longest() };
}

const replacing: Estimator = ([text, from, to]) => ({
  cost: scaled(text!.size.max, 2 * stringFactor),
  size: replacedSize(text!.size, from!.size, to!.size),
});

const intLiteral = (part: EstimatedPart | undefined): number | undefined =>
  part?.part.kind === 'literal' && part.part.literal.type === 'int' ? Number(part.part.literal.value) : undefined;

const splitting: Estimator = ([text, , limit]) => ({
  cost: scaled(text!.size.max, 2 * stringFactor),
  size: { min: 0, max: wrapped(intLiteral(limit)) ?? text!.size.max },
});

/** Negative numbers are taken for very large ones. */
const wrapped = (value: number | undefined): number | undefined =>
  value !== undefined && value < 0 ? Number.POSITIVE_INFINITY : value;

const joining: Estimator = ([list, separator]) => {
  let size = sizeProduct(list!.size, list!.itemSize() ?? unknownSize);
  if (separator !== undefined) {
    const between = { min: Math.max(0, list!.size.min - 1), max: Math.max(0, list!.size.max - 1) };
    size = sizeSum(size, sizeProduct(separator.size, between));
  }
  return { cost: scaled(size.max, stringFactor), size };
};

const quoting: Estimator = ([text]) => ({
  cost: scaled(text!.size.max, stringFactor),
  size: { min: text!.size.min + 2, max: 2 * text!.size.max + 2 },
});

const toBytes: Estimator = ([text]) => ({
  cost: scaled(text!.size.max, stringFactor),
  size: { min: text!.size.min, max: 4 * text!.size.max },
});
const fromBytes: Estimator = ([bytes]) => ({
  cost: scaled(bytes!.size.max, stringFactor),
  size: { min: Math.floor(bytes!.size.min / 4), max: bytes!.size.max },
});

const addressCost = 4;
const rangeCost = 7;
const withText =
  (cost: number): Estimator =>
  ([, other]) => ({ cost: cost + (other!.type.kind === 'string' ? scaled(other!.size.max, stringFactor) : 0) });

const sets =
  (factor: number): Estimator =>
  ([a, b]) => ({ cost: 1 + times(times(a!.size.max, b!.size.max), factor) });

/** A call that makes a list. */
const newList = 11;

const compared =
  (keys: number): Estimator =>
  (args) => {
    const [item] = parametersOf(args[keys]!.type);
    const factor = 2 + (isText(item) ? stringFactor : 0);
    const size = sizeProduct(args[0]!.size, args[0]!.size);
    return { cost: newList + scaled(size.max, factor), size };
  };
const distinct: Estimator = ([list]) => {
  const size = sizeProduct(list!.size, list!.size);
  return { cost: newList + times(size.max, 2), size };
};
const reversed: Estimator = ([list]) => ({ cost: newList + list!.size.max, size: list!.size });

const flattened: Estimator = ([list, depth]) => {
  const levels = depth === undefined ? 1 : intLiteral(depth);
  return {
    cost: newList + times(list!.size.max, levels === undefined ? Number.POSITIVE_INFINITY : Math.max(0, levels)),
    size: list!.size,
  };
};

const sliced: Estimator = ([list, start, end]) => {
  const from = Math.max(0, intLiteral(start) ?? 0);
  const to = intLiteral(end) ?? list!.size.max;
  const size = fixedSize(wrapped(to - from)!);
  return { cost: newList + size.max, size };
};

const ranged: Estimator = ([count]) => {
  const given = intLiteral(count);
  const size = given === undefined ? unknownSize : fixedSize(Math.max(0, given));
  return { cost: newList + size.max, size };
};

const choice: Estimator = ([, yes, no]) => ({ cost: 0, size: sizeUnion(yes!.size, no!.size) });

const texts = ['string', 'bytes'];

const estimators: Readonly<Record<string, Estimator>> = {
  [operators.conditional]: choice,
  [operators.and]: fixed(0),
  [operators.or]: fixed(0),
  [operators.equals]: equality,
  [operators.notEquals]: comparison,
  [operators.less]: firstOrLast(texts, comparison),
  [operators.lessEquals]: firstOrLast(texts, comparison),
  [operators.greater]: firstOrLast(texts, comparison),
  [operators.greaterEquals]: firstOrLast(texts, comparison),
  [operators.add]: addition,
  [operators.in]: membership,
  startsWith: reading(1),
  endsWith: reading(1),
  contains: containing,
  matches: matching,
  find: finding,
  findAll: finding,
  validate: validating,
  isSorted: searching,
  sum: searching,
  min: searching,
  max: searching,
  indexOf: searching,
  lastIndexOf: searching,
  url: reading(0),
  lowerAscii: reading(0, 1, true),
  upperAscii: reading(0, 1, true),
  substring: reading(0, 1, true),
  trim: reading(0, 1, true),
  replace: replacing,
  split: splitting,
  join: joining,
  format: reading(0),
  'strings.quote': quoting,
  string: firstOrLast(['bytes'], fromBytes),
  bytes: firstOrLast(['string'], toBytes),
  cidr: reading(0),
  isIP: reading(0),
  isCIDR: reading(0),
  ip: firstOrLast(['string'], reading(0)),
  'ip.isCanonical': reading(0, 2),
  containsIP: withText(addressCost),
  containsCIDR: withText(rangeCost),
  quantity: reading(0),
  isQuantity: reading(0),
  semver: reading(0),
  isSemver: reading(0),
  'sets.contains': sets(1),
  'sets.intersects': sets(1),
  'sets.equivalent': sets(2),
  sort: compared(0),
  '@sortByAssociatedKeys': compared(1),
  distinct,
  reverse: reversed,
  flatten: flattened,
  slice: sliced,
  'lists.range': ranged,
  check: fixed(350_000),
};

/** What a call costs at most, whichever of its overloads it is. */
export function estimateCall(name: string, args: readonly EstimatedPart[], overloads: readonly Overload[]): Estimate {
  const estimator = Object.hasOwn(estimators, name) ? estimators[name]! : one;
  let cost = 0;
  let size: Size | undefined;
  for (const overload of overloads) {
    const estimate = estimator(args, overload);
    cost = Math.max(cost, estimate.cost);
    if (estimate.size !== undefined) size = size === undefined ? estimate.size : sizeUnion(size, estimate.size);
  }
  return size === undefined ? { cost } : { cost, size };
}
