import { regexpOf } from '../../cel/regexp/go-regexp.js';
import { RegexpSyntaxError } from '../../cel/regexp/syntax.js';
import { deepEqual } from '../../json.js';
import type { StatusCause } from '../../status.js';
import { forbiddenCause, invalidCause, requiredCause } from '../field-causes.js';
import {
  alternatives,
  itemSchema,
  memberSchema,
  propertiesOf,
  propertyOf,
  type WrittenSchema,
} from './written-schema.js';

/** Where a schema is: what a type that is missing is called depends on it. */
type Level = 'root' | 'property' | 'item';

/**
 * What keeps a schema from being structural, sorted by where it is: types must be said exactly once, and alternatives say
 * nothing but what values are allowed.
 */
export function structuralCauses(schema: WrittenSchema, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  checkStructure(schema, 'root', path, causes);
  checkCompleteness(schema, schema, path, path, causes);
  const shown = ({ field, message }: StatusCause): string => `${field}: ${message}`;
  return causes.sort((a, b) => (shown(a) < shown(b) ? -1 : shown(a) > shown(b) ? 1 : 0));
}

const emptyType: Record<Level, string> = {
  root: 'must not be empty at the root',
  property: 'must not be empty for specified object fields',
  item: 'must not be empty for specified array items',
};

function checkStructure(schema: WrittenSchema, level: Level, path: string, causes: StatusCause[]): void {
  const { type = '' } = schema;
  const intOrString = schema['x-kubernetes-int-or-string'] === true;
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const items = itemSchema(schema);
  const members = memberSchema(schema);
  if (type === 'array' && items === undefined) causes.push(requiredCause(`${path}.items`, 'must be specified'));
  if (items !== undefined) checkStructure(items, 'item', `${path}.items`, causes);
  for (const [name, property] of propertiesOf(schema)) {
    checkStructure(property, 'property', `${path}.properties[${name}]`, causes);
  }
  if (schema.additionalProperties !== undefined && level === 'root') {
    causes.push(forbiddenCause(`${path}.additionalProperties`, 'must not be used at the root'));
  }
  if (members !== undefined) checkStructure(members, 'property', `${path}.additionalProperties`, causes);
  if (intOrString && preserves) {
    const why = 'must be false if x-kubernetes-int-or-string is true';
    causes.push(invalidCause(`${path}.x-kubernetes-preserve-unknown-fields`, true, why));
  }
  checkValidation(schema, path, causes, intOrString ? freeForm(schema) : undefined);
  checkEmbedded(schema, path, causes);
  if (schema['x-kubernetes-embedded-resource'] !== true && type === '' && !intOrString && !preserves) {
    causes.push(requiredCause(`${path}.type`, emptyType[level]));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    causes.push(invalidCause(`${path}.type`, type, 'must be object at the root'));
  }
  if (level === 'root' || schema['x-kubernetes-embedded-resource'] === true) {
    checkTypeMeta(schema, level === 'root', path, causes);
  }
}

function checkEmbedded(schema: WrittenSchema, path: string, causes: StatusCause[]): void {
  if (schema['x-kubernetes-embedded-resource'] !== true) return;
  const { type = '' } = schema;
  if (schema['x-kubernetes-int-or-string'] === true) {
    const why = 'must be false if x-kubernetes-int-or-string is true';
    causes.push(invalidCause(`${path}.x-kubernetes-embedded-resource`, true, why));
  }
  const ofObjects = 'must be object if x-kubernetes-embedded-resource is true';
  if (type === '') causes.push(requiredCause(`${path}.type`, ofObjects));
  else if (type !== 'object') causes.push(invalidCause(`${path}.type`, type, ofObjects));
  if (schema.additionalProperties !== undefined) {
    const why = 'must not be used if x-kubernetes-embedded-resource is set';
    causes.push(forbiddenCause(`${path}.additionalProperties`, why));
  }
  const isEmpty = Object.keys(schema.properties ?? {}).length === 0;
  if (isEmpty && schema['x-kubernetes-preserve-unknown-fields'] !== true) {
    const why =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    causes.push(requiredCause(`${path}.properties`, why));
  }
}

const kindOfType: Record<string, string> = { kind: 'string', apiVersion: 'string', metadata: 'object' };

/** What is said about apiVersion, kind and metadata, which are what they are. */
function checkTypeMeta(schema: WrittenSchema, isRoot: boolean, path: string, causes: StatusCause[]): void {
  for (const [name, wanted] of Object.entries(kindOfType)) {
    const property = propertyOf(schema, name);
    if (property === undefined) continue;
    const at = `${path}.properties[${name}]`;
    if (property.type !== wanted) {
      causes.push(invalidCause(`${at}.type`, property.type ?? '', `must be ${wanted}`));
    }
    if (name === 'metadata' && isRoot && !isNamesOnly(property)) {
      const why = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
      causes.push(forbiddenCause(at, why));
    }
  }
}

const names = new Set(['name', 'generateName']);
/** Of no meaning to the structure, or checked elsewhere. */
const besides = new Set(['type', 'default', 'externalDocs', 'example']);

function isNamesOnly(metadata: WrittenSchema): boolean {
  return Object.entries(metadata).every(([keyword, value]) => {
    if (besides.has(keyword)) return true;
    if (keyword === 'properties') return Object.keys(value as object).every((name) => names.has(name));
    if (alternativeKeywords.has(keyword) && Array.isArray(value)) return value.length === 0;
    return value === '' || value === false || value === undefined;
  });
}

const alternativeKeywords = new Set(['allOf', 'anyOf', 'oneOf']);

/** The alternatives in which a value that is an integer or a string may say so. */
function freeForm({ anyOf = [], allOf = [] }: WrittenSchema): readonly WrittenSchema[] | undefined {
  if (isIntOrString(anyOf)) return anyOf;
  const first = allOf[0]?.anyOf ?? [];
  return isIntOrString(first) ? first : undefined;
}

const isIntOrString = (schemas: readonly WrittenSchema[]): boolean =>
  deepEqual(schemas, [{ type: 'integer' }, { type: 'string' }]);

/** @param free - alternatives that are not looked at */
function checkValidation(
  schema: WrittenSchema,
  path: string,
  causes: StatusCause[],
  free?: readonly WrittenSchema[],
): void {
  for (const [place, one] of alternatives(schema)) {
    if (free?.includes(one) !== true) checkNested(one, `${path}.${place}`, causes, free);
  }
  const { pattern = '' } = schema;
  if (pattern !== '') {
    const problem = patternProblem(pattern);
    if (problem !== undefined) {
      causes.push(
        invalidCause(`${path}.pattern`, pattern, `must be a valid regular expression, but isn't: ${problem}`),
      );
    }
  }
}

function patternProblem(pattern: string): string | undefined {
  try {
    regexpOf(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof RegexpSyntaxError) return error.message;
    throw error;
  }
}

const empty = 'must be empty to be structural';
const absent = 'must be undefined to be structural';
const off = 'must be false to be structural';

/** What only the structure may say. */
const structureOnly: readonly (readonly [keyof WrittenSchema, string])[] = [
  ['type', empty],
  ['default', absent],
  ['title', empty],
  ['description', empty],
  ['nullable', off],
  ['x-kubernetes-preserve-unknown-fields', off],
  ['x-kubernetes-embedded-resource', off],
  ['x-kubernetes-int-or-string', off],
  ['x-kubernetes-list-map-keys', empty],
  ['x-kubernetes-list-type', absent],
  ['x-kubernetes-map-type', absent],
  ['x-kubernetes-validations', empty],
];

function checkNested(
  schema: WrittenSchema,
  path: string,
  causes: StatusCause[],
  free: readonly WrittenSchema[] | undefined,
): void {
  checkValidation(schema, path, causes, free);
  const items = itemSchema(schema);
  if (items !== undefined) checkNested(items, `${path}.items`, causes, undefined);
  for (const [name, property] of propertiesOf(schema)) {
    checkNested(property, `${path}.properties[${name}]`, causes, undefined);
  }
  for (const [keyword, why] of structureOnly) {
    if (isSaid(schema[keyword])) causes.push(forbiddenCause(`${path}.${keyword}`, why));
  }
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) {
    causes.push(forbiddenCause(`${path}.additionalProperties`, absent));
  }
  if (propertyOf(schema, 'metadata') !== undefined) {
    causes.push(forbiddenCause(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
  }
}

const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0);

/** Whether all that alternatives are about is in the structure; the real server looks from the root only. */
function checkCompleteness(
  validation: WrittenSchema,
  structure: WrittenSchema,
  path: string,
  at: string,
  causes: StatusCause[],
): void {
  for (const [place, one] of alternatives(validation)) {
    const where = `${at}.${place}`;
    checkCompleteness(one, structure, path, where, causes);
    checkParts(one, structure, path, where, causes);
  }
}

function checkParts(
  validation: WrittenSchema,
  structure: WrittenSchema,
  path: string,
  at: string,
  causes: StatusCause[],
): void {
  const part = (name: string, one: WrittenSchema, own: WrittenSchema | undefined): void => {
    const where = `${at}.${name}`;
    if (own === undefined) causes.push(requiredCause(`${path}.${name}`, `because it is defined in ${where}`));
    else {
      checkCompleteness(one, own, `${path}.${name}`, where, causes);
      checkParts(one, own, `${path}.${name}`, where, causes);
    }
  };
  const items = itemSchema(validation);
  if (items !== undefined) part('items', items, itemSchema(structure));
  for (const [name, property] of propertiesOf(validation)) {
    part(`properties[${name}]`, property, propertyOf(structure, name));
  }
}
