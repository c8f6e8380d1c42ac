import { clone, setKey, type JsonObject } from '../../json.js';

/** By the short name of a definition: fills in what is absent from an object of it, in place. */
export type Defaults = Readonly<Record<string, (object: JsonObject) => void>>;

/** Sets the members that are absent, or null, which is printed for some that are absent. */
export function given(object: JsonObject, members: JsonObject): void {
  for (const [key, value] of Object.entries(members)) {
    if (object[key] == null && value !== undefined) setKey(object, key, clone(value));
  }
}

/** The object that a member is, made where it is absent. */
export function memberOf(object: JsonObject, key: string): JsonObject {
  const member = object[key];
  if (typeof member === 'object' && member !== null) return member as JsonObject;
  const made: JsonObject = {};
  object[key] = made;
  return made;
}
