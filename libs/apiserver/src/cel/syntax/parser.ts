import { children, operators, type Expression, type MapEntry, type MessageLiteral } from './ast.js';
import { ExpressionBuilder, ExpressionSizeError } from './expression-builder.js';
import { tokenize, type Token } from './lexer.js';
import { LiteralError, literalOf } from './literals.js';
import { expandFunctionMacro, expandMethodMacro, MacroError } from './macros.js';
import { mostSyntaxIssues, Source, type Issue } from './source.js';

/** A parsed expression, or what is wrong with it. */
export type ParseResult =
  | { readonly source: Source; readonly expression: Expression }
  | { readonly source: Source; readonly expression?: undefined; readonly issues: readonly Issue[] };

const deepest = 250;
const longest = 100_000;

/** Parses an expression and expands its macros. */
export function parse(text: string): ParseResult {
  const source = new Source(text);
  if (source.length > longest) {
    const message = `expression code point size exceeds limit: size: ${source.length}, limit ${longest}`;
    return { source, issues: [{ position: undefined, message }] };
  }
  const { tokens, issues } = tokenize(source);
  const parser = new Parser(tokens);
  let expression: Expression | undefined;
  try {
    expression = parser.whole();
  } catch (error) {
    if (error instanceof SyntaxFailure) issues.push(error.issue);
    else if (error instanceof ExpressionSizeError) issues.push({ position: undefined, message: error.message });
    else throw error;
  }
  issues.push(...parser.issues);
  if (expression === undefined || issues.length > 0) return { source, issues: issues.slice(0, mostSyntaxIssues) };
  if (isDeep(expression)) return { source, issues: [{ position: undefined, message: 'max recursion depth exceeded' }] };
  return { source, expression };
}

/** Ends parsing. */
class SyntaxFailure extends Error {
  constructor(readonly issue: Issue) {
    super(issue.message);
  }
}

/** Walks level by level, since recursion is what is to be protected. Macros add levels of their own. */
function isDeep(expression: Expression): boolean {
  let level: readonly Expression[] = [expression];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > 2 * deepest) return true;
    level = level.flatMap((part) => children(part));
  }
  return chainDepth(expression) > deepest;
}

/** How often the leftmost part has to be entered; what is nested in another way was counted while it was parsed. */
function chainDepth(expression: Expression): number {
  let depth = 0;
  for (let part: Expression | undefined = expression; part !== undefined; part = children(part)[0]) depth++;
  return depth - 1;
}

const reserved = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

const starts = "'[' '{' '(' '.' '-' '!' 'true' 'false' 'null' NUM_FLOAT NUM_INT NUM_UINT STRING BYTES IDENTIFIER".split(
  ' ',
);
const anyStart = `{${starts.join(', ')}}`;
const startOr = (symbol: string, before: string): string =>
  `{${starts.flatMap((start) => (start === before ? [symbol, start] : [start])).join(', ')}}`;
const argumentStart = startOr("')'", "'.'");
const indexStart = startOr("'?'", "'true'");

const relations: Readonly<Record<string, string>> = {
  '<': operators.less,
  '<=': operators.lessEquals,
  '>=': operators.greaterEquals,
  '>': operators.greater,
  '==': operators.equals,
  '!=': operators.notEquals,
  in: operators.in,
};
const sums: Readonly<Record<string, string>> = { '+': operators.add, '-': operators.subtract };
const products: Readonly<Record<string, string>> = {
  '*': operators.multiply,
  '/': operators.divide,
  '%': operators.modulo,
};

class Parser {
  readonly issues: Issue[] = [];
  readonly #build = new ExpressionBuilder();
  #at = 0;
  #depth = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  whole(): Expression {
    const expression = this.#expression();
    if (this.#token.kind !== 'end') {
      const only = this.tokens[this.#at + 1]?.kind === 'end';
      this.#fail(`${only ? 'extraneous' : 'mismatched'} input '${this.#token.text}' expecting <EOF>`);
    }
    return expression;
  }

  get #token(): Token {
    return this.tokens[this.#at]!;
  }

  #next(): Token {
    const token = this.#token;
    if (token.kind !== 'end') this.#at++;
    return token;
  }

  #is(symbol: string): boolean {
    return this.#token.kind === 'symbol' && this.#token.text === symbol;
  }

  #take(symbol: string): Token | undefined {
    return this.#is(symbol) ? this.#next() : undefined;
  }

  #fail(message: string, position = this.#token.position): never {
    throw new SyntaxFailure({ position, message: `Syntax error: ${message}` });
  }

  /** Takes a closing symbol; `expected` names what may stand there. */
  #close(symbol: string, expected = `'${symbol}'`): void {
    if (this.#take(symbol) !== undefined) return;
    const { text, kind } = this.#token;
    const follows = this.tokens[this.#at + 1];
    if (follows?.kind === 'symbol' && follows.text === symbol)
      this.#fail(`extraneous input '${text}' expecting ${expected}`);
    if (kind === 'end' && expected === `'${symbol}'` && symbol !== ':') this.#fail(`missing '${symbol}' at '<EOF>'`);
    this.#fail(`mismatched input '${text}' expecting ${expected}`);
  }

  #issue(position: number, message: string): void {
    this.issues.push({ position, message });
  }

  #expression(expected = anyStart): Expression {
    if (++this.#depth > deepest) {
      throw new SyntaxFailure({ position: undefined, message: `expression recursion limit exceeded: ${deepest}` });
    }
    const condition = this.#disjunction(expected);
    const question = this.#take('?');
    let result = condition;
    if (question !== undefined) {
      const yes = this.#disjunction(anyStart);
      this.#close(':');
      const no = this.#expression();
      result = this.#build.call(question.position, operators.conditional, condition, yes, no);
    }
    this.#depth--;
    return result;
  }

  #disjunction(expected: string): Expression {
    return this.#chain('||', operators.or, () => this.#chain('&&', operators.and, () => this.#relation(expected)));
  }

  #chain(symbol: string, name: typeof operators.and | typeof operators.or, part: () => Expression): Expression {
    const terms = [part()];
    const positions: number[] = [];
    for (let token = this.#take(symbol); token !== undefined; token = this.#take(symbol)) {
      positions.push(token.position);
      terms.push(part());
    }
    return this.#build.balanced(name, terms, positions);
  }

  #relation(expected: string): Expression {
    return this.#infix(relations, () => this.#infix(sums, () => this.#infix(products, () => this.#unary(expected))));
  }

  #infix(names: Readonly<Record<string, string>>, part: () => Expression): Expression {
    let left = part();
    for (;;) {
      const token = this.#token;
      const name = token.kind === 'symbol' && Object.hasOwn(names, token.text) ? names[token.text] : undefined;
      if (name === undefined) return left;
      this.#next();
      left = this.#build.call(token.position, name, left, part());
    }
  }

  #unary(expected: string): Expression {
    const { position } = this.#token;
    for (const [symbol, name] of [
      ['!', operators.not],
      ['-', operators.negate],
    ] as const) {
      if (!this.#is(symbol)) continue;
      let count = 0;
      while (this.#is(symbol)) {
        const next = this.tokens[this.#at + 1]!.kind;
        if (symbol === '-' && (next === 'int' || next === 'double')) break;
        this.#next();
        count++;
      }
      const operand = this.#member(count === 0 ? expected : anyStart);
      return count % 2 === 1 ? this.#build.call(position, name, operand) : operand;
    }
    return this.#member(expected);
  }

  #member(expected: string): Expression {
    let operand = this.#primary(expected);
    for (;;) {
      const dot = this.#take('.');
      if (dot !== undefined) {
        operand = this.#selection(operand, dot);
        continue;
      }
      const bracket = this.#take('[');
      if (bracket === undefined) return operand;
      const optional = this.#take('?') !== undefined;
      const index = this.#expression(optional ? anyStart : indexStart);
      this.#close(']');
      operand = this.#build.call(
        bracket.position,
        optional ? operators.optionalIndex : operators.index,
        operand,
        index,
      );
    }
  }

  #selection(operand: Expression, dot: Token): Expression {
    const optional = this.#take('?') !== undefined;
    const name = this.#token;
    if (name.kind === 'escaped') {
      this.#next();
      this.#issue(name.position, "unsupported syntax: '`'");
      return operand;
    }
    if (name.kind !== 'identifier') {
      if (optional) this.#fail(`mismatched input '${name.text}' expecting {IDENTIFIER, ESC_IDENTIFIER}`);
      if (/^(true|false|null)$/.test(name.text)) this.#fail(`mismatched input '${name.text}' expecting IDENTIFIER`);
      this.#fail(`no viable alternative at input '.${name.kind === 'end' ? '' : name.text}'`);
    }
    this.#next();
    const field = name.text;
    const open = optional ? undefined : this.#take('(');
    if (open === undefined) {
      if (!optional) return this.#build.select(dot.position, operand, field);
      const text = this.#build.literal(name.position, { type: 'string', value: field });
      return this.#build.call(dot.position, operators.optionalSelect, operand, text);
    }
    const args = this.#arguments();
    const macro = this.#macro(operand, () =>
      expandMethodMacro(field, { build: this.#build, position: open.position, target: operand, args }),
    );
    return macro ?? this.#build.method(open.position, operand, field, ...args);
  }

  /** A macro's expansion; its target stands in for one that is wrong, so that parsing can go on. */
  #macro(instead: Expression, expand: () => Expression | undefined): Expression | undefined {
    try {
      return expand();
    } catch (error) {
      if (!(error instanceof MacroError)) throw error;
      this.#issue(error.at.position, error.message);
      return instead;
    }
  }

  #arguments(): Expression[] {
    if (this.#take(')') !== undefined) return [];
    const args = [this.#expression(argumentStart)];
    while (this.#take(',') !== undefined) args.push(this.#expression());
    this.#close(')');
    return args;
  }

  #primary(expected: string): Expression {
    const token = this.#token;
    if (token.kind === 'symbol') {
      if (this.#take('(') !== undefined) {
        const inner = this.#expression();
        this.#close(')');
        return inner;
      }
      if (this.#take('[') !== undefined) return this.#list(token);
      if (this.#take('{') !== undefined) return this.#map(token);
      if (token.text === '.') return this.#name(this.#next());
      if (token.text === '-') {
        this.#next();
        return this.#literal(token, true);
      }
      if (token.text === 'true' || token.text === 'false') {
        this.#next();
        return this.#build.bool(token.position, token.text === 'true');
      }
      if (token.text === 'null') {
        this.#next();
        return this.#build.literal(token.position, { type: 'null' });
      }
    }
    if (token.kind === 'identifier') return this.#name(undefined);
    if (token.kind !== 'symbol' && token.kind !== 'end' && token.kind !== 'escaped') return this.#literal(token, false);
    const next = this.tokens[this.#at + 1];
    const begins = next !== undefined && next.kind !== 'end' && (next.kind !== 'symbol' || /^[[{(.!-]/.test(next.text));
    this.#fail(`${begins ? 'extraneous' : 'mismatched'} input '${token.text}' expecting ${expected}`);
  }

  #literal(first: Token, negative: boolean): Expression {
    const token = this.#next();
    try {
      return this.#build.literal(first.position, literalOf(token, negative));
    } catch (error) {
      if (!(error instanceof LiteralError)) throw error;
      this.#issue(first.position, error.message);
      return this.#build.literal(first.position, { type: 'null' });
    }
  }

  /** An identifier, a call of a function or a message; `dot` leads to the root. */
  #name(dot: Token | undefined): Expression {
    const token = this.#token;
    if (token.kind !== 'identifier') {
      this.#fail(`no viable alternative at input '.${token.kind === 'end' ? '' : token.text}'`);
    }
    this.#next();
    if (reserved.has(token.text)) this.#issue(token.position, `reserved identifier: ${token.text}`);
    const name = (dot === undefined ? '' : '.') + token.text;
    const open = this.#take('(');
    if (open !== undefined) {
      const args = this.#arguments();
      const stand = this.#build.bool(token.position, false);
      const macro = this.#macro(stand, () =>
        expandFunctionMacro(name, { build: this.#build, position: open.position, args }),
      );
      return macro ?? this.#build.call(open.position, name, ...args);
    }
    return this.#message(name) ?? this.#build.identifier((dot ?? token).position, name);
  }

  /** `a.b.C{…}`, where the dots and a brace follow. */
  #message(first: string): MessageLiteral | undefined {
    let at = this.#at;
    let name = first;
    while (this.tokens[at]?.text === '.' && this.tokens[at + 1]?.kind === 'identifier') {
      name += `.${this.tokens[at + 1]!.text}`;
      at += 2;
    }
    const brace = this.tokens[at]!;
    if (brace.kind !== 'symbol' || brace.text !== '{') return undefined;
    this.#at = at + 1;
    const fields: { name: string; value: Expression; optional: boolean }[] = [];
    while (!this.#is('}')) {
      const optional = this.#take('?') !== undefined;
      const field = this.#token;
      if (field.kind !== 'identifier')
        this.#fail(`mismatched input '${field.text}' expecting {'}', ',', '?', IDENTIFIER}`);
      this.#next();
      this.#close(':');
      fields.push({ name: field.text, value: this.#expression(), optional });
      if (this.#take(',') === undefined) break;
    }
    this.#close('}', "{'}', ','}");
    return { kind: 'message', id: this.#build.id(), position: brace.position, name, fields };
  }

  #list(bracket: Token): Expression {
    const elements: Expression[] = [];
    const optional: number[] = [];
    if (this.#is(',') && this.tokens[this.#at + 1]?.text === ']') this.#next();
    while (!this.#is(']')) {
      if (this.#take('?') !== undefined) optional.push(elements.length);
      elements.push(this.#expression(indexStart));
      if (this.#take(',') === undefined) break;
    }
    this.#close(']', "{']', ','}");
    return this.#build.list(bracket.position, elements, optional);
  }

  #map(brace: Token): Expression {
    const entries: MapEntry[] = [];
    if (this.#is(',') && this.tokens[this.#at + 1]?.text === '}') this.#next();
    while (!this.#is('}')) {
      const optional = this.#take('?') !== undefined;
      const key = this.#expression(indexStart);
      const colon = this.#token;
      this.#close(':');
      entries.push(this.#build.entry(colon.position, key, this.#expression(), optional));
      if (this.#take(',') === undefined) break;
    }
    this.#close('}', "{'}', ','}");
    return this.#build.map(brace.position, entries);
  }
}
