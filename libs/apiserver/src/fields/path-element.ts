import { canonical, isBigNumber, isObject, parseJson, type JsonObject } from '../json.js';

const escapes: Readonly<Record<string, string>> = {
  '<': String.raw`\u003c`,
  '>': String.raw`\u003e`,
  '&': String.raw`\u0026`,
  '\u2028': String.raw`\u2028`,
  '\u2029': String.raw`\u2029`,
};

/** JSON with sorted members, and with the escapes of Go's encoder. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(typeof value === 'object' ? canonical(value) : value) ?? 'null';
  return /[<>&\u2028\u2029]/.test(text)
    ? text.replaceAll(/[<>&\u2028\u2029]/g, (character) => escapes[character]!)
    : text;
}

export const fieldStep = (name: string): string => `f:${name}`;

export const valueStep = (value: unknown): string => `v:${jsonText(value)}`;

/** The step to an item by the members that are its keys, `names` in order. */
export function keyStep(names: readonly string[], values: readonly unknown[]): string {
  const pairs = names.map((name, index) => `${jsonText(name)}:${jsonText(values[index])}`);
  return `k:{${pairs.join(',')}}`;
}

/** A step as it is written everywhere; undefined for one that is of no known kind, which is passed over. Throws for a malformed one. */
export function canonicalStep(step: string): string | undefined {
  if (step[1] !== ':') throw new SyntaxError(`there is no path element ${JSON.stringify(step)}`);
  const text = step.slice(2);
  switch (step[0]) {
    case 'f':
      return step;
    case 'v':
      return `v:${jsonText(parseJson(text))}`;
    case 'k': {
      const keys: unknown = parseJson(text);
      if (!isObject(keys)) throw new SyntaxError(`the keys of a path element are no object: ${text}`);
      return `k:${jsonText(keys)}`;
    }
    case 'i':
      if (!/^[+-]?\d+$/.test(text)) throw new SyntaxError(`the index of a path element is no number: ${text}`);
      return `i:${Number(text)}`;
    default:
      return undefined;
  }
}

/** A step as messages show it: `.name`, `[name="a"]`, `[="a"]`, `[0]`. */
export function shownStep(step: string): string {
  const text = step.slice(2);
  switch (step[0]) {
    case 'f':
      return `.${text}`;
    case 'v':
      return `[=${shownValue(parseJson(text))}]`;
    case 'k': {
      const keys = parseJson(text) as JsonObject;
      return `[${Object.keys(keys)
        .map((name) => `${name}=${shownValue(keys[name])}`)
        .join(',')}]`;
    }
    default:
      return `[${text}]`;
  }
}

const shownValue = (value: unknown): string => JSON.stringify(canonical(value)) ?? 'null';

const kinds = 'fkvi';

/** The order in which paths are told: fields by name, then items by keys, by value, by index. */
export function compareSteps(a: string, b: string): number {
  if (a[0] !== b[0]) return kinds.indexOf(a[0]!) - kinds.indexOf(b[0]!);
  if (a === b) return 0;
  const [left, right] = [a.slice(2), b.slice(2)];
  switch (a[0]) {
    case 'f':
      return left < right ? -1 : 1;
    case 'i':
      return Number(left) - Number(right);
    case 'v':
      return compareValues(parseJson(left), parseJson(right));
    default:
      return compareKeys(parseJson(left) as JsonObject, parseJson(right) as JsonObject);
  }
}

function compareKeys(a: JsonObject, b: JsonObject): number {
  const [left, right] = [Object.keys(a), Object.keys(b)];
  for (let index = 0; index < left.length && index < right.length; index++) {
    const [name, other] = [left[index]!, right[index]!];
    if (name !== other) return name < other ? -1 : 1;
    const order = compareValues(a[name], b[other]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Numbers come before texts, these before booleans, and whatever else goes by its text. */
function compareValues(a: unknown, b: unknown): number {
  const order = rank(a) - rank(b);
  if (order !== 0) return order;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = typeof a === 'string' ? [a, b as string] : [jsonText(a), jsonText(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function rank(value: unknown): number {
  if (typeof value === 'number' || isBigNumber(value)) return 0;
  return typeof value === 'string'
    ? 1
    : typeof value === 'boolean'
      ? 2
      : Array.isArray(value)
        ? 3
        : isObject(value)
          ? 4
          : 5;
}
