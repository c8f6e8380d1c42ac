import type { StatusCause } from '../../status.js';
import { forbiddenCause, invalidCause } from '../field-causes.js';
import type { Schema } from '../schema.js';
import type { RuleLibrary } from '../validation-rules.js';
import { defaultCauses } from './default-values.js';
import { saidMembers, schemaForm } from './internal-form.js';
import { canBeStructural } from './schema-keywords.js';
import { checkParts } from './schema-parts.js';
import { structuralCauses } from './structural-schema.js';
import { subschemas, type WrittenSchema } from './written-schema.js';

export interface SchemaPlace {
  readonly path: string;
  /** Whether a version with this schema has a status of its own. */
  readonly hasStatus: boolean;
  /** Needed where the schema has rules. */
  readonly library: RuleLibrary | undefined;
}

/** What is wrong with the schema of a definition. */
export function schemaCauses(schema: WrittenSchema, { path, hasStatus, library }: SchemaPlace): StatusCause[] {
  const causes = hasStatus ? rootCauses(schema, path) : [];
  if (schema.nullable === true) {
    causes.push(forbiddenCause(`${path}.nullable`, 'nullable cannot be true at the root'));
  }
  const isStructural = canBeStructural(schema);
  const parts = checkParts(schema, path);
  // Defaults are looked at in a sound structure only, and rules where the defaults are sound too.
  const structure = isStructural ? structuralCauses(schema, path) : [];
  const isSound = isStructural && structure.length === 0;
  const defaults = isSound ? defaultCauses(schema as Schema, path, library) : [];
  causes.push(...structure, ...defaults, ...parts.causes);
  if (isSound && defaults.length === 0 && parts.sites.length > 0) {
    causes.push(...library!.definitionRuleCauses(parts.sites, path));
  }
  if (causes.length === 0 && !isStructural) {
    causes.push(invalidCause(path, '', "OpenAPIV3Schema 'schema' is not supported"));
  }
  return causes;
}

const allowedBesideStatus = [
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern',
  'MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields',
  'XValidations',
].join(' ');

/** The status is checked by its own part of the schema, so that all of the object cannot have conditions. */
function rootCauses(schema: WrittenSchema, path: string): StatusCause[] {
  const allowed = new Set(allowedBesideStatus.split(' '));
  for (const member of saidMembers(schema)) {
    if (member === 'Type' && schema.type !== 'object') {
      const why = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      return [invalidCause(`${path}.type`, schema.type, why)];
    }
    if (allowed.has(member)) continue;
    const why = `only [${allowedBesideStatus}] fields are allowed at the root of the schema if the status subresource is enabled`;
    return [{ reason: 'FieldValueInvalid', message: `Invalid value: ${schemaForm(schema)}: ${why}`, field: path }];
  }
  return [];
}

/** Whether a schema has rules, also where they are refused. */
export const mentionsRules = (schema: WrittenSchema): boolean =>
  (schema['x-kubernetes-validations'] ?? []).length > 0 || subschemas(schema).some(mentionsRules);
