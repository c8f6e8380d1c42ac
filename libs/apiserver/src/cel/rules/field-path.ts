import { isObject } from '../../json.js';
import type { Schema } from '../../custom/schema.js';

/** Where a path leads. */
export interface FoundField {
  /** The path as causes show it. */
  readonly path: string;
  readonly first: string;
  readonly schema: Schema;
}

/** Why a path leads nowhere. */
export interface NoField {
  readonly problem: string;
}

/**
 * Follows a path such as `.spec['a b']` through a schema.
 *
 * @param brackets - whether names may be in brackets
 */
export function findField(path: string, schema: Schema, brackets = true): FoundField | NoField {
  const tokens = path.match(tokenPattern) ?? [];
  let current = schema;
  let shown = '';
  let first: string | undefined;
  for (let at = 0; at < tokens.length; at++) {
    const opening = tokens[at]!;
    if (opening === '[' && !brackets) return { problem: 'array notation is not allowed' };
    if (opening !== '.' && opening !== '[') return { problem: `expected [ or . but got: ${opening}` };
    const token = tokens[++at];
    if (token === undefined) return endOfPath;
    if (opening === '[' && !quotedPattern.test(token)) {
      return { problem: `expected single quoted string but got ${token}` };
    }
    const name = opening === '.' ? token : token.slice(1, -1).replaceAll(/\\(.)/gs, '$1');
    const next = childOf(current, name);
    if (next === undefined) return { problem: 'does not refer to a valid field' };
    current = next.schema;
    shown += next.isMember ? `[${name}]` : shown === '' ? name : `.${name}`;
    first ??= name;
    if (opening === '.') continue;
    const closing = tokens[++at];
    if (closing === undefined) return endOfPath;
    if (closing !== ']') return { problem: `expected ] but got ${closing}` };
  }
  return first === undefined ? endOfPath : { path: shown, first, schema: current };
}

const endOfPath: NoField = { problem: 'unexpected end of JSON path' };

/** Delimiters, names in quotes, and what is between. */
const tokenPattern = /[.[\]]|'(?:\\.|[^\\'])*'(?=\])|[^.[\]]+/gs;
const quotedPattern = /^'(?:[^'\\]|\\['\\])*'$/;

function childOf(schema: Schema, name: string): { schema: Schema; isMember: boolean } | undefined {
  const { properties = {}, additionalProperties } = schema;
  if (Object.keys(properties).length > 0) {
    return Object.hasOwn(properties, name) ? { schema: properties[name]!, isMember: false } : undefined;
  }
  return isObject(additionalProperties) ? { schema: additionalProperties as Schema, isMember: true } : undefined;
}
