import { isObject } from '../json.js';

/** Takes the values found so far one step further. */
type Step = (values: readonly unknown[]) => unknown[];

/** Finds all values that a path leads to. */
export type JsonPath = (root: unknown) => unknown[];

/** A path that cannot be read. */
export class JsonPathError extends Error {
  override name = 'JsonPathError';
}

const membersOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : isObject(value) ? Object.keys(value).map((key) => value[key]) : [];

const member =
  (key: string): Step =>
  (values) =>
    values.flatMap((value) => (isObject(value) && Object.hasOwn(value, key) ? [value[key]] : []));

/** Quotes do not make a name of several: points in it have to be escaped all the same. */
function members(text: string): Step {
  const names = text.match(/(?:[^.\\]|\\.)+/g) ?? [];
  return (values) => names.reduce<unknown[]>((found, name) => member(unescaped(name))(found), [...values]);
}

const everything: Step = (values) => values.flatMap(membersOf);

/** A value with all that it holds, itself first. */
const below = (value: unknown): unknown[] => [value, ...membersOf(value).flatMap(below)];

/** Items from `start` up to `end`, every `step`th; negative numbers count from the end. */
const slice =
  (start: number, end: number | undefined, step: number): Step =>
  (values) =>
    values.flatMap((value) => {
      if (!Array.isArray(value)) return [];
      const { length } = value;
      const from = start < 0 ? start + length : start;
      const to = end === undefined ? length : end < 0 ? end + length : end;
      return (value as unknown[]).filter((_item, at) => at >= from && at < to && (at - from) % step === 0);
    });

const union =
  (steps: readonly Step[]): Step =>
  (values) =>
    values.flatMap((value) => steps.flatMap((step) => step([value])));

type Comparison = (left: unknown, right: unknown) => boolean;

const ordered =
  (holds: (left: number | string, right: number | string) => boolean): Comparison =>
  (left, right) =>
    typeof left === typeof right && (typeof left === 'number' || typeof left === 'string')
      ? holds(left, right as typeof left)
      : false;

const comparisons: Readonly<Record<string, Comparison>> = {
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<=': ordered((left, right) => left <= right),
  '>=': ordered((left, right) => left >= right),
  '<': ordered((left, right) => left < right),
  '>': ordered((left, right) => left > right),
};

/**
 * Reads a path as CustomResourceDefinitions write them: members (`.a`, `['a']`, with escapes), `[n]`, `[a:b:c]`, `[n,m]`,
 * `['a','b']`, `*`, `..` and filters such as `[?(@.type=="Ready")]`.
 *
 * @throws JsonPathError
 */
export function compileJsonPath(text: string): JsonPath {
  const steps = new PathReader(text).steps();
  return (root) => steps.reduce<unknown[]>((values, step) => step(values), [root]);
}

class PathReader {
  #at = 0;

  constructor(private readonly text: string) {}

  steps(): Step[] {
    const found: Step[] = [];
    while (this.#at < this.text.length) {
      if (this.text.startsWith('..', this.#at)) {
        this.#at += 2;
        found.push((values) => values.flatMap(below));
        if (/[^.[]/.test(this.text[this.#at] ?? '.')) found.push(this.#name());
      } else if (this.text[this.#at] === '.') {
        this.#at++;
        if (this.#at < this.text.length && this.text[this.#at] !== '[') found.push(this.#name());
        else if (this.#at >= this.text.length) found.push(() => []);
      } else if (this.text[this.#at] === '[') found.push(this.#brackets());
      else this.#fail();
    }
    return found;
  }

  #fail(): never {
    throw new JsonPathError(`JSONPath ${this.text}: cannot read ${this.text.slice(this.#at)}`);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.text);
    if (match !== null) this.#at = pattern.lastIndex;
    return match;
  }

  #name(): Step {
    const name = this.#match(/(?:[^.[\]\\]|\\.)+/y)?.[0] ?? this.#fail();
    return name === '*' ? everything : member(unescaped(name));
  }

  #brackets(): Step {
    this.#at++;
    const filter = this.#match(/\?\(/y);
    const step = filter === null ? this.#selection() : this.#filter();
    if (this.#match(/\s*\]/y) === null) this.#fail();
    return step;
  }

  #selection(): Step {
    const steps: Step[] = [];
    do steps.push(this.#selected());
    while (this.#match(/\s*,\s*/y) !== null);
    return steps.length === 1 ? steps[0]! : union(steps);
  }

  #selected(): Step {
    if (this.#match(/\s*\*/y) !== null) return everything;
    const quoted = this.#match(/\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/y);
    if (quoted !== null) return members(quoted[1] ?? quoted[2]!);
    const numbers = this.#match(/\s*(-?\d+)?(?:(:)(-?\d+)?(?::(\d+)?)?)?/y);
    const [whole = '', start, colon, end, step] = numbers ?? [];
    if (whole.trim() === '') this.#fail();
    const from = Number(start ?? 0);
    if (colon === undefined) return slice(from, from === -1 ? undefined : from + 1, 1);
    return slice(from, end === undefined ? undefined : Number(end), Math.max(1, Number(step ?? 1)));
  }

  #filter(): Step {
    const left = this.#operand();
    const operator = this.#match(/\s*(==|!=|<=|>=|<|>)\s*/y)?.[1];
    const compare = operator === undefined ? undefined : comparisons[operator]!;
    const right = compare === undefined ? undefined : this.#operand();
    if (this.#match(/\s*\)/y) === null) this.#fail();
    return (values) =>
      values.flatMap((value) =>
        membersOf(value).filter((item) => {
          const found = left(item);
          if (compare === undefined) return found.length > 0;
          const wanted = right!(item);
          return found.length > 0 && wanted.length > 0 && compare(found[0], wanted[0]);
        }),
      );
  }

  /** A path from the item, or a value. */
  #operand(): JsonPath {
    if (this.#match(/\s*@/y) !== null) {
      const path = this.#match(/(?:\.(?:[^.[\]\\\s=!<>()]|\\.)+|\[[^\]]*\])*/y)?.[0] ?? '';
      return compileJsonPath(path);
    }
    const value = this.#match(/\s*(?:'([^']*)'|"((?:[^"\\]|\\.)*)"|(-?\d+(?:\.\d+)?)|(true|false))/y);
    if (value === null) this.#fail();
    const [, single, double, number, word] = value;
    const literal = number !== undefined ? Number(number) : word !== undefined ? word === 'true' : (single ?? double!);
    return () => [literal];
  }
}

const unescaped = (name: string): string => name.replaceAll(/\\(.)/g, '$1');
