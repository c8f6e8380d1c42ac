import { isObject, type KubeObject } from '../json.js';
import type { StatusCause } from '../status.js';
import type { Definition, DefinitionVersion } from './crd-type.js';
import { conversionCauses, storedVersionCauses } from './conversion-validation.js';
import { isPattern } from './schema-validation.js';
import type { Schema } from './schema.js';

const required = (field: string, text = 'Required value'): StatusCause => ({
  reason: 'FieldValueRequired',
  message: text,
  field,
});

const invalid = (field: string, value: unknown, why: string): StatusCause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${JSON.stringify(value)}: ${why}`,
  field,
});

/** What is wrong with a CustomResourceDefinition, or is not supported by this server. */
export function validateDefinition(
  object: KubeObject,
  previous: KubeObject | undefined,
  subresource = false,
): StatusCause[] {
  const causes: StatusCause[] = [];
  const spec: unknown = object['spec'];
  if (!isObject(spec)) return [required('spec')];
  const names = spec['names'];
  if (typeof spec['group'] !== 'string' || spec['group'] === '') causes.push(required('spec.group'));
  if (!isObject(names)) causes.push(required('spec.names'));
  else {
    if (typeof names['plural'] !== 'string' || names['plural'] === '') causes.push(required('spec.names.plural'));
    if (typeof names['kind'] !== 'string' || names['kind'] === '') causes.push(required('spec.names.kind'));
    if (causes.length === 0 && object.metadata.name !== `${names['plural'] as string}.${spec['group'] as string}`) {
      causes.push(invalid('metadata.name', object.metadata.name, `must be spec.names.plural+"."+spec.group`));
    }
  }
  if (spec['scope'] !== 'Namespaced' && spec['scope'] !== 'Cluster') {
    causes.push(
      spec['scope'] === undefined || spec['scope'] === ''
        ? required('spec.scope')
        : {
            reason: 'FieldValueNotSupported',
            message: `Unsupported value: ${JSON.stringify(spec['scope'])}: supported values: "Cluster", "Namespaced"`,
            field: 'spec.scope',
          },
    );
  }
  const versions: unknown = spec['versions'];
  if (!Array.isArray(versions) || versions.length === 0) return [...causes, required('spec.versions')];
  let storage = 0;
  const seen = new Set<unknown>();
  versions.forEach((version: unknown, index) => {
    const path = `spec.versions[${index}]`;
    if (!isObject(version)) {
      causes.push(invalid(path, version, 'must be an object'));
      return;
    }
    if (typeof version['name'] !== 'string' || version['name'] === '') causes.push(required(`${path}.name`));
    if (seen.has(version['name'])) {
      causes.push({
        reason: 'FieldValueDuplicate',
        message: `Duplicate value: ${JSON.stringify(version['name'])}`,
        field: `${path}.name`,
      });
    }
    seen.add(version['name']);
    if (version['storage'] === true) storage++;
    const schema = isObject(version['schema']) ? version['schema']['openAPIV3Schema'] : undefined;
    causes.push(...pathCauses(version as unknown as DefinitionVersion, path));
    if (!isObject(schema))
      causes.push(required(`${path}.schema.openAPIV3Schema`, 'Required value: schemas are required'));
    else schemaCauses(schema as Schema, `${path}.schema.openAPIV3Schema`, causes, true);
  });
  if (storage !== 1) {
    causes.push(invalid('spec.versions', versions, 'must have exactly one version marked as storage version'));
  }
  causes.push(...conversionCauses(spec['conversion'], spec['preserveUnknownFields'] === true));
  if (previous !== undefined) {
    if (!subresource) causes.push(...storedVersionCauses(object['status'], versions));
    const before = (previous as Definition).spec;
    for (const field of ['group', 'scope'] as const) {
      if (spec[field] !== before[field]) causes.push(invalid(`spec.${field}`, spec[field], 'field is immutable'));
    }
    if (isObject(names) && names['plural'] !== before.names.plural) {
      causes.push(invalid('spec.names.plural', names['plural'], 'field is immutable'));
    }
  }
  return causes;
}

function pathCauses(version: DefinitionVersion, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const look = (field: string, value: string | undefined): void => {
    if (value === undefined || value === '') {
      causes.push(required(`${path}.${field}`));
      return;
    }
    if (!value.startsWith('.'))
      causes.push(invalid(`${path}.${field}`, value, 'must be a simple json path starting with .'));
  };
  version.additionalPrinterColumns?.forEach(({ jsonPath }, index) =>
    look(`additionalPrinterColumns[${index}].jsonPath`, jsonPath),
  );
  version.selectableFields?.forEach(({ jsonPath }, index) => look(`selectableFields[${index}].jsonPath`, jsonPath));
  const scale = version.subresources?.scale;
  if (scale !== undefined) {
    look('subresources.scale.specReplicasPath', scale.specReplicasPath);
    look('subresources.scale.statusReplicasPath', scale.statusReplicasPath);
    if (scale.labelSelectorPath !== undefined) look('subresources.scale.labelSelectorPath', scale.labelSelectorPath);
  }
  return causes;
}

function schemaCauses(schema: Schema, path: string, causes: StatusCause[], root = false): void {
  if (schema['x-kubernetes-validations'] !== undefined) {
    causes.push({
      reason: 'FieldValueForbidden',
      message: 'Forbidden: this server does not evaluate CEL rules; remove them from the definition it is given',
      field: `${path}.x-kubernetes-validations`,
    });
  }
  if (schema.pattern !== undefined && !isPattern(schema.pattern)) {
    causes.push(invalid(`${path}.pattern`, schema.pattern, 'must be a valid regular expression'));
  }
  if (root && schema.type !== 'object') {
    causes.push(
      schema.type === undefined
        ? required(`${path}.type`, 'Required value: must not be empty at the root')
        : invalid(`${path}.type`, schema.type, 'must be object at the root'),
    );
  } else if (
    schema.type === undefined &&
    schema['x-kubernetes-int-or-string'] !== true &&
    schema['x-kubernetes-preserve-unknown-fields'] !== true
  ) {
    causes.push(required(`${path}.type`, 'Required value: must not be empty for specified object fields'));
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    schemaCauses(property, `${path}.properties[${name}]`, causes);
  }
  if (schema.items !== undefined) schemaCauses(schema.items, `${path}.items`, causes);
  if (isObject(schema.additionalProperties)) {
    schemaCauses(schema.additionalProperties as Schema, `${path}.additionalProperties`, causes);
  }
}
