import type { FunctionDeclaration, Overload } from '../library/overload.js';
import type { Expression } from '../syntax/ast.js';
import type { Type } from '../types/type.js';

/** What the checker found an expression's parts to be. Keys are their ids. */
export interface CheckedExpression {
  readonly expression: Expression;
  readonly type: Type;
  readonly typeOf: (part: Expression) => Type;
  /** For identifiers and chains of fields that name a variable or a type. */
  readonly references: ReadonlyMap<number, Reference>;
  /** For calls: the function, and the overloads that the arguments fit. */
  readonly calls: ReadonlyMap<number, ResolvedCall>;
}

export type Reference = { readonly variable: string } | { readonly typeName: string };

export interface ResolvedCall {
  readonly function: FunctionDeclaration;
  readonly overloads: readonly Overload[];
  readonly args: readonly Expression[];
}
