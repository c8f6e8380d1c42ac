import type { Schema } from '../schema.js';

/** A part of a schema that has rules. */
export interface RuleSite {
  readonly schema: Schema;
  readonly path: string;
  /** Whether the value has apiVersion, kind and metadata. */
  readonly resource: boolean;
  /** How many such values an object can have; undefined where nothing limits them but the size of a request. */
  readonly cardinality: number | undefined;
  /** The part around it in which a value cannot be told from what it was before. */
  readonly uncorrelatable: string | undefined;
}
