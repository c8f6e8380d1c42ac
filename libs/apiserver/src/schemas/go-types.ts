import { builtinDefinition, definitionOfKind } from './builtin-schemas.js';
import {
  isListNode,
  isObjectDefinition,
  isReference,
  parseTextNode,
  type ObjectDefinition,
  type SchemaNode,
} from './schema-notation.js';

/** A type of the real server's programs, as far as decoding and printing depend on it. */
export type GoType =
  | { readonly kind: 'string' | 'bool' | 'int32' | 'int64' | 'float64' | 'bytes'; readonly name: string }
  | { readonly kind: 'time' | 'microTime' | 'quantity' | 'intOrString'; readonly name: string }
  /** JSON of any content. */
  | { readonly kind: 'raw'; readonly name: string }
  /** A value of the struct, or of another form that `Or` names. */
  | { readonly kind: 'union'; readonly name: string; readonly or: 'bool' | 'list' | 'strings'; readonly item: GoType }
  | { readonly kind: 'list' | 'map'; readonly name: string; readonly item: GoType }
  | { readonly kind: 'struct'; readonly name: string; readonly struct: GoStruct };

export interface GoField {
  readonly name: string;
  readonly type: GoType;
  /** Absent is another thing than empty. */
  readonly pointer: boolean;
  /** Printed though it is empty. */
  readonly keep: boolean;
  /** A struct that is left out when it is empty. */
  readonly omitZero: boolean;
  /** What it is where nothing is said, if not empty. */
  readonly standard: unknown;
  /** The embedded structs that it comes from, as decoding errors name them. */
  readonly inline: string | undefined;
}

export interface GoStruct {
  /** The name without its package. */
  readonly name: string;
  /** The short name of its definition. */
  readonly definition: string;
  readonly fields: ReadonlyMap<string, GoField>;
}

const special: Readonly<Record<string, GoType>> = {
  'meta.v1.Time': { kind: 'time', name: 'v1.Time' },
  'meta.v1.MicroTime': { kind: 'microTime', name: 'v1.MicroTime' },
  'resource.Quantity': { kind: 'quantity', name: 'resource.Quantity' },
  'intstr.IntOrString': { kind: 'intOrString', name: 'intstr.IntOrString' },
  'runtime.RawExtension': { kind: 'raw', name: 'runtime.RawExtension' },
  'meta.v1.FieldsV1': { kind: 'raw', name: 'v1.FieldsV1' },
  'apiextensions.v1.JSON': { kind: 'raw', name: 'v1.JSON' },
};

const unions: Readonly<Record<string, 'bool' | 'list' | 'strings'>> = {
  'apiextensions.v1.JSONSchemaPropsOrBool': 'bool',
  'apiextensions.v1.JSONSchemaPropsOrArray': 'list',
  'apiextensions.v1.JSONSchemaPropsOrStringArray': 'strings',
};

const scalars: Readonly<Record<string, GoType>> = {
  s: { kind: 'string', name: 'string' },
  y: { kind: 'bytes', name: '[]uint8' },
  i: { kind: 'int32', name: 'int32' },
  l: { kind: 'int64', name: 'int64' },
  n: { kind: 'float64', name: 'float64' },
  b: { kind: 'bool', name: 'bool' },
};

/** How a struct looks that has no fields; what has any content is among the special types. */
const withoutFields = 'o';

const types = new Map<string, GoType>();

/** The type of a definition by its short name. Types may contain themselves. */
export function goType(name: string): GoType {
  const known = special[name] ?? types.get(name);
  if (known !== undefined) return known;
  const definition = builtinDefinition(name);
  if (definition === undefined) throw new Error(`api server: there is no definition ${name}`);
  const union = unions[name];
  const [version = '', short = ''] = name.split('.').slice(-2);
  if (union !== undefined) {
    const type: GoType = {
      kind: 'union',
      name: `${version}.${short}`,
      or: union,
      item: goType('apiextensions.v1.JSONSchemaProps'),
    };
    types.set(name, type);
    return type;
  }
  if (!isObjectDefinition(definition) && definition !== withoutFields) {
    const type = typeOfNode(definition);
    types.set(name, type);
    return type;
  }
  const fields = new Map<string, GoField>();
  const type: GoType = {
    kind: 'struct',
    name: `${version}.${short}`,
    struct: { name: short, definition: name, fields },
  };
  types.set(name, type);
  const { p: members, in: embedded }: ObjectDefinition = definition === withoutFields ? { p: {} } : definition;
  for (const [field, node] of Object.entries(members)) {
    const flags = flagsOf(node);
    fields.set(field, {
      name: field,
      type: typeOfNode(node),
      pointer: flags.includes('?'),
      keep: flags.includes('!'),
      omitZero: flags.includes('~'),
      standard: standardOf(node),
      inline: embedded?.[field],
    });
  }
  return type;
}

const standardOf = (node: SchemaNode): unknown =>
  typeof node === 'object' && 't' in node && typeof node.d !== 'object' ? node.d : undefined;

function flagsOf(node: SchemaNode): string {
  if (typeof node === 'string') return parseTextNode(node).flags;
  if (!('t' in node)) return '';
  return typeof node.t === 'string' ? parseTextNode(node.t).flags : node.n === 1 ? '!' : '';
}

function typeOfNode(node: SchemaNode): GoType {
  if (typeof node === 'string') {
    const { code, goType: name } = parseTextNode(node);
    if (isReference(code)) return goType(code.slice(1));
    const scalar = scalars[code];
    if (scalar === undefined) return { kind: 'raw', name: name ?? 'interface {}' };
    return name === undefined ? scalar : { ...scalar, name };
  }
  if (isListNode(node)) {
    const item = typeOfNode(node[0]);
    return { kind: 'list', name: `[]${item.name}`, item };
  }
  if ('*' in node) {
    const item = typeOfNode(node['*']);
    return { kind: 'map', name: `map[string]${item.name}`, item };
  }
  const type = typeOfNode(node.t);
  return node.go === undefined ? type : { ...type, name: node.go };
}

/** The type of a built-in kind. */
export function goTypeOfKind(group: string, version: string, kind: string): GoType {
  const name = definitionOfKind(group, version, kind);
  if (name === undefined) throw new Error(`api server: there is no definition of ${kind} in ${group}/${version}`);
  return goType(name);
}
