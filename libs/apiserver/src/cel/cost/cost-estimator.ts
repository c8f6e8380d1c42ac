import type { CheckedExpression } from '../checker/checked-expression.js';
import type { DeclaredType } from '../schema/declared-type.js';
import {
  accumulatorName,
  operators,
  type Call,
  type Comprehension,
  type Expression,
  type Select,
} from '../syntax/ast.js';
import { insideOptional, type Type } from '../types/type.js';
import { estimateCall, type EstimatedPart } from './function-estimates.js';
import { SharedPath } from './shared-path.js';
import { fixedSize, sizeUnion, times, unknownSize, type Size } from './size.js';

const identifierCost = 1;
const listCost = 10;
const mapCost = 30;
const messageCost = 40;

/** The size of what is in an empty list or map. */
const nothing = fixedSize(0);

/** How large what is in a list or map can be. */
interface EntrySize {
  readonly key: Size | undefined;
  readonly value: Size;
}

/** A variable of a comprehension: what it runs over, or what it was given. */
interface Local {
  readonly path: SharedPath | undefined;
  readonly size: Size | undefined;
  readonly entry: EntrySize | undefined;
}

const scalars = new Set(['bool', 'int', 'uint', 'double', 'timestamp', 'duration']);

function isScalar(type: Type): boolean {
  const inside = insideOptional(type);
  return inside === undefined ? scalars.has(type.kind) : isScalar(inside);
}

/**
 * What an expression costs at most, as cel-go and Kubernetes estimate it. Where sizes come from the schema they are
 * looked up by the path that leads to them from the variable `self` or `oldSelf`.
 */
export function estimateCost(checked: CheckedExpression, root: DeclaredType | undefined): number {
  return new CostEstimator(checked, root).cost(checked.expression);
}

class CostEstimator {
  readonly #sizes = new Map<number, Size>();
  readonly #entries = new Map<number, EntrySize>();
  readonly #paths = new Map<number, SharedPath>();
  readonly #locals: Map<string, Local>[] = [];

  constructor(
    private readonly checked: CheckedExpression,
    private readonly root: DeclaredType | undefined,
  ) {}

  cost(part: Expression): number {
    switch (part.kind) {
      case 'literal':
        return 0;
      case 'identifier':
        return this.#identifier(part.id, part.name);
      case 'select':
        return this.#select(part);
      case 'call':
        return this.#call(part);
      case 'list':
        return this.#list(part);
      case 'map':
        return this.#map(part);
      case 'message':
        return part.fields.reduce((sum, { value }) => sum + this.cost(value), messageCost);
      case 'comprehension':
        return this.#comprehension(part);
    }
  }

  #identifier(id: number, name: string): number {
    const local = this.#locals.findLast((scope) => scope.has(name))?.get(name);
    const path = local === undefined ? SharedPath.of(name) : local.path;
    if (path !== undefined) this.#paths.set(id, path);
    if (local?.size !== undefined && path === undefined) this.#sizes.set(id, local.size);
    if (local?.entry !== undefined) this.#entries.set(id, local.entry);
    return identifierCost;
  }

  #select(part: Select): number {
    // A chain of names that names one variable or type is read at once.
    if (this.checked.references.has(part.id)) return this.#identifier(part.id, fieldChain(part));
    const operand = this.cost(part.operand);
    if (part.test) return operand;
    this.#paths.set(part.id, this.#pathOf(part.operand).with(part.field));
    const { kind } = this.checked.typeOf(part.operand);
    return operand + (kind === 'map' || kind === 'object' ? identifierCost : 0);
  }

  #call(call: Call): number {
    const resolved = this.checked.calls.get(call.id);
    const parts = resolved?.args ?? call.args;
    const costs = new Map<Expression, number>();
    // Arguments come before the target, as in cel-go: the order matters where paths share their storage.
    const isMethod = call.target !== undefined && parts[0] === call.target;
    for (const part of isMethod ? [...parts.slice(1), parts[0]!] : parts) {
      costs.set(part, this.cost(part));
      this.#sizeOf(part);
    }
    const all = [...costs.values()].reduce((sum, cost) => sum + cost, 0);
    if (call.function === 'dyn') {
      this.#copySizes(call, parts[0]!);
      return all + 1;
    }
    if (call.function === operators.optionalSelect) return all + 1;
    if (call.function === operators.index) this.#indexed(call, parts[0]!);
    if (call.function === operators.add || call.function === operators.conditional) {
      this.#joinEntries(call, parts.slice(-2));
    }
    const { cost, size } = estimateCall(
      resolved?.function.name ?? call.function,
      parts.map((part) => this.#estimated(part)),
      resolved?.overloads ?? [],
    );
    if (size !== undefined && !this.#sizes.has(call.id)) this.#sizes.set(call.id, size);
    if (call.function !== operators.conditional) return all + cost;
    // Only one of the two alternatives is evaluated.
    const [condition, yes, no] = parts.map((part) => costs.get(part)!) as [number, number, number];
    return condition + Math.max(yes, no) + cost;
  }

  #copySizes(to: Expression, from: Expression): void {
    this.#sizes.set(to.id, this.#sizeOf(from) ?? unknownSize);
    const entry = this.#entries.get(from.id);
    if (entry !== undefined) this.#entries.set(to.id, entry);
  }

  /** An item of what was computed has the size that was found then, and not one from the schema. */
  #indexed(call: Call, container: Expression): void {
    const { kind } = this.checked.typeOf(container);
    const step = kind === 'list' ? '@items' : '@values';
    this.#paths.set(call.id, this.#pathOf(container).with(step));
    const entry = this.#entries.get(container.id);
    if (entry !== undefined) this.#sizes.set(call.id, entry.value);
  }

  #joinEntries(call: Call, parts: readonly Expression[]): void {
    const entry = parts.map((part) => this.#entries.get(part.id)).reduce(joined);
    if (entry !== undefined) this.#entries.set(call.id, entry);
  }

  #list({ id, elements }: Expression & { kind: 'list' }): number {
    const cost = elements.reduce((sum, element) => sum + this.cost(element), listCost);
    const sizes = elements.map((element) => this.#sizeOf(element) ?? unknownSize);
    this.#entries.set(id, { key: undefined, value: sizes.reduce(sizeUnion, nothing) });
    return cost;
  }

  #map({ id, entries }: Expression & { kind: 'map' }): number {
    const cost = entries.reduce((sum, { key, value }) => sum + this.cost(key) + this.cost(value), mapCost);
    const sizes = entries.map(({ key, value }) => ({
      key: this.#sizeOf(key) ?? unknownSize,
      value: this.#sizeOf(value) ?? unknownSize,
    }));
    this.#entries.set(id, {
      key: sizes.map(({ key }) => key).reduce(sizeUnion, nothing),
      value: sizes.map(({ value }) => value).reduce(sizeUnion, nothing),
    });
    return cost;
  }

  #comprehension(loop: Comprehension): number {
    const range = this.cost(loop.range);
    const initial = this.cost(loop.initial);
    this.#locals.push(new Map([[loop.accumulator, this.#localOf(loop.initial, loop.accumulator)]]));
    this.#locals.push(this.#loopVariables(loop));
    const turn = this.cost(loop.condition) + this.cost(loop.step);
    this.#locals.pop();
    const result = this.cost(loop.result);
    this.#locals.pop();
    const count = this.#sizeOf(loop.range) ?? unknownSize;
    if (loop.initial.kind === 'list' || loop.initial.kind === 'map') {
      if (loop.accumulator === accumulatorName) this.#sizes.set(loop.id, count);
      const entry = this.#entries.get(loop.step.id);
      if (entry !== undefined) this.#entries.set(loop.id, entry);
    }
    if (loop.accumulator !== accumulatorName) this.#copySizesOf(loop.result, loop.id);
    return range + initial + times(count.max, turn) + result;
  }

  #copySizesOf(from: Expression, to: number): void {
    const size = this.#sizeOf(from);
    if (size !== undefined) this.#sizes.set(to, size);
  }

  #localOf(value: Expression, name: string): Local {
    const path = this.#paths.get(value.id);
    return {
      path: name === accumulatorName ? undefined : path,
      size: this.#sizeOf(value),
      entry: this.#entries.get(value.id),
    };
  }

  #loopVariables(loop: Comprehension): Map<string, Local> {
    const path = this.#pathOf(loop.range);
    const at = (step: string): Local => ({ path: path.with(step), size: undefined, entry: undefined });
    const isMap = this.checked.typeOf(loop.range).kind === 'map';
    if (loop.secondVariable === undefined) return new Map([[loop.variable, at(isMap ? '@keys' : '@items')]]);
    const index: Local = { path: undefined, size: fixedSize(1), entry: undefined };
    return new Map([
      [loop.variable, isMap ? at('@keys') : index],
      [loop.secondVariable, at(isMap ? '@values' : '@items')],
    ]);
  }

  #estimated(part: Expression): EstimatedPart {
    return {
      part,
      type: this.checked.typeOf(part),
      size: this.#sizeOf(part) ?? unknownSize,
      itemSize: () => this.#itemSize(part),
    };
  }

  #itemSize(part: Expression): Size | undefined {
    const path = this.#paths.get(part.id);
    return path === undefined ? undefined : this.#declaredSize(path.with('@items'));
  }

  #sizeOf(part: Expression): Size | undefined {
    const known = this.#sizes.get(part.id);
    if (known !== undefined) return known;
    const written = writtenSize(part);
    if (written !== undefined) return written;
    const path = this.#paths.get(part.id);
    const declared = path === undefined ? undefined : this.#declaredSize(path);
    if (declared !== undefined) {
      // Found once: a path can lead elsewhere later.
      this.#sizes.set(part.id, declared);
      return declared;
    }
    return isScalar(this.checked.typeOf(part)) ? fixedSize(1) : undefined;
  }

  #pathOf(part: Expression): SharedPath {
    return this.#paths.get(part.id) ?? SharedPath.root;
  }

  /** What the schema says about a path. */
  #declaredSize(path: SharedPath): Size | undefined {
    let declared = this.root;
    for (const step of path.steps) {
      if (declared === undefined) return undefined;
      if (step === '@items' || step === '@values') declared = declared.element;
      else if (step === '@keys') declared = declared.key;
      else declared = declared.fields?.get(step);
    }
    return declared === undefined ? undefined : { min: 0, max: declared.maxElements };
  }
}

/** Known only where it is known of both. */
function joined(a: EntrySize | undefined, b: EntrySize | undefined): EntrySize | undefined {
  if (a === undefined || b === undefined) return undefined;
  const key = a.key === undefined || b.key === undefined ? (a.key ?? b.key) : sizeUnion(a.key, b.key);
  return { key, value: sizeUnion(a.value, b.value) };
}

/** The size of what is written in the expression itself. */
function writtenSize(part: Expression): Size | undefined {
  if (part.kind === 'list') return fixedSize(part.elements.length);
  if (part.kind === 'map') return fixedSize(part.entries.length);
  if (part.kind !== 'literal') return undefined;
  const { literal } = part;
  if (literal.type === 'string') return fixedSize(Array.from(literal.value).length);
  return fixedSize(literal.type === 'bytes' ? literal.value.length : 1);
}

function fieldChain(part: Expression): string {
  if (part.kind === 'identifier') return part.name;
  return part.kind === 'select' ? `${fieldChain(part.operand)}.${part.field}` : '';
}
