import type { CheckedExpression } from './checker/checked-expression.js';
import { check, CompileError } from './checker/checker.js';
import type { Environment } from './checker/environment.js';
import { Program } from './runtime/program.js';
import { parse } from './syntax/parser.js';

/** An expression whose types are known. */
export interface CompiledExpression {
  readonly checked: CheckedExpression;
  readonly program: Program;
}

/** Parses an expression and checks its types. Throws CompileError. */
export function checkExpression(text: string, environment: Environment): CheckedExpression {
  const parsed = parse(text);
  if (parsed.expression === undefined) throw new CompileError(parsed.source, parsed.issues);
  return check(parsed.source, parsed.expression, environment);
}

/** Makes an expression ready to be evaluated. Throws CompileError or PlanError. */
export function compileExpression(text: string, environment: Environment): CompiledExpression {
  const checked = checkExpression(text, environment);
  return { checked, program: new Program(checked) };
}
