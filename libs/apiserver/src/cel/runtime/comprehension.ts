import { operators, type Comprehension, type Expression } from '../syntax/ast.js';
import { Failure, noSuchOverload } from '../values/failure.js';
import { typeNameOf } from '../values/type-name.js';
import { keyToken, ListValue, MapValue, PlainList, PlainMap, type Result, type Value } from '../values/value.js';
import { keyText } from '../values/access.js';
import type { Frame, PartPlanner, Step } from './step.js';

/** Plans a loop that folds a range into one value. */
export function planComprehension(loop: Comprehension, planner: PartPlanner): Step {
  const range = planner.plan(loop.range);
  const initial = planner.plan(loop.initial);
  return planner.within([loop.accumulator], ([accumulator]) => {
    const names = [loop.variable, ...(loop.secondVariable === undefined ? [] : [loop.secondVariable])];
    const body = planner.within(names, (slots) => {
      const variables: Variables = { first: slots[0]!, second: slots[1] };
      return (
        planCollection(loop, planner, range, variables) ?? {
          variables,
          condition: planner.plan(loop.condition),
          step: planner.plan(loop.step),
        }
      );
    });
    if ('run' in body) return body;
    const result = planner.plan(loop.result);
    return { run: (frame) => fold(frame, { ...body, range, initial, result, accumulator: accumulator! }) };
  });
}

interface Variables {
  readonly first: number;
  readonly second: number | undefined;
}

interface Fold {
  readonly range: Step;
  readonly initial: Step;
  readonly variables: Variables;
  readonly accumulator: number;
  readonly condition: Step;
  readonly step: Step;
  readonly result: Step;
}

function fold(frame: Frame, { range, initial, variables, accumulator, condition, step, result }: Fold): Result {
  const items = itemsOf(range.run(frame), variables.second !== undefined);
  if (items instanceof Failure) return items;
  const outer = frame.slots[accumulator];
  frame.slots[accumulator] = initial.run(frame);
  for (const [first, second] of items) {
    bind(frame, variables, first, second);
    if (condition.run(frame) !== true) break;
    frame.slots[accumulator] = step.run(frame);
  }
  const value = result.run(frame);
  frame.slots[accumulator] = outer!;
  return value;
}

function bind({ slots }: Frame, { first, second }: Variables, a: Value, b: Value | undefined): void {
  slots[first] = a;
  if (second !== undefined) slots[second] = b!;
}

/** What a loop runs over: items of a list or keys of a map, or with two variables indices and keys, with what is there. */
function itemsOf(range: Result, two: boolean): Iterable<readonly [Value, Value?]> | Failure {
  if (range instanceof Failure) return range;
  if (range instanceof ListValue) return listItems(range, two);
  if (range instanceof MapValue) return mapItems(range, two);
  const type = goTypeName(range);
  return new Failure(two ? `unsupported comprehension range type: ${type}` : `got '${type}', expected iterable type`);
}

function* listItems(list: ListValue, two: boolean): Generator<readonly [Value, Value?], void, undefined> {
  for (let index = 0; index < list.size; index++) yield two ? [BigInt(index), list.at(index)] : [list.at(index)];
}

function* mapItems(map: MapValue, two: boolean): Generator<readonly [Value, Value?], void, undefined> {
  for (const key of map.keys()) yield two ? [key, map.get(key)!] : [key];
}

const goTypes: Readonly<Record<string, string>> = {
  null_type: 'types.Null',
  type: '*types.Type',
  optional_type: '*types.Optional',
  'google.protobuf.Timestamp': 'types.Timestamp',
  'google.protobuf.Duration': 'types.Duration',
};

/** What messages of cel-go call a value's type. */
function goTypeName(value: Value): string {
  const name = typeNameOf(value);
  if (Object.hasOwn(goTypes, name)) return goTypes[name]!;
  if (name.includes('.')) return `cel.${name.slice(name.lastIndexOf('.') + 1)}`;
  return `types.${name[0]!.toUpperCase()}${name.slice(1)}`;
}

/** What is added in each turn of a loop that only collects, and under which condition. */
interface Collected {
  readonly filter: Expression | undefined;
  readonly parts: readonly Expression[];
}

const accumulates = (loop: Comprehension, part: Expression | undefined): boolean =>
  part?.kind === 'identifier' && part.name === loop.accumulator;

function addition(loop: Comprehension, part: Expression): readonly Expression[] | undefined {
  if (part.kind !== 'call' || !accumulates(loop, part.args[0])) return undefined;
  if (part.function === 'cel.@mapInsert') return part.args.slice(1);
  const item = part.args[1];
  if (part.function !== operators.add || item?.kind !== 'list' || item.optional.length > 0) return undefined;
  return item.elements.length === 1 ? item.elements : undefined;
}

function collected(loop: Comprehension): Collected | undefined {
  const { step } = loop;
  const added = addition(loop, step);
  if (added !== undefined) return { filter: undefined, parts: added };
  if (step.kind !== 'call' || step.function !== operators.conditional || !accumulates(loop, step.args[2]))
    return undefined;
  const filtered = addition(loop, step.args[1]!);
  return filtered === undefined ? undefined : { filter: step.args[0], parts: filtered };
}

const identifierCost = 1;
const callCost = 1;
const listCost = 10;

/**
 * Plans the loop of `map`, `filter` and the like with a collection that grows, since copying it in each turn would take
 * time by the square of its size. Undefined where the loop is another one.
 */
function planCollection(
  loop: Comprehension,
  planner: PartPlanner,
  range: Step,
  variables: Variables,
): (Step & { run: Step['run'] }) | undefined {
  const found = collected(loop);
  if (found === undefined) return undefined;
  const isList = loop.initial.kind === 'list';
  const filter = found.filter === undefined ? undefined : planner.plan(found.filter);
  const parts = found.parts.map((part) => planner.plan(part));
  const collect = isList ? collectItems : collectEntries;
  return {
    run: (frame) => {
      const items = itemsOf(range.run(frame), variables.second !== undefined);
      if (items instanceof Failure) return items;
      return collect(frame, accepted(frame, items, variables, filter), parts);
    },
  };
}

/** Goes through what the filter lets through, with the variables set; ends with a failure of the filter. */
function* accepted(
  frame: Frame,
  items: Iterable<readonly [Value, Value?]>,
  variables: Variables,
  filter: Step | undefined,
): Generator<Failure | undefined, void, undefined> {
  for (const [first, second] of items) {
    bind(frame, variables, first, second);
    const passes = filter === undefined ? true : filter.run(frame);
    frame.meter.add(identifierCost);
    if (passes === false) continue;
    if (passes !== true) {
      yield passes instanceof Failure ? passes : noSuchOverload();
      return;
    }
    yield undefined;
  }
  frame.meter.add(identifierCost);
}

function collectItems(frame: Frame, turns: Iterable<Failure | undefined>, parts: readonly Step[]): Result {
  const out: Value[] = [];
  for (const failure of turns) {
    if (failure !== undefined) return failure;
    const value = parts[0]!.run(frame);
    if (value instanceof Failure) return value;
    frame.meter.add(listCost + callCost);
    out.push(value);
  }
  return new PlainList(out);
}

function collectEntries(frame: Frame, turns: Iterable<Failure | undefined>, parts: readonly Step[]): Result {
  const entries: (readonly [Value, Value])[] = [];
  const tokens = new Set<string>();
  const insert = (key: Value, value: Value): Failure | undefined => {
    const token = keyToken(key);
    if (token === undefined) return new Failure('unsupported key type');
    if (tokens.has(token)) return new Failure(`insert failed: key ${keyText(key)} already exists`);
    tokens.add(token);
    entries.push([key, value]);
    return undefined;
  };
  for (const failure of turns) {
    if (failure !== undefined) return failure;
    const values: Value[] = [];
    for (const part of parts) {
      const value = part.run(frame);
      if (value instanceof Failure) return value;
      values.push(value);
    }
    frame.meter.add(callCost);
    const added = values.length === 2 ? [[values[0]!, values[1]!] as const] : entriesOf(values[0]!);
    if (added instanceof Failure) return added;
    for (const [key, value] of added) {
      const problem = insert(key, value);
      if (problem !== undefined) return problem;
    }
  }
  return new PlainMap(entries);
}

function entriesOf(value: Value): readonly (readonly [Value, Value])[] | Failure {
  if (!(value instanceof MapValue)) return noSuchOverload('cel.@mapInsert');
  return Array.from(value.keys(), (key) => [key, value.get(key)!] as const);
}
