import { Failure } from '../values/failure.js';
import { keyText } from '../values/access.js';
import { MapValue, PlainMap, type Result, type Value } from '../values/value.js';
import { overload, type Library } from './overload.js';

function inserted(map: MapValue, entries: Iterable<readonly [Value, Value]>): Result {
  const all: (readonly [Value, Value])[] = Array.from(map.keys(), (key) => [key, map.get(key)!] as const);
  for (const entry of entries) {
    if (map.has(entry[0])) return new Failure(`insert failed: key ${keyText(entry[0])} already exists`);
    all.push(entry);
  }
  return new PlainMap(all);
}

/** What the macros that make maps call. */
export const mapLibrary: Library = {
  'cel.@mapInsert': [
    overload('(map(K, V), K, V) map(K, V)', (map: MapValue, key: Value, value: Value) => inserted(map, [[key, value]])),
    overload('(map(K, V), map(K, V)) map(K, V)', (map: MapValue, more: MapValue) =>
      inserted(
        map,
        Array.from(more.keys(), (key) => [key, more.get(key)!] as const),
      ),
    ),
  ],
};
