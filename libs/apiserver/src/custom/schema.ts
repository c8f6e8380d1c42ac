import type { Rule } from '../cel/rules/rule.js';

/** A structural schema: of a CustomResourceDefinition, as it is written, or of a built-in type. */
export interface Schema {
  type?: string;
  format?: string;
  nullable?: boolean;
  default?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  required?: string[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: boolean;
  exclusiveMaximum?: boolean;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minProperties?: number;
  maxProperties?: number;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  not?: Schema;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-embedded-resource'?: boolean;
  'x-kubernetes-int-or-string'?: boolean;
  'x-kubernetes-list-type'?: string;
  'x-kubernetes-list-map-keys'?: string[];
  'x-kubernetes-map-type'?: string;
  /** Only built-in types: the member that items of a list are merged by in a strategic merge patch. */
  'x-kubernetes-patch-merge-key'?: string;
  /** Only built-in types: `merge`, `retainKeys` or both, separated by a comma. */
  'x-kubernetes-patch-strategy'?: string;
  /** Only built-in types: the short name of the definition, such as `core.v1.Container`. */
  definition?: string;
  'x-kubernetes-validations'?: Rule[];
  description?: string;
}
