import type { Schema } from '../custom/schema.js';
import { isObject, setKey, type JsonObject } from '../json.js';
import type { ResourceType } from '../resources/resource-type.js';
import { builtinDefinition, definitionOfKind } from '../schemas/builtin-schemas.js';
import { longName } from '../schemas/definition-names.js';
import {
  isListNode,
  isObjectDefinition,
  isReference,
  parseTextNode,
  type SchemaNode,
} from '../schemas/schema-notation.js';

export const refTo = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** The name of the schema of a kind. */
export function schemaName(type: Pick<ResourceType, 'group' | 'version' | 'kind' | 'custom'>): string {
  if (type.custom !== undefined) return customName(type, type.kind);
  return longName(definitionOfKind(type.group, type.version, type.kind)!);
}

/** The name of the schema of the list of a kind. */
export const listSchemaName = (type: ResourceType): string =>
  type.custom === undefined ? `${schemaName(type)}List` : customName(type, type.listKind);

const customName = ({ group, version }: Pick<ResourceType, 'group' | 'version'>, kind: string): string =>
  [...group.split('.').toReversed(), version, kind].join('.');

/** Collects the schemas of a document, with all that they refer to. */
export class OpenApiSchemas {
  readonly #found = new Map<string, JsonObject>();

  /** The schemas in the order of their names. */
  all(): JsonObject {
    return Object.fromEntries([...this.#found].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Adds the schemas of a kind and of its list. */
  addKind(type: ResourceType): void {
    const kind = { group: type.group, kind: type.kind, version: type.version };
    const selectable = Object.keys(type.custom === undefined ? {} : type.fields);
    const fields =
      selectable.length === 0
        ? {}
        : { 'x-kubernetes-selectable-fields': selectable.map((fieldPath) => ({ fieldPath })) };
    if (type.custom === undefined) this.addDefinition(definitionOfKind(type.group, type.version, type.kind)!);
    else {
      this.#found.set(schemaName(type), {
        ...customSchema(type),
        'x-kubernetes-group-version-kind': [kind],
        ...fields,
      });
      this.addDefinition('meta.v1.ObjectMeta');
    }
    if (!type.verbs.includes('list')) return;
    this.addDefinition('meta.v1.ListMeta');
    const item = refTo(schemaName(type));
    const metadata = { allOf: [refTo(longName('meta.v1.ListMeta'))] };
    this.#found.set(listSchemaName(type), {
      type: 'object',
      required: ['items'],
      properties: {
        apiVersion: { type: 'string' },
        items: { type: 'array', items: type.custom === undefined ? { allOf: [item], default: {} } : item },
        kind: { type: 'string' },
        metadata: type.custom === undefined ? { ...metadata, default: {} } : metadata,
      },
      'x-kubernetes-group-version-kind': [{ ...kind, kind: type.listKind }],
      ...fields,
    });
  }

  /** Adds a built-in definition by its short name. */
  addDefinition(name: string): void {
    const long = longName(name);
    if (this.#found.has(long)) return;
    const definition = builtinDefinition(name)!;
    if (!isObjectDefinition(definition)) {
      this.#found.set(long, this.#node(definition));
      return;
    }
    const schema: JsonObject = { type: 'object' };
    this.#found.set(long, schema);
    if (definition.r !== undefined) schema['required'] = definition.r;
    schema['properties'] = Object.fromEntries(
      Object.keys(definition.p)
        .sort()
        .map((property) => [property, this.#node(definition.p[property]!)]),
    );
    if (definition.m !== undefined) schema['x-kubernetes-map-type'] = definition.m;
    const [group, version, kind] = definition.g?.split('/') ?? [];
    if (kind !== undefined) schema['x-kubernetes-group-version-kind'] = [{ group, kind, version }];
  }

  #node(node: SchemaNode, element = false): JsonObject {
    if (typeof node === 'string') return this.#text(node, element);
    if (isListNode(node)) return { type: 'array', items: this.#node(node[0], true) };
    if ('*' in node) return { type: 'object', additionalProperties: this.#node(node['*'], true) };
    const schema = this.#node(node.t);
    if (node.d !== undefined) schema['default'] = node.d;
    if (node.e !== undefined) schema['enum'] = node.e;
    if (node.l !== undefined) schema['x-kubernetes-list-type'] = node.l;
    if (node.k !== undefined) schema['x-kubernetes-list-map-keys'] = node.k;
    if (node.m !== undefined) schema['x-kubernetes-map-type'] = node.m;
    if (node.key !== undefined) schema['x-kubernetes-patch-merge-key'] = node.key;
    if (node.s !== undefined) schema['x-kubernetes-patch-strategy'] = node.s;
    return schema;
  }

  #text(node: string, element: boolean): JsonObject {
    const { code, flags } = parseTextNode(node);
    const zero = flags.includes('=');
    if (isReference(code)) {
      this.addDefinition(code.slice(1));
      const ref = refTo(longName(code.slice(1)));
      if (zero) return { allOf: [ref], default: {} };
      return element || code.startsWith('&') ? ref : { allOf: [ref] };
    }
    const [schema, empty] = scalars[code]!;
    return zero ? { ...schema, default: empty } : { ...schema };
  }
}

const scalars: Readonly<Record<string, readonly [JsonObject, unknown?]>> = {
  s: [{ type: 'string' }, ''],
  t: [{ type: 'string', format: 'date-time' }],
  y: [{ type: 'string', format: 'byte' }],
  i: [{ type: 'integer', format: 'int32' }, 0],
  l: [{ type: 'integer', format: 'int64' }, 0],
  n: [{ type: 'number', format: 'double' }, 0],
  b: [{ type: 'boolean' }, false],
  o: [{ type: 'object' }],
  x: [{ format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] }],
  q: [{ oneOf: [{ type: 'string' }, { type: 'number' }] }],
  '*': [{}],
};

/** The schema of a CustomResourceDefinition, with what every object has. */
function customSchema({ schema }: ResourceType): JsonObject {
  const published = withUnions(schema) as Schema;
  return {
    ...published,
    properties: {
      ...published.properties,
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { allOf: [refTo(longName('meta.v1.ObjectMeta'))] },
    },
  };
}

/** Spells out what may be an integer or a string. */
function withUnions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnions);
  if (!isObject(value)) return value;
  const out: JsonObject = {};
  for (const key of Object.keys(value)) setKey(out, key, literal.has(key) ? value[key] : withUnions(value[key]));
  if (out['x-kubernetes-int-or-string'] === true && out['anyOf'] === undefined && out['allOf'] === undefined) {
    out['anyOf'] = [{ type: 'integer' }, { type: 'string' }];
  }
  return out;
}

/** Members of a schema that hold values and no schemas. */
const literal = new Set(['default', 'enum', 'example', 'x-kubernetes-validations']);
