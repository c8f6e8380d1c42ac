import { goQuote } from '../cel/library/go-quote.js';
import { labelValueRule, namePartRule, qualifiedKeyRule, subdomainRule } from '../name-rules.js';
import { errors } from '../status.js';

type Labels = Readonly<Record<string, string>> | undefined;
export type LabelMatcher = (labels: Labels) => boolean;

const exact = new Set(['=', '==', '!=', '>', '<']);
const listed = new Set(['in', 'notin']);

/** Compiles a label selector; undefined when it selects everything. Throws 400 for a selector that cannot be read. */
export function parseLabelSelector(text: string): LabelMatcher | undefined {
  const matchers = new Parser(tokensOf(text)).selector();
  return matchers.length === 0 ? undefined : (labels) => matchers.every((matches) => matches(labels));
}

/** The words and signs of a selector. A NUL ends a word, and everything where a word could begin. */
const tokensOf = (text: string): string[] =>
  /^[^\0]*/.exec(text.replaceAll(/(?<=[^ \t\r\n\0])\0/g, ' '))![0].match(/[^ \t\r\n,()=!<>]+|==|!=|=|!|,|\(|\)|<|>/g) ??
  [];

const isWord = (token: string | undefined): token is string => token !== undefined && !/^[,()=!<>]/.test(token);

class Parser {
  #at = 0;

  constructor(private readonly tokens: readonly string[]) {}

  selector(): LabelMatcher[] {
    const matchers: LabelMatcher[] = [];
    if (this.tokens.length === 0) return matchers;
    if (!this.#begins()) this.#fail(`found '${this.#peek()}', expected: !, identifier, or 'end of string'`);
    for (;;) {
      matchers.push(this.#requirement());
      if (this.#peek() === undefined) return matchers;
      if (this.#peek() !== ',') this.#fail(`found '${this.#peek()}', expected: ',' or 'end of string'`);
      this.#at++;
      if (!this.#begins()) this.#fail(`found '${this.#peek() ?? ''}', expected: identifier after ','`);
    }
  }

  /** The next token; undefined at the end. */
  #peek(): string | undefined {
    return this.tokens[this.#at];
  }

  #begins(): boolean {
    return isWord(this.#peek()) || this.#peek() === '!';
  }

  #fail(why: string): never {
    throw errors.badRequest(why);
  }

  #unparsed(expected: string, comma = ','): never {
    return this.#fail(`unable to parse requirement: found '${this.#peek() ?? ''}'${comma} expected: ${expected}`);
  }

  #requirement(): LabelMatcher {
    const negated = this.#peek() === '!';
    if (negated) this.#at++;
    const key = this.#peek();
    if (!isWord(key)) return this.#unparsed('identifier');
    this.#at++;
    checkKey(key);
    if (negated) return (labels) => labels?.[key] === undefined;
    const operator = this.#peek();
    if (operator === undefined || operator === ',') return (labels) => labels?.[key] !== undefined;
    if (!exact.has(operator) && !listed.has(operator)) return this.#unparsed('in, notin, =, ==, !=, gt, lt');
    this.#at++;
    return matcherOf(key, operator, listed.has(operator) ? this.#list() : this.#exactValue());
  }

  #exactValue(): string[] {
    const value = this.#peek();
    if (value === undefined || value === ',') return [''];
    if (!isWord(value)) return this.#unparsed('identifier');
    this.#at++;
    return [value];
  }

  #list(): string[] {
    if (this.#peek() !== '(') return this.#unparsed("'('", '');
    this.#at++;
    const values = new Set<string>();
    if (this.#peek() === ')') values.add('');
    else if (this.#peek() === ',' || isWord(this.#peek())) this.#items(values);
    else return this.#unparsed("',', ')' or identifier");
    this.#at++;
    return [...values].toSorted();
  }

  /** Reads up to the closing bracket. Between two commas, and beside a bracket, there is an empty value. */
  #items(values: Set<string>): void {
    for (;;) {
      const token = this.#peek();
      if (isWord(token)) {
        values.add(token);
        this.#at++;
        if (this.#peek() === ')') return;
        if (this.#peek() !== ',') this.#unparsed("',' or ')'");
      } else if (token === ',') {
        this.#at++;
        if (values.size === 0) values.add('');
        if (this.#peek() === ')') {
          values.add('');
          return;
        }
        if (this.#peek() === ',') {
          values.add('');
          this.#at++;
        }
      } else this.#unparsed("',', or identifier");
    }
  }
}

function matcherOf(key: string, operator: string, values: readonly string[]): LabelMatcher {
  const compares = operator === '<' || operator === '>';
  const problems = values.flatMap((value, index) => [
    ...(compares && !isInteger(value)
      ? [`values[${index}]: Invalid value: ${goQuote(value)}: for 'Gt', 'Lt' operators, the value must be an integer`]
      : []),
    ...valueProblems(value).map((why) => `values[${index}][${key}]: Invalid value: ${goQuote(value)}: ${why}`),
  ]);
  if (problems.length > 0) {
    const shown = problems.length === 1 ? problems[0]! : `[${problems.join(', ')}]`;
    throw errors.badRequest(`unable to parse requirement: ${shown}`);
  }
  if (compares) {
    const limit = BigInt(values[0]!);
    return (labels) => {
      const value = labels?.[key];
      if (value === undefined || !isInteger(value)) return false;
      return operator === '<' ? BigInt(value) < limit : BigInt(value) > limit;
    };
  }
  const wanted = new Set(values);
  return operator === '!=' || operator === 'notin'
    ? (labels) => labels?.[key] === undefined || !wanted.has(labels[key])
    : (labels) => labels?.[key] !== undefined && wanted.has(labels[key]);
}

/** Whether a text is a signed number of 64 bits. */
const isInteger = (text: string): boolean =>
  /^[+-]?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);

function checkKey(key: string): void {
  const problems = keyProblems(key);
  if (problems.length === 0) return;
  const why = problems.join('; ');
  throw errors.badRequest(`unable to parse requirement: <nil>: Invalid value: ${goQuote(key)}: ${why}`);
}

function keyProblems(key: string): string[] {
  const parts = key.split('/');
  if (parts.length > 2) return [qualifiedKeyRule];
  const name = parts.at(-1)!;
  const problems: string[] = [];
  if (parts.length === 2) {
    const prefix = parts[0]!;
    if (prefix === '') problems.push('prefix part must be non-empty');
    else if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(prefix)) {
      problems.push(`prefix part ${subdomainRule}`);
    }
  }
  if (name === '') problems.push('name part must be non-empty');
  else if (Buffer.byteLength(name) > 63) problems.push('name part must be no more than 63 bytes');
  if (!/^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/.test(name)) problems.push(namePartRule);
  return problems;
}

/** What is wrong with a value, as one text. */
function valueProblems(value: string): string[] {
  const problems = [
    ...(Buffer.byteLength(value) > 63 ? ['must be no more than 63 bytes'] : []),
    ...(value === '' || /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/.test(value) ? [] : [labelValueRule]),
  ];
  return problems.length === 0 ? [] : [problems.join('; ')];
}
