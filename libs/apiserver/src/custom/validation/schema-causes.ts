import { goQuote } from '../../cel/library/go-quote.js';
import type { StatusCause } from '../../status.js';
import type { Schema } from '../schema.js';

export const joinPath = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** The path of a member as fields of causes have it: what a schema does not name is in brackets. */
export const memberPath = (schema: Schema, path: string, key: string): string =>
  schema.properties !== undefined && Object.hasOwn(schema.properties, key) ? joinPath(path, key) : `${path}[${key}]`;

/** Causes about parts of a value; messages name a part as seen from the value, fields as seen from the object. */
export class SchemaCauses {
  /** @param base - the path of the value in the object */
  constructor(private readonly base: string) {}

  /** The path of a part in the object. */
  field(path: string): string {
    // Messages have a dot before what no schema names.
    const own = path.replace(/^\./, '');
    return this.base === '' || own === '' ? this.base + own : `${this.base}.${own}`;
  }

  invalid(path: string, value: unknown, why: string): StatusCause {
    return {
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${JSON.stringify(value)}: ${why}`,
      field: this.field(path),
    };
  }

  inBody(path: string, value: unknown, why: string): StatusCause {
    return this.invalid(path, value, `${path} in body ${why}`);
  }

  type(path: string, wanted: string, found: string): StatusCause {
    const shown = JSON.stringify(found);
    return {
      reason: 'FieldValueTypeInvalid',
      message: `Invalid value: ${shown}: ${path} in body must be of type ${wanted}: ${shown}`,
      field: this.field(path),
    };
  }

  format(path: string, format: string, value: string): StatusCause {
    return this.type(path, format, value);
  }

  enumeration(path: string, value: unknown, supported: readonly unknown[]): StatusCause {
    const shown = supported.map((one) => goQuote(typeof one === 'string' ? one : JSON.stringify(one)));
    return {
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${shown.join(', ')}`,
      field: this.field(path),
    };
  }

  tooLong(path: string, limit: number): StatusCause {
    return {
      reason: 'FieldValueTooLong',
      message: `Too long: may not be more than ${limit} ${limit === 1 ? 'byte' : 'bytes'}`,
      field: this.field(path),
    };
  }

  tooMany(path: string, found: number, limit: number): StatusCause {
    return {
      reason: 'FieldValueTooMany',
      message: `Too many: ${found}: must have at most ${limit} ${limit === 1 ? 'item' : 'items'}`,
      field: this.field(path),
    };
  }

  required(path: string): StatusCause {
    return { reason: 'FieldValueRequired', message: 'Required value', field: this.field(path) };
  }

  duplicate(path: string, value: unknown): StatusCause {
    return {
      reason: 'FieldValueDuplicate',
      message: `Duplicate value: ${JSON.stringify(value)}`,
      field: this.field(path),
    };
  }

  /** About the value as a whole; the real server does not say in a field where in it. */
  whole(why: string): StatusCause {
    return {
      reason: 'FieldValueInvalid',
      message: `Invalid value: "": ${why}`,
      field: this.base === '' ? '<nil>' : this.base,
    };
  }
}
