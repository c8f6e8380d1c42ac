import { regexpOf } from '../cel/regexp/go-regexp.js';
import { RegexpSyntaxError } from '../cel/regexp/syntax.js';
import { canonical, deepEqual, isBigNumber, isObject } from '../json.js';
import type { StatusCause } from '../status.js';
import { childSchema } from './pruning.js';
import type { Schema } from './schema.js';
import { matchesFormat } from './string-formats.js';

/** Validates a value and answers what is wrong with it, in the words of the real server. */
export function validateSchema(value: unknown, schema: Schema, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  check(value, schema, path, causes);
  const duplicates: StatusCause[] = [];
  checkLists(value, schema, path, duplicates);
  return [...causes, ...duplicates];
}

const invalid = (field: string, value: unknown, text: string): StatusCause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${JSON.stringify(value)}: ${text}`,
  field,
});

const typeInvalid = (field: string, shown: string, wanted: string): StatusCause => ({
  reason: 'FieldValueTypeInvalid',
  message: `Invalid value: ${JSON.stringify(shown)}: ${field} in body must be of type ${wanted}: ${JSON.stringify(shown)}`,
  field,
});

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isBigNumber(value)) return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function check(value: unknown, schema: Schema, path: string, causes: StatusCause[]): void {
  if (value === null && schema.nullable === true) return;
  const found = typeOf(value);
  const intOrString = schema['x-kubernetes-int-or-string'] === true;
  if (intOrString) {
    if (found !== 'integer' && found !== 'string') {
      causes.push(typeInvalid(path, found, 'integer,string'));
      return;
    }
  } else if (schema.type !== undefined && schema.type !== found && !(schema.type === 'number' && found === 'integer')) {
    causes.push(typeInvalid(path, found, schema.type));
    return;
  }
  combinations(value, schema, path, causes);
  if (schema.enum !== undefined && !schema.enum.some((allowed) => deepEqual(allowed, value))) {
    causes.push({
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${schema.enum.map((allowed) => JSON.stringify(allowed)).join(', ')}`,
      field: path,
    });
  }
  if (typeof value === 'string') checkString(value, schema, path, causes);
  else if (typeof value === 'number') checkNumber(value, schema, path, causes);
  else if (Array.isArray(value)) checkArray(value, schema, path, causes);
  else if (isObject(value)) checkObject(value, schema, path, causes);
}

function checkString(value: string, schema: Schema, path: string, causes: StatusCause[]): void {
  // Code points, as Go counts runes.
  const length = Array.from(value).length;
  if (schema.maxLength !== undefined && length > schema.maxLength) {
    causes.push({
      reason: 'FieldValueTooLong',
      message: `Too long: may not be more than ${schema.maxLength} bytes`,
      field: path,
    });
    return;
  }
  if (schema.minLength !== undefined && length < schema.minLength) {
    causes.push(invalid(path, value, `${path} in body should be at least ${schema.minLength} chars long`));
    return;
  }
  if (schema.pattern !== undefined && !regexpOf(schema.pattern).test(value)) {
    causes.push(invalid(path, value, `${path} in body should match '${schema.pattern}'`));
  }
  if (schema.format !== undefined && !matchesFormat(schema.format, value)) {
    causes.push({
      reason: 'FieldValueTypeInvalid',
      message: `Invalid value: ${JSON.stringify(value)}: ${path} in body must be of type ${schema.format}: ${JSON.stringify(value)}`,
      field: path,
    });
  }
}

function checkNumber(value: number, schema: Schema, path: string, causes: StatusCause[]): void {
  const { minimum, maximum, multipleOf } = schema;
  if (multipleOf !== undefined && !Number.isInteger(Number((value / multipleOf).toFixed(12)))) {
    causes.push(invalid(path, value, `${path} in body should be a multiple of ${multipleOf}`));
  }
  if (maximum !== undefined && (schema.exclusiveMaximum === true ? value >= maximum : value > maximum)) {
    const bound = schema.exclusiveMaximum === true ? 'less than' : 'less than or equal to';
    causes.push(invalid(path, value, `${path} in body should be ${bound} ${maximum}`));
  }
  if (minimum !== undefined && (schema.exclusiveMinimum === true ? value <= minimum : value < minimum)) {
    const bound = schema.exclusiveMinimum === true ? 'greater than' : 'greater than or equal to';
    causes.push(invalid(path, value, `${path} in body should be ${bound} ${minimum}`));
  }
  if (schema.type === 'integer' && schema.format === 'int32' && (value > 2147483647 || value < -2147483648)) {
    causes.push(invalid(path, value, `${path} in body must be of type int32: ${JSON.stringify(value)}`));
  }
}

function tooMany(path: string, found: number, limit: number): StatusCause {
  return {
    reason: 'FieldValueTooMany',
    message: `Too many: ${found}: must have at most ${limit} ${limit === 1 ? 'item' : 'items'}`,
    field: path,
  };
}

function checkArray(value: unknown[], schema: Schema, path: string, causes: StatusCause[]): void {
  if (schema.maxItems !== undefined && value.length > schema.maxItems)
    causes.push(tooMany(path, value.length, schema.maxItems));
  if (schema.minItems !== undefined && value.length < schema.minItems) {
    causes.push(invalid(path, value.length, `${path} in body should have at least ${schema.minItems} items`));
  }
  const { items } = schema;
  if (items !== undefined) value.forEach((item, index) => check(item, items, `${path}[${index}]`, causes));
}

function checkObject(value: Record<string, unknown>, schema: Schema, path: string, causes: StatusCause[]): void {
  const size = Object.keys(value).length;
  if (schema.maxProperties !== undefined && size > schema.maxProperties)
    causes.push(tooMany(path, size, schema.maxProperties));
  if (schema.minProperties !== undefined && size < schema.minProperties) {
    causes.push(invalid(path, size, `${path} in body should have at least ${schema.minProperties} properties`));
  }
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(value, name)) {
      causes.push({ reason: 'FieldValueRequired', message: 'Required value', field: join(path, name) });
    }
  }
  for (const key of Object.keys(value)) {
    const child = childSchema(schema, key);
    if (child !== undefined) check(value[key], child, join(path, key), causes);
  }
}

function combinations(value: unknown, schema: Schema, path: string, causes: StatusCause[]): void {
  const failures = (option: Schema): StatusCause[] => {
    const found: StatusCause[] = [];
    check(value, option, path, found);
    return found;
  };
  const combined = (text: string): StatusCause => ({
    reason: 'FieldValueInvalid',
    message: `Invalid value: "": ${JSON.stringify(path)} ${text}`,
    field: '<nil>',
  });
  for (const option of schema.allOf ?? []) causes.push(...failures(option));
  // int-or-string is written with an anyOf of the two types, which says nothing more.
  if (schema.anyOf !== undefined && schema['x-kubernetes-int-or-string'] !== true) {
    const results = schema.anyOf.map(failures);
    if (results.every((result) => result.length > 0)) {
      causes.push(combined('must validate at least one schema (anyOf)'), ...shortest(results));
    }
  }
  if (schema.oneOf !== undefined) {
    const results = schema.oneOf.map(failures);
    const valid = results.filter((result) => result.length === 0).length;
    if (valid === 0) {
      causes.push(combined('must validate one and only one schema (oneOf). Found none valid'), ...shortest(results));
    } else if (valid > 1) {
      causes.push(combined(`must validate one and only one schema (oneOf). Found ${valid} valid alternatives`));
    }
  }
  if (schema.not !== undefined && failures(schema.not).length === 0) {
    causes.push(combined('must not validate the schema (not)'));
  }
}

const shortest = (results: StatusCause[][]): StatusCause[] =>
  results.reduce((best, result) => (result.length < best.length ? result : best));

/** Lists that are sets or maps must not hold an item twice. */
function checkLists(value: unknown, schema: Schema, path: string, causes: StatusCause[]): void {
  if (Array.isArray(value)) {
    const kind = schema['x-kubernetes-list-type'];
    const keys = schema['x-kubernetes-list-map-keys'] ?? [];
    const seen = new Set<string>();
    value.forEach((item: unknown, index) => {
      if (kind === 'set' || kind === 'map') {
        const identity =
          kind === 'set' || !isObject(item)
            ? item
            : Object.fromEntries(keys.filter((key) => Object.hasOwn(item, key)).map((key) => [key, item[key]]));
        const token = JSON.stringify(canonical(identity));
        if (seen.has(token)) {
          causes.push({
            reason: 'FieldValueDuplicate',
            message: `Duplicate value: ${JSON.stringify(identity)}`,
            field: `${path}[${index}]`,
          });
        }
        seen.add(token);
      }
      if (schema.items !== undefined) checkLists(item, schema.items, `${path}[${index}]`, causes);
    });
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const child = childSchema(schema, key);
      if (child !== undefined) checkLists(value[key], child, join(path, key), causes);
    }
  }
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** Whether a pattern can be read. */
export function isPattern(source: string): boolean {
  try {
    regexpOf(source);
    return true;
  } catch (error) {
    if (error instanceof RegexpSyntaxError) return false;
    throw error;
  }
}
