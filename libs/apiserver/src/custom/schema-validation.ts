import { Correlation } from '../cel/rules/correlation.js';
import type { StatusCause } from '../status.js';
import type { Schema } from './schema.js';
import { embeddedCauses } from './validation/embedded-objects.js';
import { listTypeCauses } from './validation/list-types.js';
import { SchemaCauses } from './validation/schema-causes.js';
import { SchemaValidator } from './validation/schema-validator.js';

export interface SchemaCheck {
  /** What the value was before; what is wrong with parts that have not changed is let through. */
  readonly old?: unknown;
  /** The path of the value in the object. @defaultValue the object itself */
  readonly base?: string;
}

/** Validates a value and answers what is wrong with it, in the words of the real server. */
export function validateSchema(value: unknown, schema: Schema, { old, base = '' }: SchemaCheck = {}): StatusCause[] {
  const say = new SchemaCauses(base);
  const causes: StatusCause[] = [];
  const beside = old === undefined ? undefined : Correlation.of(value, old, schema);
  new SchemaValidator(say).check(value, schema, '', beside, causes);
  causes.push(...embeddedCauses(value, schema, say));
  // One item that came twice before is reason enough to look away.
  if (old === undefined || listTypeCauses(old, schema, '', say).length === 0) {
    causes.push(...listTypeCauses(value, schema, '', say));
  }
  return causes;
}
