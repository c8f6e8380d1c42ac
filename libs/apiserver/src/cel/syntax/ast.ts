/** Parts of an expression, macros expanded. `id` is unique in the expression and the key of what is known about a part. */
export type Expression =
  Literal | Identifier | Select | Call | ListLiteral | MapLiteral | MessageLiteral | Comprehension;

interface Part {
  readonly id: number;
  /** Where it is in the text, in code points. */
  readonly position: number;
}

export type LiteralValue =
  | { readonly type: 'null' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'uint'; readonly value: bigint }
  | { readonly type: 'double'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'bytes'; readonly value: Uint8Array };

export interface Literal extends Part {
  readonly kind: 'literal';
  readonly literal: LiteralValue;
}

export interface Identifier extends Part {
  readonly kind: 'identifier';
  readonly name: string;
}

export interface Select extends Part {
  readonly kind: 'select';
  readonly operand: Expression;
  readonly field: string;
  /** Made by `has()`: asks whether the field is there. */
  readonly test: boolean;
}

export interface Call extends Part {
  readonly kind: 'call';
  readonly function: string;
  readonly target: Expression | undefined;
  readonly args: readonly Expression[];
}

export interface ListLiteral extends Part {
  readonly kind: 'list';
  readonly elements: readonly Expression[];
  /** Indices of the elements that are left out when they have no value. */
  readonly optional: readonly number[];
}

export interface MapEntry extends Part {
  readonly key: Expression;
  readonly value: Expression;
  readonly optional: boolean;
}

export interface MapLiteral extends Part {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}

export interface MessageLiteral extends Part {
  readonly kind: 'message';
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly value: Expression; readonly optional: boolean }[];
}

/** What the macros become: a loop that folds a range into one value. */
export interface Comprehension extends Part {
  readonly kind: 'comprehension';
  readonly range: Expression;
  readonly variable: string;
  /** With two variables the first one is the index or key, the second one the value. */
  readonly secondVariable: string | undefined;
  readonly accumulator: string;
  readonly initial: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** Function names of operators. */
export const operators = {
  conditional: '_?_:_',
  and: '_&&_',
  or: '_||_',
  not: '!_',
  equals: '_==_',
  notEquals: '_!=_',
  less: '_<_',
  lessEquals: '_<=_',
  greater: '_>_',
  greaterEquals: '_>=_',
  add: '_+_',
  subtract: '_-_',
  multiply: '_*_',
  divide: '_/_',
  modulo: '_%_',
  negate: '-_',
  index: '_[_]',
  optionalIndex: '_[?_]',
  optionalSelect: '_?._',
  in: '@in',
  notStrictlyFalse: '@not_strictly_false',
} as const;

/** The variable of a comprehension that holds what was folded so far. No identifier in the text can have this name. */
export const accumulatorName = '@result';

/** The direct parts of an expression, in the order in which they are checked. */
export function children(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'identifier':
      return [];
    case 'select':
      return [expression.operand];
    case 'call':
      return expression.target === undefined ? expression.args : [expression.target, ...expression.args];
    case 'list':
      return expression.elements;
    case 'map':
      return expression.entries.flatMap(({ key, value }) => [key, value]);
    case 'message':
      return expression.fields.map(({ value }) => value);
    case 'comprehension':
      return [expression.range, expression.initial, expression.condition, expression.step, expression.result];
  }
}
