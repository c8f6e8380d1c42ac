import { accumulatorName, operators, type Expression } from './ast.js';
import type { ExpressionBuilder } from './expression-builder.js';

/** A call that reads like a macro but is none; `at` is the argument to blame. */
export class MacroError extends Error {
  constructor(
    readonly at: Expression,
    message: string,
  ) {
    super(message);
  }
}

interface MacroCall {
  readonly build: ExpressionBuilder;
  /** Where the call's parenthesis is; all that a macro makes is there. */
  readonly position: number;
  readonly args: readonly Expression[];
}

interface MethodMacroCall extends MacroCall {
  readonly target: Expression;
}

/** Expands `has(a.b)`; undefined where the call is no macro. */
export function expandFunctionMacro(name: string, call: MacroCall): Expression | undefined {
  if (name !== 'has' || call.args.length !== 1) return undefined;
  const argument = call.args[0]!;
  if (argument.kind !== 'select' || argument.test) throw new MacroError(argument, 'invalid argument to has() macro');
  return call.build.select(call.position, argument.operand, argument.field, true);
}

/** Expands `list.all(x, …)` and the like; undefined where the call is no macro. */
export function expandMethodMacro(name: string, call: MethodMacroCall): Expression | undefined {
  return methodMacros[`${name}/${call.args.length}`]?.(call);
}

const notSimple = 'argument must be a simple name';
const notIdentifier = 'argument is not an identifier';

/** The name that an argument gives to a variable. */
function variableName(argument: Expression | undefined, complaint = notSimple): string {
  if (argument?.kind !== 'identifier') throw new MacroError(argument!, complaint);
  if (argument.name === '__result__') {
    throw new MacroError(argument, 'iteration variable overwrites accumulator variable');
  }
  return argument.name;
}

function variableNames(first: Expression | undefined, second: Expression | undefined): [string, string] {
  const names: [string, string] = [variableName(first), variableName(second)];
  if (names[0] === names[1]) throw new MacroError(second!, `duplicate variable name: ${names[0]}`);
  return names;
}

interface Fold {
  readonly initial: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** `variables` holds one or two arguments that name variables. */
function loop({ build, position, target }: MethodMacroCall, variables: readonly Expression[], fold: Fold): Expression {
  const [first, second] =
    variables.length === 2 ? variableNames(variables[0], variables[1]) : [variableName(variables[0]), undefined];
  return {
    kind: 'comprehension',
    id: build.id(),
    position,
    range: target,
    variable: first,
    secondVariable: second,
    accumulator: accumulatorName,
    ...fold,
  };
}

const accumulator = ({ build, position }: MacroCall): Expression => build.identifier(position, accumulatorName);

function quantifier(call: MethodMacroCall, variables: number, every: boolean): Expression {
  const { build, position, args } = call;
  const known = accumulator(call);
  return loop(call, args.slice(0, variables), {
    initial: build.bool(position, every),
    condition: build.call(
      position,
      operators.notStrictlyFalse,
      every ? known : build.call(position, operators.not, known),
    ),
    step: build.call(position, every ? operators.and : operators.or, accumulator(call), args[variables]!),
    result: accumulator(call),
  });
}

function exactlyOne(call: MethodMacroCall, variables: number): Expression {
  const { build, position, args } = call;
  const increment = build.call(position, operators.add, accumulator(call), build.int(position, 1n));
  return loop(call, args.slice(0, variables), {
    initial: build.int(position, 0n),
    condition: build.bool(position, true),
    step: build.call(position, operators.conditional, args[variables]!, increment, accumulator(call)),
    result: build.call(position, operators.equals, accumulator(call), build.int(position, 1n)),
  });
}

/** Folds into a list or map; `filter` decides which items are added. */
function collect(
  call: MethodMacroCall,
  variables: number,
  initial: Expression,
  filter: Expression | undefined,
  add: Expression,
): Expression {
  const { build, position, args } = call;
  return loop(call, args.slice(0, variables), {
    initial,
    condition: build.bool(position, true),
    step: filter === undefined ? add : build.call(position, operators.conditional, filter, add, accumulator(call)),
    result: accumulator(call),
  });
}

function mapped(call: MethodMacroCall, variables: number, filtered: boolean): Expression {
  const { build, position, args } = call;
  if (variables === 1) variableName(args[0], notIdentifier);
  const item = build.list(position, [args[filtered ? variables + 1 : variables]!]);
  const add = build.call(position, operators.add, accumulator(call), item);
  return collect(call, variables, build.list(position, []), filtered ? args[variables] : undefined, add);
}

function filtered(call: MethodMacroCall): Expression {
  const { build, position, args } = call;
  variableName(args[0], notIdentifier);
  const add = build.call(position, operators.add, accumulator(call), build.list(position, [args[0]!]));
  return collect(call, 1, build.list(position, []), args[1], add);
}

function mappedEntries(call: MethodMacroCall, wholeEntries: boolean): Expression {
  const { build, position, args } = call;
  const hasFilter = args.length === 4;
  const value = args[hasFilter ? 3 : 2]!;
  const [key] = variableNames(args[0], args[1]);
  const inserted = wholeEntries ? [value] : [build.identifier(position, key), value];
  const add = build.call(position, 'cel.@mapInsert', accumulator(call), ...inserted);
  return collect(call, 2, build.map(position, []), hasFilter ? args[2] : undefined, add);
}

/** Evaluates `body` with a variable that holds `value`: a fold over nothing. */
function bind(call: MacroCall, name: string, value: Expression, body: Expression): Expression {
  const { build, position } = call;
  return {
    kind: 'comprehension',
    id: build.id(),
    position,
    range: build.list(position, []),
    variable: '#unused',
    secondVariable: undefined,
    accumulator: name,
    initial: value,
    condition: build.bool(position, false),
    step: build.identifier(position, name),
    result: body,
  };
}

function optionalMap(call: MethodMacroCall, wrap: boolean): Expression {
  const { build, position, target, args } = call;
  const complaint = `${wrap ? 'optMap' : 'optFlatMap'}() variable name must be a simple identifier`;
  const value = build.method(position, build.copy(target), 'value');
  const body = bind(call, variableName(args[0], complaint), value, args[1]!);
  return build.call(
    position,
    operators.conditional,
    build.method(position, target, 'hasValue'),
    wrap ? build.call(position, 'optional.of', body) : body,
    build.call(position, 'optional.none'),
  );
}

const sortInput = '@__sortBy_input__';

function sortedBy(call: MethodMacroCall): Expression {
  const { build, position, target, args } = call;
  if (target.kind === 'literal' || target.kind === 'map' || target.kind === 'message') {
    throw new MacroError(
      target,
      'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
    );
  }
  const keys = mapped({ build, position, target: build.identifier(position, sortInput), args }, 1, false);
  const sorted = build.method(position, build.identifier(position, sortInput), '@sortByAssociatedKeys', keys);
  return bind(call, sortInput, target, sorted);
}

const methodMacros: Readonly<Record<string, (call: MethodMacroCall) => Expression>> = {
  'all/2': (call) => quantifier(call, 1, true),
  'all/3': (call) => quantifier(call, 2, true),
  'exists/2': (call) => quantifier(call, 1, false),
  'exists/3': (call) => quantifier(call, 2, false),
  'exists_one/2': (call) => exactlyOne(call, 1),
  'exists_one/3': (call) => exactlyOne(call, 2),
  'existsOne/3': (call) => exactlyOne(call, 2),
  'map/2': (call) => mapped(call, 1, false),
  'map/3': (call) => mapped(call, 1, true),
  'filter/2': filtered,
  'transformList/3': (call) => mapped(call, 2, false),
  'transformList/4': (call) => mapped(call, 2, true),
  'transformMap/3': (call) => mappedEntries(call, false),
  'transformMap/4': (call) => mappedEntries(call, false),
  'transformMapEntry/3': (call) => mappedEntries(call, true),
  'transformMapEntry/4': (call) => mappedEntries(call, true),
  'optMap/2': (call) => optionalMap(call, true),
  'optFlatMap/2': (call) => optionalMap(call, false),
  'sortBy/2': sortedBy,
};
