import { isEqual } from '../values/equality.js';
import { keyToken, ListValue, type Value } from '../values/value.js';
import { overload, type Library } from './overload.js';

/** Answers quickly whether a list holds a value. */
function membership(list: ListValue): (value: Value) => boolean {
  const tokens = new Set<string>();
  const others: Value[] = [];
  for (const item of list) {
    const token = keyToken(item);
    if (token === undefined) others.push(item);
    else tokens.add(token);
  }
  return (value) => {
    const token = keyToken(value);
    return (token !== undefined && tokens.has(token)) || others.some((other) => isEqual(value, other));
  };
}

function contains(list: ListValue, part: ListValue): boolean {
  const has = membership(list);
  return [...part].every((item) => has(item));
}

function intersects(a: ListValue, b: ListValue): boolean {
  const has = membership(a);
  return [...b].some((item) => has(item));
}

/** Lists compared as sets. */
export const setLibrary: Library = {
  'sets.contains': [overload('(list(T), list(T)) bool', contains)],
  'sets.equivalent': [
    overload('(list(T), list(T)) bool', (a: ListValue, b: ListValue) => contains(a, b) && contains(b, a)),
  ],
  'sets.intersects': [overload('(list(T), list(T)) bool', intersects)],
};
