import { findField } from '../../cel/rules/field-path.js';
import type { PrinterColumn } from '../../resources/columns/printer-column.js';
import type { StatusCause } from '../../status.js';
import type { DefinitionVersion } from '../crd-type.js';
import { duplicateCause, invalidCause, requiredCause } from '../field-causes.js';
import type { Schema } from '../schema.js';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

function pathProblem(path: string): string | undefined {
  return path.startsWith('.') ? undefined : 'must be a simple json path starting with .';
}

/** What is wrong with a printer column. */
export function columnCauses(column: Partial<PrinterColumn>, path: string): StatusCause[] {
  const { name = '', type = '', format = '', jsonPath = '' } = column;
  const causes: StatusCause[] = [];
  if (name === '') causes.push(requiredCause(`${path}.name`));
  const someType = `must be one of ${columnTypes.join(',')}`;
  if (type === '') causes.push(requiredCause(`${path}.type`, someType));
  else if (!columnTypes.includes(type)) causes.push(invalidCause(`${path}.type`, type, someType));
  if (format !== '' && !columnFormats.includes(format)) {
    causes.push(invalidCause(`${path}.format`, format, `must be one of ${columnFormats.join(',')}`));
  }
  // The field is named as in an older version.
  const problem = pathProblem(jsonPath);
  if (jsonPath === '') causes.push(requiredCause(`${path}.JSONPath`));
  else if (problem !== undefined) causes.push(invalidCause(`${path}.JSONPath`, jsonPath, problem));
  return causes;
}

/** What is wrong with subresources. */
export function subresourceCauses(subresources: DefinitionVersion['subresources'], path: string): StatusCause[] {
  const { scale } = subresources ?? {};
  if (scale === undefined) return [];
  const causes: StatusCause[] = [];
  const look = (name: keyof typeof scale, roots: readonly string[], place: string): void => {
    const value = scale[name] ?? '';
    const at = `${path}.scale.${name}`;
    if (value === '') {
      if (name !== 'labelSelectorPath') causes.push(requiredCause(at));
      return;
    }
    const problem = pathProblem(value);
    if (problem !== undefined) causes.push(invalidCause(at, value, problem));
    else if (!roots.some((root) => value.startsWith(root))) {
      causes.push(invalidCause(at, value, `should be a json path under ${place}`));
    }
  };
  look('specReplicasPath', ['.spec.'], '.spec');
  look('statusReplicasPath', ['.status.'], '.status');
  look('labelSelectorPath', ['.spec.', '.status.'], 'either .spec or .status');
  return causes;
}

const mostFields = 8;

/** What is wrong with the fields that objects can be selected by. */
export function selectableFieldCauses(
  fields: readonly { jsonPath?: string }[],
  schema: Schema,
  path: string,
): StatusCause[] {
  const causes: StatusCause[] = [];
  const seen = new Set<string>();
  for (const [index, { jsonPath = '' }] of fields.entries()) {
    const at = `${path}[${index}].jsonPath`;
    if (jsonPath === '') {
      causes.push(requiredCause(at));
      continue;
    }
    const found = findField(jsonPath, schema, false);
    if ('problem' in found) {
      causes.push(invalidCause(at, jsonPath, `is an invalid path: ${found.problem}`));
      continue;
    }
    if (found.first === 'metadata') causes.push(invalidCause(at, jsonPath, 'must not point to fields in metadata'));
    if (!selectable.has(found.schema.type ?? '')) {
      const why =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      causes.push(invalidCause(at, jsonPath, why));
    }
    if (seen.has(found.path)) causes.push(duplicateCause(at, jsonPath));
    seen.add(found.path);
  }
  if (seen.size > mostFields) {
    causes.push({
      reason: 'FieldValueTooMany',
      message: `Too many: ${seen.size}: must have at most ${mostFields} items`,
      field: path,
    });
  }
  return causes;
}

const selectable = new Set(['string', 'boolean', 'integer']);

const longestWarning = 256;

/** What is wrong with the warning of a deprecated version. */
export function deprecationCauses(version: DefinitionVersion, path: string): StatusCause[] {
  const { deprecationWarning: warning } = version;
  if (warning === undefined) return [];
  const problems: string[] = [];
  if (version.deprecated !== true) problems.push('can only be set for deprecated versions');
  if (Buffer.byteLength(warning) > longestWarning) problems.push(`must be <= ${longestWarning} characters long`);
  if (warning === '') problems.push('must not be an empty string');
  const hidden = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(warning);
  if (hidden !== null) {
    const at = Buffer.byteLength(warning.slice(0, hidden.index));
    problems.push(`must only contain printable UTF-8 characters; non-printable character found at index ${at}`);
  }
  return problems.map((why) => invalidCause(`${path}.deprecationWarning`, warning, why));
}
