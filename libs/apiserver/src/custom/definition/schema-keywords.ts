import type { StatusCause } from '../../status.js';
import { forbiddenCause, invalidCause, notSupportedCause, requiredCause } from '../field-causes.js';
import { itemSchema, propertyOf, subschemas, type WrittenSchema } from './written-schema.js';

const quoted = (values: readonly string[]): string[] => values.map((value) => JSON.stringify(value));

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const listTypes = ['atomic', 'set', 'map'];
const mapTypes = ['atomic', 'granular'];

/** Keywords of JSON schemas that definitions cannot have, and whether one is there. */
const unsupported: readonly (readonly [string, (schema: WrittenSchema) => boolean])[] = [
  ['id', ({ id = '' }) => id !== ''],
  ['additionalItems', ({ additionalItems }) => additionalItems !== undefined],
  ['patternProperties', ({ patternProperties = {} }) => Object.keys(patternProperties).length > 0],
  ['definitions', ({ definitions = {} }) => Object.keys(definitions).length > 0],
  ['dependencies', ({ dependencies }) => dependencies !== undefined],
  ['$ref', ({ $ref }) => $ref !== undefined],
];

/** What is wrong with the keywords of a schema, apart from those of the schemas in it. */
export function keywordCauses(schema: WrittenSchema, path: string): StatusCause[] {
  const { type = '', items } = schema;
  const causes: StatusCause[] = [];
  if (type !== '' && !types.includes(type)) causes.push(notSupportedCause(`${path}.type`, type, quoted(types)));
  for (const [keyword, isThere] of unsupported) {
    if (isThere(schema)) causes.push(forbiddenCause(`${path}.${keyword}`, `${keyword} is not supported`));
  }
  if (type === 'null') {
    causes.push(forbiddenCause(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'));
  }
  if (Array.isArray(items) && items.length > 0) {
    causes.push(forbiddenCause(`${path}.items`, 'items must be a schema object and not an array'));
  }
  if (schema.uniqueItems === true) {
    const why = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    causes.push(forbiddenCause(`${path}.uniqueItems`, why));
  }
  const { additionalProperties } = schema;
  const isRestricted = additionalProperties !== undefined && additionalProperties !== true;
  if (isRestricted && Object.keys(schema.properties ?? {}).length > 0) {
    const why = 'additionalProperties and properties are mutual exclusive';
    causes.push(forbiddenCause(`${path}.additionalProperties`, why));
  }
  return causes;
}

/** What is wrong with how lists and maps are merged. */
export function mergeCauses(schema: WrittenSchema, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const listType = schema['x-kubernetes-list-type'];
  const mapType = schema['x-kubernetes-map-type'];
  const wrongType = (wanted: string, keyword: string): StatusCause => {
    const why = `must be ${wanted} if ${keyword} is specified`;
    const { type = '' } = schema;
    return type === '' ? requiredCause(`${path}.type`, why) : invalidCause(`${path}.type`, type, why);
  };
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    causes.push(invalidCause(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
  }
  if (mapType !== undefined) {
    if (schema.type !== 'object') causes.push(wrongType('object', 'x-kubernetes-map-type'));
    if (!mapTypes.includes(mapType)) {
      causes.push(notSupportedCause(`${path}.x-kubernetes-map-type`, mapType, quoted(mapTypes)));
    }
  }
  if (listType !== undefined) {
    if (schema.type !== 'array') causes.push(wrongType('array', 'x-kubernetes-list-type'));
    else if (!listTypes.includes(listType)) {
      causes.push(notSupportedCause(`${path}.x-kubernetes-list-type`, listType, quoted(listTypes)));
    }
  }
  if ((schema['x-kubernetes-list-map-keys'] ?? []).length > 0 && listType !== 'map') {
    const why = 'must be map if x-kubernetes-list-map-keys is non-empty';
    const at = `${path}.x-kubernetes-list-type`;
    causes.push(listType === undefined ? requiredCause(at, why) : invalidCause(at, listType, why));
  }
  if (listType === 'map') causes.push(...keyedListCauses(schema, path));
  if (listType === 'set') causes.push(...setCauses(schema, path));
  return causes;
}

function nullableItems(items: WrittenSchema, listType: string, path: string): StatusCause[] {
  const why = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
  return items.nullable === true ? [forbiddenCause(`${path}.items.nullable`, why)] : [];
}

function keyedListCauses(schema: WrittenSchema, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const keysAt = `${path}.x-kubernetes-list-map-keys`;
  const items = itemSchema(schema);
  if (keys.length === 0) causes.push(requiredCause(keysAt, 'must not be empty if x-kubernetes-list-type is map'));
  if (items === undefined) {
    return [...causes, requiredCause(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map')];
  }
  if (items.type === 'object') causes.push(...keyCauses(keys, items, path, keysAt));
  else {
    const why = "must be object if parent array's x-kubernetes-list-type is map";
    causes.push(invalidCause(`${path}.items.type`, items.type ?? '', why));
  }
  causes.push(...nullableItems(items, 'map', path));
  for (const key of keys) {
    const property = propertyOf(items, key);
    if (property === undefined) continue;
    const at = `${path}.items.properties[${key}]`;
    const because = 'this property is in x-kubernetes-list-map-keys, so it';
    if (items.required?.includes(key) !== true && property.default === undefined) {
      causes.push(requiredCause(`${at}.default`, `${because} must have a default or be a required property`));
    }
    if (property.nullable === true) causes.push(forbiddenCause(`${at}.nullable`, `${because} cannot be nullable`));
  }
  return causes;
}

function keyCauses(keys: readonly string[], items: WrittenSchema, path: string, keysAt: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const seen = new Set<string>();
  for (const key of keys) {
    const property = propertyOf(items, key);
    if (property === undefined) {
      causes.push(invalidCause(keysAt, keys, 'entries must all be names of item properties'));
    } else if (property.type === 'array' || property.type === 'object') {
      const why = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      causes.push(invalidCause(`${path}.items.properties[${key}].type`, items.type, why));
    }
    if (seen.has(key)) causes.push(invalidCause(keysAt, keys, 'must not contain duplicate entries'));
    seen.add(key);
  }
  return causes;
}

function setCauses(schema: WrittenSchema, path: string): StatusCause[] {
  const items = itemSchema(schema);
  if (items === undefined) return [];
  const causes: StatusCause[] = [];
  const why = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = items['x-kubernetes-list-type'];
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic') {
    causes.push(invalidCause(`${path}.items.x-kubernetes-list-type`, listType, why));
  } else if (items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    // The real server shows the list type here.
    causes.push(invalidCause(`${path}.items.x-kubernetes-map-type`, listType ?? null, why));
  }
  causes.push(...nullableItems(items, 'set', path));
  return causes;
}

/** Whether all of a schema can be taken for a structural one; what keeps it from that is told about its keywords. */
export function canBeStructural(schema: WrittenSchema): boolean {
  return (
    (schema.$schema ?? '') === '' &&
    !unsupported.some(([, isThere]) => isThere(schema)) &&
    !Array.isArray(schema.items) &&
    schema['x-kubernetes-preserve-unknown-fields'] !== false &&
    subschemas(schema).every(canBeStructural)
  );
}
