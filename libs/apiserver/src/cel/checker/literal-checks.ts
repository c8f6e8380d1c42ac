import { clauseComplaint, FormatSyntaxError, parseFormat } from '../library/string-format.js';
import { regexpOf } from '../regexp/go-regexp.js';
import { RegexpSyntaxError } from '../regexp/syntax.js';
import { children, type Call, type Expression } from '../syntax/ast.js';
import type { Issue } from '../syntax/source.js';
import { formatType, insideOptional, isSameType, type Type } from '../types/type.js';
import { parseDuration, parseTimestamp, TimestampValue } from '../values/time.js';
import type { CheckedExpression } from './checked-expression.js';

/** What is wrong with literals in an expression, beyond their types. */
export function literalIssues(checked: CheckedExpression): Issue[] {
  const issues: Issue[] = [];
  const visit = (part: Expression, inFormat: boolean): void => {
    if (part.kind === 'call') issues.push(...callIssues(part, checked));
    if ((part.kind === 'list' || part.kind === 'map') && !inFormat) issues.push(...mixtureIssues(part, checked));
    const isFormat = inFormat || (part.kind === 'call' && part.function === 'format');
    for (const child of children(part)) visit(child, isFormat);
  };
  visit(checked.expression, false);
  return issues;
}

function callIssues(call: Call, checked: CheckedExpression): Issue[] {
  const first = call.args[0];
  switch (call.function) {
    case 'duration':
      return first !== undefined && isBadDuration(first) ? [invalidArgument(call, first)] : [];
    case 'timestamp':
      return first !== undefined && isBadTimestamp(first) ? [invalidArgument(call, first)] : [];
    case 'matches': {
      const pattern = call.args.at(-1);
      return pattern !== undefined && isBadPattern(pattern) ? [invalidArgument(call, pattern)] : [];
    }
    case 'format':
      return formatIssues(call, checked);
    default:
      return [];
  }
}

const invalidArgument = (call: Call, argument: Expression): Issue => ({
  position: argument.position,
  message: `invalid ${call.function} argument`,
});

function isBadDuration(part: Expression): boolean {
  if (part.kind !== 'literal') return false;
  return part.literal.type !== 'string' || parseDuration(part.literal.value) === undefined;
}

function isBadTimestamp(part: Expression): boolean {
  if (part.kind !== 'literal') return false;
  const { literal } = part;
  if (literal.type === 'int') return TimestampValue.of(literal.value * 1_000_000_000n) === undefined;
  return literal.type !== 'string' || parseTimestamp(literal.value) === undefined;
}

function isBadPattern(part: Expression): boolean {
  if (part.kind !== 'literal' || part.literal.type !== 'string') return false;
  try {
    regexpOf(part.literal.value);
    return false;
  } catch (error) {
    if (error instanceof RegexpSyntaxError) return true;
    throw error;
  }
}

/** Literals whose items are of more than one type. */
function mixtureIssues(part: Expression, { typeOf }: CheckedExpression): Issue[] {
  const mismatch = (items: readonly { part: Expression; type: Type }[]): Issue[] => {
    const [first] = items;
    const odd = items.find(({ type }) => !isSameType(type, first!.type));
    if (odd === undefined) return [];
    const message = `expected type '${formatType(first!.type)}' but found '${formatType(odd.type)}'`;
    return [{ position: odd.part.position, message }];
  };
  const itemOf = (item: Expression, optional: boolean): { part: Expression; type: Type } => {
    const type = typeOf(item);
    return { part: item, type: optional ? (insideOptional(type) ?? type) : type };
  };
  if (part.kind === 'list') {
    return mismatch(part.elements.map((element, index) => itemOf(element, part.optional.includes(index))));
  }
  if (part.kind !== 'map') return [];
  return [
    ...mismatch(part.entries.map(({ key }) => itemOf(key, false))),
    ...mismatch(part.entries.map(({ value, optional }) => itemOf(value, optional))),
  ];
}

function formatIssues(call: Call, { typeOf }: CheckedExpression): Issue[] {
  const { target } = call;
  const [args] = call.args;
  if (target?.kind !== 'literal' || target.literal.type !== 'string' || args?.kind !== 'list') return [];
  const at = (part: { position: number }, message: string): Issue[] => [{ position: part.position, message }];
  let clauses;
  try {
    clauses = parseFormat(target.literal.value).filter((part) => 'clause' in part);
  } catch (error) {
    if (error instanceof FormatSyntaxError) return at(call, error.message);
    throw error;
  }
  const { elements } = args;
  if (clauses.length > elements.length) return at(call, `index ${elements.length} out of range`);
  for (const { clause, argument } of clauses) {
    const name = runtimeName(typeOf(elements[argument]!));
    const complaint = name === undefined ? undefined : clauseComplaint(clause, name);
    if (complaint !== undefined) return at(elements[argument]!, `error during formatting: ${complaint}`);
  }
  if (clauses.length < elements.length) {
    return at(
      call,
      `too many arguments supplied to string.format (expected ${clauses.length}, got ${elements.length})`,
    );
  }
  return [];
}

/** What the type of a value will be called; undefined where only the value will tell. */
function runtimeName(type: Type): string | undefined {
  switch (type.kind) {
    case 'dyn':
    case 'error':
    case 'parameter':
      return undefined;
    case 'null':
      return 'null_type';
    case 'timestamp':
      return 'google.protobuf.Timestamp';
    case 'duration':
      return 'google.protobuf.Duration';
    case 'list':
      return type.element.kind === 'opaque' ? type.element.name : 'list';
    case 'map':
      return 'map';
    case 'opaque':
    case 'object':
      return type.name;
    default:
      return type.kind;
  }
}
