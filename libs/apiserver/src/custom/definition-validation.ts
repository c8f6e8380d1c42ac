import { deepEqual, isObject, type KubeObject } from '../json.js';
import type { Steps } from '../pipeline/steps.js';
import type { StatusCause } from '../status.js';
import { conversionCauses, storedVersionCauses } from './conversion-validation.js';
import type { Definition, DefinitionSpec, DefinitionVersion } from './crd-type.js';
import { hasCondition } from './definition-conditions.js';
import { formatWarnings } from './definition/format-warnings.js';
import { mentionsRules, schemaCauses } from './definition/definition-schema.js';
import { versionForm, type SharedParts } from './definition/internal-form.js';
import { groupCauses, labelProblem, namesCauses } from './definition/names.js';
import { approvalCauses } from './definition/protected-groups.js';
import {
  columnCauses,
  deprecationCauses,
  selectableFieldCauses,
  subresourceCauses,
} from './definition/version-parts.js';
import type { WrittenSchema } from './definition/written-schema.js';
import { invalidCause, notSupportedCause, requiredCause } from './field-causes.js';
import type { Schema } from './schema.js';
import { loadRules, type RuleLibrary } from './validation-rules.js';

/** What is wrong with a CustomResourceDefinition. Adds warnings about what is not. */
export function* definitionCauses(
  object: KubeObject,
  previous: KubeObject | undefined,
  warnings: string[],
): Steps<StatusCause[]> {
  const definition = withParts(object);
  const before = previous as Definition | undefined;
  const { spec, metadata } = definition;
  warnings.push(...formatWarnings(spec.versions, before?.spec.versions));
  const schemas = spec.versions.map(schemaOf).filter((schema) => schema !== undefined);
  const library = schemas.some(mentionsRules) ? yield* loadRules() : undefined;
  const causes: StatusCause[] = [];
  const name = `${spec.names.plural ?? ''}.${spec.group ?? ''}`;
  if (before === undefined && metadata.name !== undefined && metadata.name !== name) {
    causes.push(invalidCause('metadata.name', metadata.name, 'must be spec.names.plural+"."+spec.group'));
  }
  const given = isObject(object['spec']) ? object['spec']['versions'] : undefined;
  causes.push(...specCauses(spec, given, library));
  if (before !== undefined) causes.push(...changeCauses(spec, before));
  causes.push(...storedVersionCauses(object['status'], spec.versions));
  causes.push(...approvalCauses(definition, before));
  if (spec.preserveUnknownFields === true && before?.spec.preserveUnknownFields !== true) {
    const why =
      'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
    causes.push(invalidCause('spec.preserveUnknownFields', true, why));
  }
  return causes;
}

/** A definition in which the parts are there, though they may be empty. */
function withParts(object: KubeObject): Definition {
  const spec = isObject(object['spec']) ? object['spec'] : {};
  const names = isObject(spec['names']) ? spec['names'] : {};
  const versions = Array.isArray(spec['versions']) ? spec['versions'] : [];
  return { ...object, spec: { ...spec, names, versions } } as unknown as Definition;
}

const schemaOf = (version: DefinitionVersion): WrittenSchema | undefined =>
  version.schema?.openAPIV3Schema as WrittenSchema | undefined;

type WrittenSpec = Partial<DefinitionSpec> & Pick<DefinitionSpec, 'names' | 'versions'>;

const scopes = ['Cluster', 'Namespaced'];

/** @param given - the versions as they were written */
function specCauses(spec: WrittenSpec, given: unknown, library: RuleLibrary | undefined): StatusCause[] {
  const { versions, scope } = spec;
  const causes = groupCauses(spec.group ?? '', 'spec.group');
  if (!scope) causes.push(requiredCause('spec.scope'));
  else if (!scopes.includes(scope)) {
    causes.push(
      notSupportedCause(
        'spec.scope',
        scope,
        scopes.map((one) => JSON.stringify(one)),
      ),
    );
  }
  const shared = sharedParts(versions);
  for (const [index, version] of versions.entries()) {
    if (schemaOf(version) === undefined) causes.push(requiredCause(`spec.versions[${index}].schema.openAPIV3Schema`));
  }
  for (const [index, version] of versions.entries()) {
    const path = `spec.versions[${index}]`;
    const problem = labelProblem(version.name ?? '');
    if (problem !== '') causes.push(invalidCause(`${path}.name`, version.name ?? '', problem));
    causes.push(...deprecationCauses(version, path), ...ownPartCauses(version, path, shared, library));
  }
  causes.push(...versionListCauses(versions, shared, Array.isArray(given)));
  causes.push(...namesCauses(spec.names, 'spec.names'));
  if (versions.length > 0) causes.push(...sharedPartCauses(versions, shared, library));
  causes.push(...conversionCauses(spec.conversion, spec.preserveUnknownFields === true));
  return causes;
}

/** What is the same in all versions belongs, in the real server, to the definition as a whole. */
function sharedParts(versions: readonly DefinitionVersion[]): SharedParts {
  const [first, ...others] = versions;
  const isShared = (key: keyof DefinitionVersion): boolean =>
    others.every((other) => deepEqual(other[key], first?.[key]));
  return {
    schema: isShared('schema'),
    subresources: isShared('subresources'),
    columns: isShared('additionalPrinterColumns'),
    selectableFields: isShared('selectableFields'),
  };
}

/** The parts that a version does not share. */
function ownPartCauses(
  version: DefinitionVersion,
  path: string,
  shared: SharedParts,
  library: RuleLibrary | undefined,
): StatusCause[] {
  const causes: StatusCause[] = [];
  const schema = schemaOf(version);
  if (!shared.schema && schema !== undefined) {
    const hasStatus = version.subresources?.status !== undefined;
    causes.push(...schemaCauses(schema, { path: `${path}.schema.openAPIV3Schema`, hasStatus, library }));
  }
  if (!shared.subresources) causes.push(...subresourceCauses(version.subresources, `${path}.subresources`));
  if (!shared.columns) causes.push(...columnsCauses(version, `${path}.additionalPrinterColumns`));
  const { selectableFields = [] } = version;
  if (!shared.selectableFields && selectableFields.length > 0) {
    const at = `${path}.selectableFields`;
    if (shared.schema || schema === undefined) {
      causes.push(invalidCause(at, '', 'may only be set when `version.schema.openAPIV3Schema` is not included'));
    } else causes.push(...selectableFieldCauses(selectableFields, schema as Schema, at));
  }
  return causes;
}

/** The parts that all versions share. */
function sharedPartCauses(
  versions: readonly DefinitionVersion[],
  shared: SharedParts,
  library: RuleLibrary | undefined,
): StatusCause[] {
  const version = versions[0]!;
  const causes: StatusCause[] = [];
  const schema = shared.schema ? schemaOf(version) : undefined;
  if (schema !== undefined) {
    const hasStatus = versions.some(({ subresources }) => subresources?.status !== undefined);
    causes.push(...schemaCauses(schema, { path: 'spec.validation.openAPIV3Schema', hasStatus, library }));
  }
  const { selectableFields = [] } = version;
  if (shared.selectableFields && selectableFields.length > 0) {
    const at = 'spec.selectableFields';
    if (schema === undefined) causes.push(invalidCause(at, '', 'may only be set when validations.schema is included'));
    else causes.push(...selectableFieldCauses(selectableFields, schema as Schema, at));
  }
  if (shared.subresources) causes.push(...subresourceCauses(version.subresources, 'spec.subresources'));
  if (shared.columns) causes.push(...columnsCauses(version, 'spec.additionalPrinterColumns'));
  return causes;
}

const columnsCauses = ({ additionalPrinterColumns = [] }: DefinitionVersion, path: string): StatusCause[] =>
  additionalPrinterColumns.flatMap((column, index) => columnCauses(column, `${path}[${index}]`));

/** What is wrong with the versions together. */
function versionListCauses(
  versions: readonly DefinitionVersion[],
  shared: SharedParts,
  isGiven: boolean,
): StatusCause[] {
  const causes: StatusCause[] = [];
  const invalid = (why: string): void => {
    const list = `[${versions.map((version) => versionForm(version, shared)).join(',')}]`;
    const shown = isGiven ? list : 'null';
    causes.push({ reason: 'FieldValueInvalid', message: `Invalid value: ${shown}: ${why}`, field: 'spec.versions' });
  };
  if (new Set(versions.map(({ name }) => name)).size < versions.length) invalid('must contain unique version names');
  if (versions.filter(({ storage }) => storage).length !== 1) {
    invalid('must have exactly one version marked as storage version');
  }
  const first = versions[0]?.name ?? '';
  const problem = first === '' ? '' : labelProblem(first);
  if (problem !== '') causes.push(invalidCause('spec.version', first, problem));
  return causes;
}

/** What cannot be changed, apart from names that nobody could use yet. */
function changeCauses(spec: DefinitionSpec, before: Definition): StatusCause[] {
  const causes: StatusCause[] = [];
  const keep = (field: string, value: unknown, old: unknown): void => {
    if (value !== old) causes.push(invalidCause(`spec.${field}`, value, 'field is immutable'));
  };
  if (hasCondition(before, 'Established')) {
    keep('scope', spec.scope, before.spec.scope);
    keep('names.kind', spec.names.kind, before.spec.names.kind);
  }
  keep('group', spec.group, before.spec.group);
  keep('names.plural', spec.names.plural, before.spec.names.plural);
  return causes;
}
