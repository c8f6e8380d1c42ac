import { isObject } from '../json.js';
import { asMember, emptySet, leaf, nodeOf, type FieldSet } from './field-set.js';
import { fieldStep } from './path-element.js';
import { fieldType, itemStep, listOf, mapOf, shapeFor } from './typed-values.js';
import { anyValue, type ListType, type MapType, type ValueType } from './value-type.js';

/** The fields that an object gives, as an apply of it owns them. */
export const fieldsOf = (value: unknown, type: ValueType): FieldSet => fieldsBelow(value, type) ?? emptySet;

function fieldsBelow(value: unknown, type: ValueType): FieldSet | undefined {
  const shape = shapeFor(type, value);
  if ('map' in shape) return fieldsOfMap(shape.map, value);
  if ('list' in shape) return fieldsOfList(shape.list, value);
  return leaf;
}

function fieldsOfMap(map: MapType, value: unknown): FieldSet | undefined {
  if (map.atomic) return leaf;
  const members = mapOf(value);
  const steps: [string, FieldSet][] = [];
  for (const name of Object.keys(members)) {
    const member = members[name];
    if (member === undefined) continue;
    const below = fieldsBelow(member, fieldType(map, name) ?? anyValue);
    const empty = member === null || (isObject(member) && Object.keys(member).length === 0);
    // A field of a struct is there by what is in it; a member of a map, and what has nothing in it, by itself.
    const node = empty || !map.fields.has(name) ? asMember(below) : below;
    if (node !== undefined) steps.push([fieldStep(name), node]);
  }
  return nodeOf(false, steps);
}

function fieldsOfList(list: ListType, value: unknown): FieldSet | undefined {
  if (list.atomic) return leaf;
  const steps = new Map<string, FieldSet>();
  for (const item of listOf(value)) {
    const step = itemStep(list, item);
    // An item that is there more than once is owned as a whole.
    steps.set(step, steps.has(step) ? leaf : asMember(fieldsBelow(item, list.item)));
  }
  return nodeOf(false, [...steps]);
}
