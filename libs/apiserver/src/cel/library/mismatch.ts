import { operators } from '../syntax/ast.js';
import { noSuchOverload, type Failure } from '../values/failure.js';
import { typeNameOf } from '../values/type-name.js';
import type { Value } from '../values/value.js';

const numbers = ['int', 'uint', 'double'];
const times = ['google.protobuf.Timestamp', 'google.protobuf.Duration'];
const ordered = [...numbers, ...times, 'bool', 'string', 'bytes'];

/** Operators, with the types of left operands that know them: those only fail for their other operand. */
const operandTypes: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    [operators.add]: [...numbers, ...times, 'string', 'bytes', 'list'],
    [operators.subtract]: [...numbers, ...times],
    [operators.multiply]: numbers,
    [operators.divide]: numbers,
    [operators.modulo]: ['int', 'uint'],
    [operators.negate]: ['int', 'double', 'bool'],
    [operators.less]: ordered,
    [operators.lessEquals]: ordered,
    [operators.greater]: ordered,
    [operators.greaterEquals]: ordered,
    size: [],
    sort: [],
  }).map(([name, types]) => [name, new Set(types)]),
);
/** Types that are asked themselves for what they do not know. */
const receivers = new Set(['string', ...times]);
const nameless = new Set<string>([
  operators.in,
  operators.not,
  operators.equals,
  operators.notEquals,
  operators.notStrictlyFalse,
  'startsWith',
  'endsWith',
  'contains',
  'matches',
]);

/** What a call evaluates to whose values fit no overload. */
export function mismatch(name: string, args: readonly Value[]): Failure {
  if (nameless.has(name)) return noSuchOverload();
  const types = args.map((value) => typeNameOf(value));
  if ((name === 'find' || name === 'findAll') && typeof args[0] !== 'string') return noSuchOverload();
  const known = operandTypes.get(name);
  if (known === undefined) return noSuchOverload(`${name}(${types.join(', ')})`);
  const first = types[0] ?? '';
  return known.has(first) || (known.size > 0 && receivers.has(first)) ? noSuchOverload() : noSuchOverload(name);
}
