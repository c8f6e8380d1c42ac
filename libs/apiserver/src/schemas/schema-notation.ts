import type { Schema } from '../custom/schema.js';

/**
 * A node of a definition, in the short form of `definitions`:
 *
 * - `"s"` string, `"t"` date and time, `"y"` base64, `"i"` int32, `"l"` int64, `"n"` number, `"b"` boolean, `"o"` object
 *   of any content, `"x"` integer or string, `"q"` quantity, `"*"` anything, `"@name"` another definition (`"&name"` where
 *   documents refer to it without more ado); then the name
 *   of the Go type behind a colon where it does not follow; then flags: `=` an empty value (`""`, 0, false, `{}`) is the
 *   default, `?` may be absent in Go (a pointer), `!` printed though it is empty, `~` left out when it is empty
 * - `[node]` a list, `{"*": node}` a map
 * - `{"t": node, …}` a node of which more is said: `l` list type, `k` list map keys, `m` map type, `key` merge key and
 *   `s` strategy of strategic merge patches, `e` the values allowed, `d` default, `n` printed as null when it is empty,
 *   `go` name of the Go type
 */
export type SchemaNode = string | readonly [SchemaNode] | { readonly '*': SchemaNode } | AnnotatedNode;

export interface AnnotatedNode {
  readonly t: SchemaNode;
  readonly l?: string;
  readonly k?: string[];
  readonly m?: string;
  readonly key?: string;
  readonly s?: string;
  readonly e?: unknown[];
  readonly d?: unknown;
  readonly n?: 1;
  readonly go?: string;
}

/**
 * A definition: an object with `p` properties in the order of Go, `r` required ones, `m` map type, `g` group, version
 * and kind, and `in` the Go structs that some properties are embedded from.
 */
export interface ObjectDefinition {
  readonly p: Readonly<Record<string, SchemaNode>>;
  readonly r?: string[];
  readonly m?: string;
  readonly in?: Readonly<Record<string, string>>;
  readonly g?: string;
}

export type Definition = ObjectDefinition | SchemaNode;

export const isObjectDefinition = (definition: Definition): definition is ObjectDefinition =>
  typeof definition === 'object' && 'p' in definition;

export const isListNode = (node: SchemaNode): node is readonly [SchemaNode] => Array.isArray(node);

/** The parts of a node that is a text. */
export interface TextNode {
  /** One of the letters, or `@` or `&` and the name of a definition. */
  readonly code: string;
  readonly goType: string | undefined;
  readonly flags: string;
}

/** Whether the code of a node names a definition. */
export const isReference = (code: string): boolean => code.startsWith('@') || code.startsWith('&');

export function parseTextNode(node: string): TextNode {
  const match = /^([@&]?[^:=?!~]+)(?::([^=?!~]+))?([=?!~]*)$/.exec(node);
  if (match === null) throw new Error(`api server: unknown schema notation ${JSON.stringify(node)}`);
  return { code: match[1]!, goType: match[2], flags: match[3]! };
}

const scalars: Readonly<Record<string, Schema>> = {
  s: { type: 'string' },
  t: { type: 'string', format: 'date-time' },
  y: { type: 'string', format: 'byte' },
  i: { type: 'integer', format: 'int32' },
  l: { type: 'integer', format: 'int64' },
  n: { type: 'number', format: 'double' },
  b: { type: 'boolean' },
  o: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  x: { 'x-kubernetes-int-or-string': true },
  q: { format: 'quantity' },
  '*': { 'x-kubernetes-preserve-unknown-fields': true },
};

const zeros: Readonly<Record<string, unknown>> = { s: '', i: 0, l: 0, n: 0, b: false };

/** Turns a node into a schema; `resolve` finds the schema of another definition by its short name. */
export function nodeSchema(node: SchemaNode, resolve: (name: string) => Schema): Schema {
  if (typeof node === 'string') {
    const { code, flags } = parseTextNode(node);
    // One object for all that refer to a definition, as definitions may contain themselves. The empty default that a
    // reference may have is not kept.
    if (isReference(code)) return resolve(code.slice(1));
    const scalar = scalars[code];
    if (scalar === undefined) throw new Error(`api server: unknown schema notation ${JSON.stringify(node)}`);
    return flags.includes('=') ? { ...scalar, default: zeros[code] } : scalar;
  }
  if (isListNode(node)) return { type: 'array', items: nodeSchema(node[0], resolve) };
  if ('*' in node) return { type: 'object', additionalProperties: nodeSchema(node['*'], resolve) };
  const schema: Schema = { ...nodeSchema(node.t, resolve) };
  if (node.l !== undefined) schema['x-kubernetes-list-type'] = node.l;
  if (node.k !== undefined) schema['x-kubernetes-list-map-keys'] = node.k;
  if (node.m !== undefined) schema['x-kubernetes-map-type'] = node.m;
  if (node.key !== undefined) schema['x-kubernetes-patch-merge-key'] = node.key;
  if (node.s !== undefined) schema['x-kubernetes-patch-strategy'] = node.s;
  if (node.e !== undefined) schema.enum = node.e;
  if (node.d !== undefined) schema.default = node.d;
  return schema;
}
