import { deepEqual } from '../json.js';
import { emptySet, leaf, nodeOf, uniteNodes, type FieldSet } from './field-set.js';
import { fieldStep } from './path-element.js';
import { fieldType, isEmptyMap, itemStep, listOf, mapOf, memberOf, shapeFor, type Shape } from './typed-values.js';
import { anyValue, type ListType, type MapType, type ValueType } from './value-type.js';

/** What differs between two objects. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

export const noDifference: Comparison = { added: emptySet, modified: emptySet, removed: emptySet };

/** Compares two objects. Throws TypedValueError for items of lists that cannot be told apart. */
export function compareTyped(before: unknown, after: unknown, type: ValueType): Comparison {
  const difference = compareBoth(before, after, type);
  if (difference === undefined) return noDifference;
  const { added = emptySet, modified = emptySet, removed = emptySet } = difference;
  return { added, modified, removed };
}

interface Difference {
  readonly added?: FieldSet;
  readonly modified?: FieldSet;
  readonly removed?: FieldSet;
}

const isModified: Difference = { modified: leaf };
const parts = ['added', 'modified', 'removed'] as const;

/** Collects the differences below a node. */
class Collected {
  readonly #steps: { [K in (typeof parts)[number]]?: [string, FieldSet][] } = {};

  add(step: string, difference: Difference | undefined): void {
    if (difference === undefined) return;
    for (const part of parts) {
      const node = difference[part];
      if (node !== undefined) (this.#steps[part] ??= []).push([step, node]);
    }
  }

  end(): Difference | undefined {
    const found: { -readonly [K in keyof Difference]: Difference[K] } = {};
    let some = false;
    for (const part of parts) {
      const node = this.#steps[part] === undefined ? undefined : nodeOf(false, this.#steps[part]);
      if (node === undefined) continue;
      found[part] = node;
      some = true;
    }
    return some ? found : undefined;
  }
}

function compareOne(before: unknown, after: unknown, type: ValueType): Difference | undefined {
  if (before === undefined) return after === undefined ? undefined : { added: allOf(after, type) };
  if (after === undefined) return { removed: allOf(before, type) };
  return compareBoth(before, after, type);
}

function compareBoth(before: unknown, after: unknown, type: ValueType): Difference | undefined {
  if (before === after) return undefined;
  const shape = shapeFor(type, after);
  const former = shapeFor(type, before);
  if (shape === former) return compareAs(shape, before, after);
  return combined(compareAs(former, before, after), compareAs(shape, before, after));
}

function combined(a: Difference | undefined, b: Difference | undefined): Difference | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const found: { -readonly [K in keyof Difference]: Difference[K] } = {};
  for (const part of parts) {
    const [left, right] = [a[part], b[part]];
    const both = left === undefined || right === undefined ? (left ?? right) : uniteNodes(left, right);
    if (both !== undefined) found[part] = both;
  }
  return found;
}

function compareAs(shape: Shape, before: unknown, after: unknown): Difference | undefined {
  if ('map' in shape) return compareMaps(shape.map, before, after);
  if ('list' in shape) return compareLists(shape.list, before, after);
  return deepEqual(before, after) ? undefined : isModified;
}

function compareMaps(map: MapType, before: unknown, after: unknown): Difference | undefined {
  if (map.atomic || (isEmptyMap(before) && isEmptyMap(after))) {
    return deepEqual(before, after) ? undefined : isModified;
  }
  const [left, right] = [mapOf(before), mapOf(after)];
  const found = new Collected();
  const compareMember = (name: string): void => {
    const [l, r] = [memberOf(left, name), memberOf(right, name)];
    if (l !== r) found.add(fieldStep(name), compareOne(l, r, fieldType(map, name) ?? anyValue));
  };
  for (const name of Object.keys(left)) compareMember(name);
  for (const name of Object.keys(right)) if (!Object.hasOwn(left, name)) compareMember(name);
  return found.end();
}

function compareLists(list: ListType, before: unknown, after: unknown): Difference | undefined {
  const [left, right] = [listOf(before), listOf(after)];
  if (list.atomic || (left.length === 0 && right.length === 0)) {
    return deepEqual(before, after) ? undefined : isModified;
  }
  const items = groupItems(list, left);
  const others = groupItems(list, right);
  const found = new Collected();
  for (const step of new Set([...items.keys(), ...others.keys()])) {
    found.add(step, compareItems(list, items.get(step) ?? [], others.get(step) ?? []));
  }
  return found.end();
}

/** An item that is there more than once is owned as a whole. */
function compareItems(list: ListType, left: readonly unknown[], right: readonly unknown[]): Difference | undefined {
  if (left.length <= 1 && right.length <= 1) return compareOne(left[0], right[0], list.item);
  if (left.length >= 2 && right.length >= 2) return deepEqual(left, right) ? undefined : isModified;
  if (left.length >= 2) {
    return combined(right.length === 0 ? undefined : { added: allOf(right[0], list.item) }, { removed: leaf });
  }
  return combined(left.length === 0 ? undefined : { removed: allOf(left[0], list.item) }, { added: leaf });
}

function groupItems(list: ListType, items: readonly unknown[]): Map<string, unknown[]> {
  const groups = new Map<string, unknown[]>();
  for (const item of items) {
    const step = itemStep(list, item);
    const group = groups.get(step);
    if (group === undefined) groups.set(step, [item]);
    else group.push(item);
  }
  return groups;
}

/** Every path of a value that has come or gone, its own included. */
function allOf(value: unknown, type: ValueType): FieldSet {
  const shape = shapeFor(type, value);
  if ('map' in shape) return allOfMap(shape.map, value);
  if ('list' in shape) return allOfList(shape.list, value);
  return leaf;
}

function allOfMap(map: MapType, value: unknown): FieldSet {
  if (map.atomic) return leaf;
  const members = mapOf(value);
  const steps: [string, FieldSet][] = [];
  for (const name of Object.keys(members)) {
    if (members[name] === undefined) continue;
    steps.push([fieldStep(name), allOf(members[name], fieldType(map, name) ?? anyValue)]);
  }
  return nodeOf(true, steps)!;
}

function allOfList(list: ListType, value: unknown): FieldSet {
  const items = listOf(value);
  if (list.atomic || items.length === 0) return leaf;
  const steps: [string, FieldSet][] = [];
  for (const [step, [item, second]] of groupItems(list, items)) {
    steps.push([step, second === undefined ? allOf(item, list.item) : leaf]);
  }
  return nodeOf(true, steps)!;
}
