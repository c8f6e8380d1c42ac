import { setKey, type JsonObject } from '../json.js';
import { isEmptySet, isMember, type FieldSet } from './field-set.js';
import { fieldStep } from './path-element.js';
import { fieldType, itemStep, listOf, mapOf, shapeFor } from './typed-values.js';
import { anyValue, type ListType, type MapType, type ValueType } from './value-type.js';

/** A value without the fields of a set. What has lost everything that it held becomes null. */
export function removeFields(value: unknown, fields: FieldSet, type: ValueType): unknown {
  if (isEmptySet(fields)) return value;
  const shape = shapeFor(type, value);
  if ('map' in shape) return removeMembers(shape.map, value, fields);
  if ('list' in shape) return removeItems(shape.list, value, fields);
  return value;
}

function removeMembers(map: MapType, value: unknown, fields: FieldSet): unknown {
  const members = mapOf(value);
  const out: JsonObject = {};
  let left = 0;
  if (!map.atomic) {
    for (const name of Object.keys(members)) {
      const node = fields[fieldStep(name)];
      if (node !== undefined && isMember(node)) continue;
      const member = members[name];
      setKey(out, name, node === undefined ? member : removeFields(member, node, fieldType(map, name) ?? anyValue));
      left++;
    }
  }
  return left === 0 ? null : out;
}

function removeItems(list: ListType, value: unknown, fields: FieldSet): unknown {
  const out: unknown[] = [];
  if (!list.atomic) {
    for (const item of listOf(value)) {
      const node = fields[itemStep(list, item)];
      if (node !== undefined && isMember(node)) continue;
      out.push(node === undefined ? item : removeFields(item, node, list.item));
    }
  }
  return out.length === 0 ? null : out;
}
