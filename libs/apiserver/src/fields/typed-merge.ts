import { setKey, type JsonObject } from '../json.js';
import { fieldType, isEmptyMap, itemStep, listOf, mapOf, memberOf, shapeFor, TypedValueError } from './typed-values.js';
import { shownStep } from './path-element.js';
import { anyValue, type ListType, type MapType, type ValueType } from './value-type.js';

/** Lays an applied object over the live one. Neither is changed; the result shares parts of both. */
export function mergeTyped(live: unknown, applied: unknown, type: ValueType): unknown {
  if (applied === undefined || live === applied) return live;
  if (live === undefined) return applied;
  const shape = shapeFor(type, applied);
  // What had another form before is replaced.
  const before = shapeFor(type, live) === shape ? live : undefined;
  if ('map' in shape) return mergeMaps(shape.map, before, applied);
  if ('list' in shape) return mergeLists(shape.list, before, applied);
  return applied;
}

function mergeMaps(map: MapType, live: unknown, applied: unknown): unknown {
  if (map.atomic || (isEmptyMap(live) && isEmptyMap(applied))) return applied;
  const [left, right] = [mapOf(live), mapOf(applied)];
  const out: JsonObject = {};
  const mergeMember = (name: string): void => {
    const value = mergeTyped(memberOf(left, name), memberOf(right, name), fieldType(map, name) ?? anyValue);
    if (value !== undefined) setKey(out, name, value);
  };
  for (const name of Object.keys(left)) mergeMember(name);
  for (const name of Object.keys(right)) if (!Object.hasOwn(left, name)) mergeMember(name);
  return out;
}

interface Items {
  readonly steps: readonly string[];
  /** Undefined for an item that is there more than once: it is not merged with. */
  readonly byStep: ReadonlyMap<string, unknown>;
}

function itemsOf(list: ListType, items: readonly unknown[], duplicates: boolean): Items {
  const steps: string[] = [];
  const byStep = new Map<string, unknown>();
  for (const item of items) {
    const step = itemStep(list, item);
    if (byStep.has(step) && !duplicates) throw new TypedValueError(`duplicate entries for key ${shownStep(step)}`);
    byStep.set(step, byStep.has(step) ? undefined : item);
    steps.push(step);
  }
  return { steps, byStep };
}

/**
 * Items of the live list that are not applied keep their places before the applied items that they stood before; the
 * applied ones come in their own order.
 */
function mergeLists(list: ListType, live: unknown, applied: unknown): unknown {
  const [left, right] = [listOf(live), listOf(applied)];
  if (list.atomic || (left.length === 0 && right.length === 0)) return applied;
  const mine = itemsOf(list, left, true);
  const theirs = itemsOf(list, right, false);
  const shared = theirs.steps.filter((step) => mine.byStep.has(step));
  const out: unknown[] = [];
  const merged = new Set<string>();
  let nextShared = 0;
  let l = 0;
  let r = 0;
  const takeApplied = (): string => {
    const step = theirs.steps[r++]!;
    merged.add(step);
    out.push(mergeTyped(mine.byStep.get(step), theirs.byStep.get(step), list.item));
    return step;
  };
  while (l < left.length || r < right.length) {
    const step = mine.steps[l];
    if (step !== undefined && r < right.length) {
      if (step === theirs.steps[r]) {
        takeApplied();
        l++;
        nextShared++;
        continue;
      }
      if (theirs.byStep.has(step) && nextShared < shared.length && shared[nextShared] !== step) {
        l++; // Shared, but not the one whose turn it is.
        continue;
      }
    }
    if (step !== undefined) {
      if (!theirs.byStep.has(step)) {
        out.push(left[l++]);
        continue;
      }
      if (merged.has(step)) l++;
    }
    if (r < right.length && takeApplied() === shared[nextShared]) nextShared++;
  }
  return out;
}
