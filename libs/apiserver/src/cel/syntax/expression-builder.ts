import {
  operators,
  type Call,
  type Expression,
  type Identifier,
  type ListLiteral,
  type LiteralValue,
  type MapEntry,
  type MapLiteral,
} from './ast.js';

/** Macros can double an expression again and again. */
const mostParts = 200_000;

/** An expression has too many parts. */
export class ExpressionSizeError extends Error {}

/** Makes the parts of one expression, each with an id of its own. */
export class ExpressionBuilder {
  #next = 0;

  id(): number {
    if (this.#next >= mostParts) {
      throw new ExpressionSizeError(`expression is too large: macros expand it to more than ${mostParts} parts`);
    }
    return ++this.#next;
  }

  literal(position: number, literal: LiteralValue): Expression {
    return { kind: 'literal', id: this.id(), position, literal };
  }

  bool(position: number, value: boolean): Expression {
    return this.literal(position, { type: 'bool', value });
  }

  int(position: number, value: bigint): Expression {
    return this.literal(position, { type: 'int', value });
  }

  identifier(position: number, name: string): Identifier {
    return { kind: 'identifier', id: this.id(), position, name };
  }

  select(position: number, operand: Expression, field: string, test = false): Expression {
    return { kind: 'select', id: this.id(), position, operand, field, test };
  }

  call(position: number, name: string, ...args: Expression[]): Call {
    return { kind: 'call', id: this.id(), position, function: name, target: undefined, args };
  }

  method(position: number, target: Expression, name: string, ...args: Expression[]): Call {
    return { kind: 'call', id: this.id(), position, function: name, target, args };
  }

  list(position: number, elements: readonly Expression[], optional: readonly number[] = []): ListLiteral {
    return { kind: 'list', id: this.id(), position, elements, optional };
  }

  entry(position: number, key: Expression, value: Expression, optional: boolean): MapEntry {
    return { id: this.id(), position, key, value, optional };
  }

  map(position: number, entries: readonly MapEntry[]): MapLiteral {
    return { kind: 'map', id: this.id(), position, entries };
  }

  /** A chain of `&&` or `||` as a balanced tree, so that long chains are not deep. */
  balanced(
    name: typeof operators.and | typeof operators.or,
    terms: readonly Expression[],
    positions: readonly number[],
  ): Expression {
    if (terms.length === 1) return terms[0]!;
    const middle = Math.floor((terms.length - 1) / 2);
    return this.call(
      positions[middle]!,
      name,
      this.balanced(name, terms.slice(0, middle + 1), positions.slice(0, middle)),
      this.balanced(name, terms.slice(middle + 1), positions.slice(middle + 1)),
    );
  }

  /** The same parts again under new ids. */
  copy(expression: Expression): Expression {
    const id = this.id();
    switch (expression.kind) {
      case 'literal':
      case 'identifier':
        return { ...expression, id };
      case 'select':
        return { ...expression, id, operand: this.copy(expression.operand) };
      case 'call':
        return {
          ...expression,
          id,
          target: expression.target === undefined ? undefined : this.copy(expression.target),
          args: expression.args.map((arg) => this.copy(arg)),
        };
      case 'list':
        return { ...expression, id, elements: expression.elements.map((element) => this.copy(element)) };
      case 'map':
        return {
          ...expression,
          id,
          entries: expression.entries.map((entry) => ({
            ...entry,
            id: this.id(),
            key: this.copy(entry.key),
            value: this.copy(entry.value),
          })),
        };
      case 'message':
        return {
          ...expression,
          id,
          fields: expression.fields.map((field) => ({ ...field, value: this.copy(field.value) })),
        };
      case 'comprehension':
        return {
          ...expression,
          id,
          range: this.copy(expression.range),
          initial: this.copy(expression.initial),
          condition: this.copy(expression.condition),
          step: this.copy(expression.step),
          result: this.copy(expression.result),
        };
    }
  }
}
