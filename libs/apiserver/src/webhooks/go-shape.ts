import { isBigNumber, isObject, type JsonObject } from '../json.js';
import { goType } from '../pipeline/type-meta.js';
import { AnswerError } from './answer-decoding.js';

/** A member of a Go struct: how its type is called, and what it may hold. */
export type GoMember =
  | { readonly type: string; readonly json: 'string' | 'boolean' | 'number' | 'bytes' | 'any' }
  | { readonly type: string; readonly items: GoMember }
  | { readonly type: string; readonly values: GoMember }
  | { readonly type: string; readonly struct: GoStruct };

export interface GoStruct {
  readonly name: string;
  readonly members: Readonly<Record<string, GoMember>>;
}

/** Refuses an object whose members have wrong types, as Go does. Null counts as absent. */
export function checkShape(value: JsonObject, struct: GoStruct, path: string): void {
  for (const [key, member] of Object.entries(struct.members)) {
    if (Object.hasOwn(value, key)) check(value[key], member, struct.name, `${path}.${key}`);
  }
}

function check(value: unknown, member: GoMember, struct: string, path: string): void {
  if (value === null || value === undefined) return;
  const fail = (): never => {
    const found = isBigNumber(value) ? 'number' : goType(value);
    throw new AnswerError(
      `json: cannot unmarshal ${found} into Go struct field ${struct}.${path.replace(/^\./, '')} of type ${member.type}`,
    );
  };
  if ('items' in member) {
    if (!Array.isArray(value)) return fail();
    for (const item of value as unknown[]) check(item, member.items, struct, path);
  } else if ('values' in member) {
    if (!isObject(value)) return fail();
    for (const key of Object.keys(value)) check(value[key], member.values, struct, path);
  } else if ('struct' in member) {
    if (!isObject(value)) return fail();
    checkShape(value, member.struct, path);
  } else if (member.json === 'bytes') {
    if (typeof value !== 'string') fail();
    checkBase64(value as string);
  } else if (member.json === 'number') {
    if (typeof value !== 'number' && !isBigNumber(value)) fail();
  } else if (member.json !== 'any' && typeof value !== member.json) fail();
}

function checkBase64(text: string): void {
  const plain = text.replaceAll(/[\r\n]/g, '');
  const wrong = /[^A-Za-z0-9+/]/.exec(plain.replace(/={1,2}$/, ''))?.index;
  if (wrong !== undefined) throw new AnswerError(`illegal base64 data at input byte ${wrong}`);
  if (plain.length % 4 !== 0) throw new AnswerError(`illegal base64 data at input byte ${plain.length}`);
}
