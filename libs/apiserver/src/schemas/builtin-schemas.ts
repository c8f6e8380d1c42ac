import type { Schema } from '../custom/schema.js';
import { definitionTexts } from './definitions/index.js';
import { isObjectDefinition, nodeSchema, type Definition } from './schema-notation.js';

let places: Map<string, string> | undefined;
let kinds: Map<string, string> | undefined;

/** The lines of the definitions by their names; made with the first one that is asked for. */
function lines(): Map<string, string> {
  if (places !== undefined) return places;
  places = new Map();
  kinds = new Map();
  for (const text of definitionTexts) {
    for (const line of text.split('\n')) {
      const space = line.indexOf(' ');
      if (space < 0) continue;
      const name = line.slice(0, space);
      places.set(name, line);
      const kind = /"g":"([^"]*)"\}$/.exec(line)?.[1];
      if (kind !== undefined) kinds.set(kind, name);
    }
  }
  return places;
}

/** A definition in the short notation; undefined for an unknown name. */
export function builtinDefinition(name: string): Definition | undefined {
  const line = lines().get(name);
  return line === undefined ? undefined : (JSON.parse(line.slice(line.indexOf(' ') + 1)) as Definition);
}

/** The short name of the definition of a kind, such as `core.v1.Pod`. */
export function definitionOfKind(group: string, version: string, kind: string): string | undefined {
  lines();
  return kinds?.get(`${group}/${version}/${kind}`);
}

const schemas = new Map<string, Schema>();

/** The schema of a definition by its short name. Shared, and must not be changed; definitions may contain themselves. */
export function definitionSchema(name: string): Schema {
  const known = schemas.get(name);
  if (known !== undefined) return known;
  const definition = builtinDefinition(name);
  if (definition === undefined) throw new Error(`api server: there is no definition ${name}`);
  if (!isObjectDefinition(definition)) {
    const schema = { ...nodeSchema(definition, definitionSchema), definition: name };
    schemas.set(name, schema);
    return schema;
  }
  const properties: Record<string, Schema> = {};
  const schema: Schema = { type: 'object', definition: name, properties };
  if (definition.r !== undefined) schema.required = definition.r;
  if (definition.m !== undefined) schema['x-kubernetes-map-type'] = definition.m;
  schemas.set(name, schema);
  for (const member of Object.keys(definition.p)) {
    properties[member] = nodeSchema(definition.p[member]!, definitionSchema);
  }
  return schema;
}

/** The schema of a built-in kind. */
export function builtinSchema(group: string, version: string, kind: string): Schema {
  const name = definitionOfKind(group, version, kind);
  if (name === undefined) throw new Error(`api server: there is no definition of ${kind} in ${group}/${version}`);
  return definitionSchema(name);
}

/** The schema of `metadata`, the same for all kinds. */
export const objectMetaSchema = (): Schema => definitionSchema('meta.v1.ObjectMeta');
