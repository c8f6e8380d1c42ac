import { regexpOf } from '../../cel/regexp/go-regexp.js';
import type { Correlation } from '../../cel/rules/correlation.js';
import { deepEqual, isObject } from '../../json.js';
import type { StatusCause } from '../../status.js';
import { childSchema } from '../pruning.js';
import type { Schema } from '../schema.js';
import { knowsFormat, matchesFormat } from '../string-formats.js';
import { checkNumber } from './number-checks.js';
import { goNumber, isIntegral, type GoNumber } from './numbers.js';
import { joinPath, type SchemaCauses } from './schema-causes.js';

/**
 * Checks values against schemas. All that the real server looks at is looked at, even where an earlier check failed,
 * and it is counted what was looked at, since of several alternatives that fail the one is told about that says most.
 */
export class SchemaValidator {
  /** @param asValue - defaults are not: of those that are an integer or a string the type is not looked at */
  constructor(
    private readonly say: SchemaCauses,
    private readonly asValue = true,
  ) {}

  /**
   * Adds what is wrong with a value, and answers how many checks there were.
   *
   * @param beside - the value beside what it was before; what is wrong with a value that has not changed is let through
   */
  check(value: unknown, schema: Schema, path: string, beside: Correlation | undefined, causes: StatusCause[]): number {
    const before = causes.length;
    const count = this.#check(value, schema, path, beside, causes);
    if (causes.length > before && beside?.unchanged === true) causes.length = before;
    return count;
  }

  #check(value: unknown, schema: Schema, path: string, beside: Correlation | undefined, causes: StatusCause[]): number {
    const number = goNumber(value);
    this.#type(value, number, schema, path, causes);
    if (schema.enum !== undefined && !schema.enum.some((allowed) => deepEqual(allowed, value))) {
      if (value !== null || schema.nullable !== true) causes.push(this.say.enumeration(path, value, schema.enum));
    }
    if (value === null) return 0;
    // The type, the combinations, the enumeration, and the schema itself.
    let count = 5 + this.#combinations(value, schema, path, beside, causes);
    if (number !== undefined) {
      checkNumber(value, number, schema, path, this.say, causes);
      count++;
    } else if (typeof value === 'string') count += this.#string(value, schema, path, causes);
    else if (Array.isArray(value)) count += this.#array(value, schema, path, beside, causes);
    else if (isObject(value)) count += this.#object(value, schema, path, beside, causes);
    return count;
  }

  #type(value: unknown, number: GoNumber | undefined, schema: Schema, path: string, causes: StatusCause[]): void {
    const intOrString = schema['x-kubernetes-int-or-string'] === true;
    const { type, format } = schema;
    if (type === undefined && !intOrString) return;
    if (intOrString && !this.asValue) return;
    const wants = (name: string): boolean => (intOrString ? name === 'integer' || name === 'string' : name === type);
    const wanted = intOrString ? 'integer,string' : type!;
    if (value === null) {
      if (schema.nullable !== true) causes.push(this.say.type(path, wanted, 'null'));
      return;
    }
    const found = number === undefined ? nameOf(value) : number.isInteger ? 'integer' : 'number';
    const fits =
      wants(found) ||
      (found === 'integer' && wants('number')) ||
      (found === 'number' && wants('integer') && isIntegral(number!.double));
    if (fits) return;
    const isTextual = typeof value === 'string' || Array.isArray(value);
    if (format !== undefined && !isTextual) {
      const kind = found === 'integer' ? 'int64' : found === 'number' ? 'float64' : '';
      if (kind === format) return;
      causes.push(this.say.type(path, format, kind));
      return;
    }
    // A format says more about texts than the type does.
    if (format !== undefined && !wants('number') && !wants('integer')) return;
    causes.push(this.say.type(path, wanted, found));
  }

  #string(value: string, schema: Schema, path: string, causes: StatusCause[]): number {
    const { maxLength, minLength, pattern, format } = schema;
    // Code points, as Go counts runes.
    const length = maxLength === undefined && minLength === undefined ? 0 : Array.from(value).length;
    if (maxLength !== undefined && length > maxLength) causes.push(this.say.tooLong(path, maxLength));
    else if (minLength !== undefined && length < minLength) {
      causes.push(this.say.inBody(path, value, `should be at least ${minLength} chars long`));
    } else if (pattern !== undefined && !regexpOf(pattern).test(value)) {
      causes.push(this.say.inBody(path, value, `should match '${pattern}'`));
    }
    if (format === undefined || !knowsFormat(format)) return 1;
    if (!matchesFormat(format, value)) causes.push(this.say.format(path, format, value));
    return 2;
  }

  #array(
    value: readonly unknown[],
    schema: Schema,
    path: string,
    beside: Correlation | undefined,
    causes: StatusCause[],
  ): number {
    const { items, minItems, maxItems } = schema;
    let count = 1;
    if (items !== undefined) {
      for (const [index, item] of value.entries()) {
        count += this.check(item, items, `${path}[${index}]`, beside?.item(item, items), causes);
      }
    }
    if (minItems !== undefined && value.length < minItems) {
      causes.push(this.say.inBody(path, value.length, `should have at least ${minItems} items`));
    }
    if (maxItems !== undefined && value.length > maxItems) {
      causes.push(this.say.tooMany(path, value.length, maxItems));
    }
    return count;
  }

  #object(
    value: Record<string, unknown>,
    schema: Schema,
    path: string,
    beside: Correlation | undefined,
    causes: StatusCause[],
  ): number {
    const keys = Object.keys(value);
    const { minProperties, maxProperties } = schema;
    if (minProperties !== undefined && keys.length < minProperties) {
      causes.push(this.say.inBody(path, keys.length, `should have at least ${minProperties} properties`));
      return 1;
    }
    if (maxProperties !== undefined && keys.length > maxProperties) {
      causes.push(this.say.tooMany(path, keys.length, maxProperties));
      return 1;
    }
    let count = 1;
    for (const key of keys) {
      const child = childSchema(schema, key);
      if (child === undefined) continue;
      const member = value[key];
      const isNamed = child === schema.properties?.[key];
      const at = isNamed ? joinPath(path, key) : `${path}.${key}`;
      count += this.check(member, child, at, beside?.member(key, member, child), causes);
    }
    for (const name of schema.required ?? []) {
      if (!Object.hasOwn(value, name)) causes.push(this.say.required(joinPath(path, name)));
    }
    return count;
  }

  #combinations(
    value: unknown,
    schema: Schema,
    path: string,
    beside: Correlation | undefined,
    causes: StatusCause[],
  ): number {
    const { allOf, anyOf, oneOf, not } = schema;
    const shown = JSON.stringify(path);
    // An alternative is about the same value, so that what is unchanged in it is not to be asked again.
    const tried = (option: Schema): Tried => {
      const found: StatusCause[] = [];
      return { count: this.#check(value, option, path, beside, found), causes: found };
    };
    let count = 0;
    if (anyOf !== undefined) {
      const results = untilValid(anyOf, tried);
      const last = results.at(-1);
      if (last !== undefined && last.causes.length > 0) {
        causes.push(this.say.whole(`${shown} must validate at least one schema (anyOf)`));
        const best = mostTold(results);
        causes.push(...best.causes);
        count += best.count;
      } else if (last !== undefined) count += last.count;
    }
    if (oneOf !== undefined) {
      const results = oneOf.map(tried);
      const valid = results.filter((result) => result.causes.length === 0);
      if (valid.length === 0) {
        causes.push(this.say.whole(`${shown} must validate one and only one schema (oneOf). Found none valid`));
        const best = mostTold(results);
        causes.push(...best.causes);
        count += best.count;
      } else if (valid.length === 1) count += valid[0]!.count;
      else {
        const text = `must validate one and only one schema (oneOf). Found ${valid.length} valid alternatives`;
        causes.push(this.say.whole(`${shown} ${text}`));
      }
    }
    if (allOf !== undefined && allOf.length > 0) {
      const results = allOf.map(tried);
      const valid = results.filter((result) => result.causes.length === 0).length;
      for (const result of results) {
        causes.push(...result.causes);
        count += result.count;
      }
      if (valid < results.length) {
        const none = valid === 0 ? '. None validated' : '';
        causes.push(this.say.whole(`${shown} must validate all the schemas (allOf)${none}`));
      }
    }
    if (not !== undefined && tried(not).causes.length === 0) {
      causes.push(this.say.whole(`${shown} must not validate the schema (not)`));
    }
    return count;
  }
}

interface Tried {
  readonly count: number;
  readonly causes: readonly StatusCause[];
}

/** The results up to the first valid one. */
function untilValid(options: readonly Schema[], tried: (option: Schema) => Tried): Tried[] {
  const results: Tried[] = [];
  for (const option of options) {
    const result = tried(option);
    results.push(result);
    if (result.causes.length === 0) break;
  }
  return results;
}

const mostTold = (results: readonly Tried[]): Tried =>
  results.reduce((best, result) => (result.count > best.count ? result : best));

function nameOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}
