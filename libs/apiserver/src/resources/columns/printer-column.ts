import { isBigNumber, isObject } from '../../json.js';
import { compileJsonPath, JsonPathError, type JsonPath } from '../json-path.js';
import type { TableColumn } from '../resource-type.js';
import { nameColumn } from './cells.js';
import { humanDuration } from './human-duration.js';

/** A column as a CustomResourceDefinition writes it. */
export interface PrinterColumn {
  name: string;
  type: string;
  jsonPath: string;
  format?: string;
  description?: string;
  priority?: number;
}

const defaultColumns: readonly PrinterColumn[] = [
  {
    name: 'Age',
    type: 'date',
    jsonPath: '.metadata.creationTimestamp',
    description: 'How long ago the object was created.',
  },
];

/** The columns of a custom resource. Where one of them has a path that cannot be read, only the name is shown. */
export function printerColumns(columns: readonly PrinterColumn[] = defaultColumns): TableColumn[] {
  try {
    return [nameColumn, ...columns.map((column) => printerColumn(column, compileJsonPath(column.jsonPath)))];
  } catch (error) {
    if (error instanceof JsonPathError) return [nameColumn];
    throw error;
  }
}

function printerColumn(column: PrinterColumn, path: JsonPath): TableColumn {
  return {
    name: column.name,
    type: column.type,
    format: column.format ?? '',
    description: column.description ?? `Custom resource definition column (in JSONPath format): ${column.jsonPath}`,
    priority: column.priority ?? 0,
    cell: (object, now) => {
      const found = path(object);
      return found.length === 0 ? null : cellOf(found[0], column.type, now);
    },
  };
}

function cellOf(value: unknown, type: string, now: number): unknown {
  switch (type) {
    case 'integer':
      return isBigNumber(value) ? value : typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' || isBigNumber(value) ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date': {
      if (typeof value !== 'string') return null;
      const time = Date.parse(value);
      return Number.isNaN(time) ? '<invalid>' : humanDuration(now - time);
    }
    default:
      if (value === null || value === undefined) return '<no value>';
      if (typeof value === 'string') return value;
      return Array.isArray(value) || isObject(value) ? JSON.stringify(value) : String(value as number);
  }
}
