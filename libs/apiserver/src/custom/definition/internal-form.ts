import { goJson } from '../field-causes.js';
import { isObject } from '../../json.js';
import type { DefinitionVersion } from '../crd-type.js';
import { ruleForm } from './rule-form.js';
import type { WrittenSchema } from './written-schema.js';

// The real server shows definitions in the form that it works with itself.

const json = (value: unknown): string => (value === undefined ? 'null' : goJson(value));
const text = (value: string | undefined): string => goJson(value ?? '');
const flag = (value: boolean | undefined): string => String(value === true);
const list = <T>(values: readonly T[] | undefined, form: (value: T) => string): string =>
  values === undefined ? 'null' : `[${values.map(form).join(',')}]`;
const optional = <T>(value: T | undefined, form: (value: T) => string): string =>
  value === undefined ? 'null' : form(value);
const struct = (members: readonly (readonly [string, string])[]): string =>
  `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;

function map<T>(values: Record<string, T> | undefined, form: (value: T) => string): string {
  if (values === undefined) return 'null';
  const keys = Object.keys(values).sort();
  return `{${keys.map((key) => `${goJson(key)}:${form(values[key]!)}`).join(',')}}`;
}

const orAllows = (value: boolean | WrittenSchema): string =>
  struct([
    ['Allows', String(value !== false)],
    ['Schema', isObject(value) ? schemaForm(value) : 'null'],
  ]);

const orList = (value: WrittenSchema | WrittenSchema[]): string =>
  struct([
    ['Schema', Array.isArray(value) ? 'null' : schemaForm(value)],
    ['JSONSchemas', Array.isArray(value) ? list(value, schemaForm) : 'null'],
  ]);

const orNames = (value: WrittenSchema | string[]): string =>
  struct([
    ['Schema', Array.isArray(value) ? 'null' : schemaForm(value)],
    ['Property', Array.isArray(value) ? json(value) : 'null'],
  ]);

type Form = (schema: WrittenSchema) => string;

const schemaMembers: readonly (readonly [string, Form])[] = [
  ['ID', ({ id }) => text(id)],
  ['Schema', ({ $schema }) => text($schema)],
  ['Ref', ({ $ref }) => json($ref)],
  ['Description', ({ description }) => text(description)],
  ['Type', ({ type }) => text(type)],
  ['Nullable', ({ nullable }) => flag(nullable)],
  ['Format', ({ format }) => text(format)],
  ['Title', ({ title }) => text(title)],
  ['Default', (schema) => json(schema.default)],
  ['Maximum', ({ maximum }) => json(maximum)],
  ['ExclusiveMaximum', ({ exclusiveMaximum }) => flag(exclusiveMaximum)],
  ['Minimum', ({ minimum }) => json(minimum)],
  ['ExclusiveMinimum', ({ exclusiveMinimum }) => flag(exclusiveMinimum)],
  ['MaxLength', ({ maxLength }) => json(maxLength)],
  ['MinLength', ({ minLength }) => json(minLength)],
  ['Pattern', ({ pattern }) => text(pattern)],
  ['MaxItems', ({ maxItems }) => json(maxItems)],
  ['MinItems', ({ minItems }) => json(minItems)],
  ['UniqueItems', ({ uniqueItems }) => flag(uniqueItems)],
  ['MultipleOf', ({ multipleOf }) => json(multipleOf)],
  ['Enum', (schema) => list(schema.enum, json)],
  ['MaxProperties', ({ maxProperties }) => json(maxProperties)],
  ['MinProperties', ({ minProperties }) => json(minProperties)],
  ['Required', ({ required }) => json(required)],
  ['Items', ({ items }) => optional(items, orList)],
  ['AllOf', ({ allOf }) => list(allOf, schemaForm)],
  ['OneOf', ({ oneOf }) => list(oneOf, schemaForm)],
  ['AnyOf', ({ anyOf }) => list(anyOf, schemaForm)],
  ['Not', ({ not }) => optional(not, schemaForm)],
  ['Properties', ({ properties }) => map(properties, schemaForm)],
  ['AdditionalProperties', ({ additionalProperties }) => optional(additionalProperties, orAllows)],
  ['PatternProperties', ({ patternProperties }) => map(patternProperties, schemaForm)],
  ['Dependencies', ({ dependencies }) => map(dependencies, orNames)],
  ['AdditionalItems', ({ additionalItems }) => optional(additionalItems, orAllows)],
  ['Definitions', ({ definitions }) => map(definitions, schemaForm)],
  [
    'ExternalDocs',
    ({ externalDocs }) =>
      optional(externalDocs, ({ description, url }) =>
        struct([
          ['Description', text(description)],
          ['URL', text(url)],
        ]),
      ),
  ],
  ['Example', ({ example }) => json(example)],
  ['XPreserveUnknownFields', (schema) => json(schema['x-kubernetes-preserve-unknown-fields'])],
  ['XEmbeddedResource', (schema) => flag(schema['x-kubernetes-embedded-resource'])],
  ['XIntOrString', (schema) => flag(schema['x-kubernetes-int-or-string'])],
  ['XListMapKeys', (schema) => json(schema['x-kubernetes-list-map-keys'])],
  ['XListType', (schema) => json(schema['x-kubernetes-list-type'])],
  ['XMapType', (schema) => json(schema['x-kubernetes-map-type'])],
  ['XValidations', (schema) => list(schema['x-kubernetes-validations'], ruleForm)],
];

/** A schema as the real server shows it. */
export function schemaForm(schema: WrittenSchema): string {
  return struct(schemaMembers.map(([name, form]) => [name, form(schema)]));
}

/** The members that a schema says something about, as the real server names them. */
export function saidMembers(schema: WrittenSchema): string[] {
  return schemaMembers.filter(([, form]) => !['""', 'false', 'null'].includes(form(schema))).map(([name]) => name);
}

/** What is the same in all versions is shown in none of them. */
export interface SharedParts {
  readonly schema: boolean;
  readonly subresources: boolean;
  readonly columns: boolean;
  readonly selectableFields: boolean;
}

/** A version of a definition as the real server shows it. */
export function versionForm(version: DefinitionVersion, shared: SharedParts): string {
  const { openAPIV3Schema } = version.schema ?? {};
  return struct([
    ['Name', text(version.name)],
    ['Served', flag(version.served)],
    ['Storage', flag(version.storage)],
    ['Deprecated', flag(version.deprecated)],
    ['DeprecationWarning', json(version.deprecationWarning)],
    [
      'Schema',
      shared.schema || version.schema === undefined
        ? 'null'
        : struct([['OpenAPIV3Schema', optional(openAPIV3Schema as WrittenSchema | undefined, schemaForm)]]),
    ],
    ['Subresources', shared.subresources ? 'null' : optional(version.subresources, subresourcesForm)],
    [
      'AdditionalPrinterColumns',
      shared.columns
        ? 'null'
        : list(version.additionalPrinterColumns, (column) =>
            struct([
              ['Name', text(column.name)],
              ['Type', text(column.type)],
              ['Format', text(column.format)],
              ['Description', text(column.description)],
              ['Priority', json(column.priority ?? 0)],
              ['JSONPath', text(column.jsonPath)],
            ]),
          ),
    ],
    [
      'SelectableFields',
      shared.selectableFields
        ? 'null'
        : list(version.selectableFields, ({ jsonPath }) => struct([['JSONPath', text(jsonPath)]])),
    ],
  ]);
}

const subresourcesForm = ({ status, scale }: NonNullable<DefinitionVersion['subresources']>): string =>
  struct([
    ['Status', status === undefined ? 'null' : '{}'],
    [
      'Scale',
      optional(scale, ({ specReplicasPath, statusReplicasPath, labelSelectorPath }) =>
        struct([
          ['SpecReplicasPath', text(specReplicasPath)],
          ['StatusReplicasPath', text(statusReplicasPath)],
          ['LabelSelectorPath', json(labelSelectorPath)],
        ]),
      ),
    ],
  ]);
