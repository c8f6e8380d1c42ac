import { CompileError } from '../../src/cel/checker/checker.js';
import { environmentWith } from '../../src/cel/checker/environment.js';
import { compileExpression } from '../../src/cel/compile.js';
import { PlanError } from '../../src/cel/runtime/planner.js';
import type { Type } from '../../src/cel/types/type.js';
import { Failure } from '../../src/cel/values/failure.js';
import { PlainMap, type Result, type Value } from '../../src/cel/values/value.js';
import type { RecordedExpression } from './recorded.js';

const unlimited = 1e12;

/** What `variables` holds. */
const expressions: Readonly<Record<string, string>> = {
  a: '1',
  l: '[1,2,3]',
  m: '{"k":"v"}',
  z: '0',
  s: '"abc"',
  ls: '["c","a","b"]',
};

const types = new Map<string, Type>();
const values: [Value, Value][] = [];
for (const [name, expression] of Object.entries(expressions)) {
  const { checked, program } = compileExpression(expression, environmentWith({}));
  types.set(name, checked.type);
  values.push([name, program.evaluate(() => null, unlimited).result as Value]);
}
const environment = environmentWith({
  variables: { kind: 'object', name: 'kubernetes.variables', field: (name) => types.get(name) },
});
const variables = new PlainMap(values);

/** The value of an expression. Throws CompileError or PlanError. */
export function evaluate(expression: string, limit = unlimited): Result {
  return compileExpression(expression, environment).program.evaluate(() => variables, limit).result;
}

/** What becomes of an expression, in the form in which it is recorded. */
export function outcome(expression: string): RecordedExpression {
  try {
    const result = evaluate(`dyn(${expression}) == dyn("no such value")`);
    if (result instanceof Failure) return { expression, failure: result.message };
    return { expression, value: evaluate(`"%s".format([${expression}])`) as string };
  } catch (error) {
    if (error instanceof CompileError) {
      return { expression, refused: /ERROR: <input>:\d+:\d+: ([^\n]*)/.exec(error.message)![1]! };
    }
    if (error instanceof PlanError) return { expression, refused: error.message };
    throw error;
  }
}

/** A result as an expression would write it, as far as tests need it. */
export const shown = (result: Result): unknown =>
  result instanceof Failure ? `failure: ${result.message}` : typeof result === 'bigint' ? Number(result) : result;
