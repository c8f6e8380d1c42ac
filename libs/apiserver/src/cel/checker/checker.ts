import {
  accumulatorName,
  operators,
  type Call,
  type Comprehension,
  type Expression,
  type ListLiteral,
  type LiteralValue,
  type MapLiteral,
  type MessageLiteral,
  type Select,
} from '../syntax/ast.js';
import { formatIssues, type Issue, type Source } from '../syntax/source.js';
import { Substitution, isAtLeastAsGeneral } from '../types/substitution.js';
import * as types from '../types/type.js';
import { formatSignature, formatType, insideOptional, type Type } from '../types/type.js';
import type { Overload } from '../library/overload.js';
import type { CheckedExpression, Reference, ResolvedCall } from './checked-expression.js';
import { typeNames, type Environment } from './environment.js';
import { literalIssues } from './literal-checks.js';

/** An expression that cannot be compiled. The message is what the real server says. */
export class CompileError extends Error {
  constructor(source: Source, issues: readonly Issue[]) {
    super(formatIssues(source, issues));
    this.name = 'CompileError';
  }
}

/** Checks the types of an expression. Throws CompileError. */
export function check(source: Source, expression: Expression, environment: Environment): CheckedExpression {
  const checker = new Checker(environment);
  checker.check(expression);
  if (checker.issues.length > 0) throw new CompileError(source, checker.issues);
  const checked = checker.result(expression);
  const issues = literalIssues(checked);
  if (issues.length > 0) throw new CompileError(source, issues);
  return checked;
}

/** Macros can double a type again and again. */
const largestType = 2000;

const literalTypes: Readonly<Record<LiteralValue['type'], Type>> = {
  null: types.nullType,
  bool: types.bool,
  int: types.int,
  uint: types.uint,
  double: types.double,
  string: types.string,
  bytes: types.bytes,
};

class Checker {
  readonly issues: Issue[] = [];
  readonly #types = new Map<number, Type>();
  readonly #references = new Map<number, Reference>();
  readonly #calls = new Map<number, ResolvedCall>();
  readonly #substitution = new Substitution();
  /** Variables of the comprehensions around, the innermost last. */
  readonly #scopes: ReadonlyMap<string, Type>[] = [];
  #fresh = 0;

  constructor(private readonly environment: Environment) {}

  result(expression: Expression): CheckedExpression {
    const resolved = new Map<number, Type>();
    const typeOf = (part: Expression): Type => {
      let type = resolved.get(part.id);
      if (type === undefined) {
        type = this.#substitution.resolve(this.#types.get(part.id) ?? types.dyn, true);
        resolved.set(part.id, type);
      }
      return type;
    };
    return { expression, type: typeOf(expression), typeOf, references: this.#references, calls: this.#calls };
  }

  check(part: Expression): Type {
    const type = this.#limited(part, this.#check(part));
    this.#types.set(part.id, type);
    return type;
  }

  #check(part: Expression): Type {
    switch (part.kind) {
      case 'literal':
        return literalTypes[part.literal.type];
      case 'identifier':
        return this.#name(part.id, part.name) ?? this.#undeclared(part, part.name);
      case 'select':
        return this.#select(part);
      case 'call':
        return this.#call(part);
      case 'list':
        return this.#list(part);
      case 'map':
        return this.#map(part);
      case 'message':
        return this.#message(part);
      case 'comprehension':
        return this.#comprehension(part);
    }
  }

  #limited(part: Expression, type: Type): Type {
    if (isSmall(type)) return type;
    return this.#fail(part, `type of the expression has more than ${largestType} parts`);
  }

  #fail(part: { readonly position: number }, message: string): Type {
    this.issues.push({ position: part.position, message });
    return types.errorType;
  }

  #undeclared(part: Expression, name: string): Type {
    return this.#fail(part, `undeclared reference to '${name.replace(/^\./, '')}' (in container '')`);
  }

  #freshParameter(): Type {
    return types.parameter(`_var${this.#fresh++}`);
  }

  /** Finds a variable or type by its whole name; a dot in front leads past the comprehensions. */
  #name(id: number, name: string): Type | undefined {
    if (!name.startsWith('.')) {
      const local = this.#scopes.findLast((scope) => scope.has(name))?.get(name);
      if (local !== undefined) {
        this.#references.set(id, { variable: name });
        return local;
      }
    }
    const plain = name.replace(/^\./, '');
    const variable = this.environment.variables.get(plain);
    if (variable !== undefined) {
      this.#references.set(id, { variable: name });
      return variable;
    }
    const named = typeNames.get(plain);
    if (named === undefined) return undefined;
    this.#references.set(id, { typeName: named.name });
    return types.typeOf(named.type);
  }

  #select(part: Select): Type {
    const name = qualifiedName(part);
    if (name !== undefined && !part.test) {
      const type = this.#name(part.id, name);
      if (type !== undefined) return type;
    }
    const type = this.#field(part, this.check(part.operand), part.field, false);
    return part.test ? types.bool : type;
  }

  /** The type of a field; what is taken from an optional value is optional. */
  #field(part: Expression, given: Type, field: string, optional: boolean): Type {
    const operand = this.#substitution.resolve(given, false);
    const inside = insideOptional(operand);
    const target = inside ?? operand;
    let result: Type;
    switch (target.kind) {
      case 'map':
        result = target.value;
        break;
      case 'object':
        result = target.field(field) ?? this.#fail(part, `undefined field '${field}'`);
        break;
      case 'parameter':
        this.#substitution.assign(types.dyn, target);
        result = types.dyn;
        break;
      case 'dyn':
      case 'error':
        result = types.dyn;
        break;
      default:
        if (target.kind === 'opaque' && target.name.startsWith('kubernetes.')) {
          result = this.#fail(part, `unexpected failed resolution of '${target.name}'`);
          break;
        }
        this.#fail(part, `type '${formatType(target)}' does not support field selection`);
        result = types.dyn;
    }
    return optional || inside !== undefined ? types.optionalOf(result) : result;
  }

  #call(call: Call): Type {
    if (call.function === operators.optionalSelect) {
      const [operand, field] = call.args;
      const name = field?.kind === 'literal' && field.literal.type === 'string' ? field.literal.value : '';
      const type = this.#field(call, this.check(operand!), name, true);
      this.#types.set(field!.id, types.string);
      return type;
    }
    const args = call.args.map((arg) => this.check(arg));
    if (call.target === undefined) return this.#invoke(call, call.function, args, call.args, false);
    const qualifier = qualifiedName(call.target);
    if (qualifier !== undefined) {
      const name = `${qualifier.replace(/^\./, '')}.${call.function}`;
      if (this.environment.functions.has(name)) return this.#invoke(call, name, args, call.args, false);
    }
    const target = this.check(call.target);
    return this.#invoke(call, call.function, [target, ...args], [call.target, ...call.args], true);
  }

  #invoke(call: Call, name: string, args: readonly Type[], parts: readonly Expression[], method: boolean): Type {
    const found = this.environment.functions.get(name.replace(/^\./, ''));
    if (found === undefined) return this.#undeclared(call, name);
    if (name === operators.and || name === operators.or) return this.#logical(call, args);
    let result: Type | undefined;
    const fitting: Overload[] = [];
    for (const overload of found.overloads) {
      if (overload.method !== method || overload.parameters.length !== args.length) continue;
      const [returned, ...parameters] = this.#instantiated([overload.result, ...overload.parameters]);
      if (!this.#substitution.assignAll(args, parameters)) continue;
      fitting.push(overload);
      const type = this.#substitution.resolve(returned!, false);
      if (result === undefined) result = type;
      else if (result.kind !== 'dyn' && !types.isSameType(type, result)) result = types.dyn;
    }
    if (result === undefined) {
      const shown = args.map((type) => this.#substitution.resolve(type, true));
      return this.#fail(
        call,
        `found no matching overload for '${name}' applied to '${formatSignature(shown, method)}'`,
      );
    }
    this.#calls.set(call.id, { function: found, overloads: fitting, args: parts });
    return result;
  }

  /** `&&` and `||` blame each of their sides. */
  #logical(call: Call, args: readonly Type[]): Type {
    args.forEach((type, index) => this.#require(call.args[index]!, type, types.bool));
    return types.bool;
  }

  #require(part: Expression, found: Type, wanted: Type): void {
    if (this.#substitution.assign(found, wanted)) return;
    const shown = [wanted, found].map((type) => formatType(this.#substitution.resolve(type, true)));
    this.#fail(part, `expected type '${shown[0]}' but found '${shown[1]}'`);
  }

  /** Types of a signature, with type parameters of their own. */
  #instantiated(signature: readonly Type[]): readonly Type[] {
    const names = new Map<string, Type>();
    const replace = (type: Type): Type => {
      if (type.kind === 'parameter') {
        const known = names.get(type.name) ?? this.#freshParameter();
        names.set(type.name, known);
        return known;
      }
      const inner = types.parametersOf(type);
      return inner.length === 0 ? type : types.withParameters(type, inner.map(replace));
    };
    return signature.map(replace);
  }

  #list(list: ListLiteral): Type {
    let element: Type | undefined;
    list.elements.forEach((each, index) => {
      const type = this.check(each);
      element = this.#joined(element, list.optional.includes(index) ? this.#unwrapped(each, type) : type);
    });
    return types.listOf(element ?? this.#freshParameter());
  }

  #map(map: MapLiteral): Type {
    let key: Type | undefined;
    let value: Type | undefined;
    for (const entry of map.entries) {
      key = this.#joined(key, this.check(entry.key));
      const type = this.check(entry.value);
      value = this.#joined(value, entry.optional ? this.#unwrapped(entry.value, type) : type);
    }
    return types.mapOf(key ?? this.#freshParameter(), value ?? this.#freshParameter());
  }

  #unwrapped(part: Expression, type: Type): Type {
    const resolved = this.#substitution.resolve(type, false);
    const inside = insideOptional(resolved);
    if (inside !== undefined) return inside;
    if (resolved.kind !== 'dyn' && resolved.kind !== 'error') {
      this.#fail(part, `expected type 'optional_type(${formatType(resolved)})' but found '${formatType(resolved)}'`);
    }
    return resolved;
  }

  /** The type of things of two types; whether that is allowed is found out later. */
  #joined(before: Type | undefined, type: Type): Type {
    if (before === undefined) return type;
    if (!this.#substitution.assign(before, type)) return types.dyn;
    return isAtLeastAsGeneral(before, type) ? before : type;
  }

  #message(message: MessageLiteral): Type {
    for (const { value } of message.fields) this.check(value);
    const name = message.name.replace(/^\./, '');
    if (!wellKnown.has(name)) return this.#undeclared(message, name);
    return this.#fail(message, `messages such as '${name}' are not supported by this server`);
  }

  #comprehension(loop: Comprehension): Type {
    const range = this.#substitution.resolve(this.check(loop.range), false);
    const accumulator = this.check(loop.initial);
    const [first, second] = this.#variableTypes(loop, range);
    this.#scopes.push(new Map([[loop.accumulator, accumulator]]));
    this.#scopes.push(
      new Map([
        [loop.variable, first],
        ...(loop.secondVariable === undefined ? [] : [[loop.secondVariable, second] as const]),
      ]),
    );
    this.#require(loop.condition, this.check(loop.condition), types.bool);
    this.#require(loop.step, this.check(loop.step), accumulator);
    // The result may refer to the accumulator only.
    this.#scopes.pop();
    const result = this.check(loop.result);
    this.#scopes.pop();
    return this.#substitution.resolve(result, false);
  }

  #variableTypes(loop: Comprehension, range: Type): [Type, Type] {
    const two = loop.secondVariable !== undefined;
    switch (range.kind) {
      case 'list':
        return two ? [types.int, range.element] : [range.element, types.errorType];
      case 'map':
        return [range.key, range.value];
      case 'dyn':
      case 'error':
        return [types.dyn, types.dyn];
      case 'parameter':
        this.#substitution.assign(types.dyn, range);
        return [types.dyn, types.dyn];
      default:
        this.#fail(
          loop.range,
          `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        return [types.errorType, types.errorType];
    }
  }
}

/** `a.b.c` where nothing but names is in it. */
function qualifiedName(part: Expression): string | undefined {
  if (part.kind === 'identifier') return part.name === accumulatorName ? undefined : part.name;
  if (part.kind !== 'select' || part.test) return undefined;
  const before = qualifiedName(part.operand);
  return before === undefined ? undefined : `${before}.${part.field}`;
}

const wellKnown = new Set(
  (
    'Timestamp Duration Any Struct Value ListValue Empty BoolValue BytesValue DoubleValue FloatValue StringValue ' +
    'Int32Value Int64Value UInt32Value UInt64Value'
  )
    .split(' ')
    .map((name) => `google.protobuf.${name}`),
);

const sizes = new WeakMap<Type, number>();

function isSmall(type: Type): boolean {
  return sizeOf(type) <= largestType;
}

function sizeOf(type: Type): number {
  let size = sizes.get(type);
  if (size === undefined) {
    size = types.parametersOf(type).reduce((sum, inner) => sum + sizeOf(inner), 1);
    sizes.set(type, size);
  }
  return size;
}
