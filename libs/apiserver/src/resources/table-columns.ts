import { isObject, valueAt, type KubeObject } from '../json.js';
import { evaluatePath } from './simple-json-path.js';
import type { TableColumn } from './resource-type.js';

export const nameColumn: TableColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name must be unique within a namespace.',
  priority: 0,
  cell: (object) => object.metadata.name ?? '',
};

export const ageColumn: TableColumn = {
  name: 'Age',
  type: 'string',
  format: '',
  description: 'Time since the object was created.',
  priority: 0,
  cell: (object, now) => age(object.metadata.creationTimestamp, now),
};

/**
 * A column of a built-in resource: a path, `age:` and a path to a time, `count:` and the name of a list, or `event:` for
 * the object that an event is about.
 */
export function pathColumn(name: string, path: string): TableColumn {
  return {
    name,
    type: 'string',
    format: '',
    description: '',
    priority: 0,
    cell: (object, now) => {
      if (path === 'event:') return eventSubject(object);
      if (path.startsWith('count:')) {
        const list = object[path.slice('count:'.length)];
        return Array.isArray(list) ? list.length : 0;
      }
      if (path.startsWith('age:')) {
        return age(
          evaluatePath(object, path.slice(4))[0] ?? object['eventTime'] ?? object.metadata.creationTimestamp,
          now,
        );
      }
      return printable(evaluatePath(object, path)[0]) ?? '';
    },
  };
}

function eventSubject(object: KubeObject): string {
  const part = (name: string): string =>
    printable(valueAt(object, ['involvedObject', name]) ?? valueAt(object, ['regarding', name])) ?? '';
  return `${part('kind').toLowerCase()}/${part('name')}`;
}

/** A column of a CustomResourceDefinition's `additionalPrinterColumns`. */
export function printerColumn(spec: {
  name: string;
  type: string;
  jsonPath: string;
  format?: string;
  description?: string;
  priority?: number;
}): TableColumn {
  return {
    name: spec.name,
    type: spec.type,
    format: spec.format ?? '',
    description: spec.description ?? `Custom resource definition column (in JSONPath format): ${spec.jsonPath}`,
    priority: spec.priority ?? 0,
    cell: (object, now) => {
      const value = evaluatePath(object, spec.jsonPath)[0];
      if (value === undefined || value === null) return null;
      switch (spec.type) {
        case 'integer':
          return typeof value === 'number' ? Math.trunc(value) : null;
        case 'number':
          return typeof value === 'number' ? value : null;
        case 'boolean':
          return typeof value === 'boolean' ? value : null;
        case 'date':
          return age(value, now);
        default:
          return printable(value);
      }
    },
  };
}

const printable = (value: unknown): string | undefined =>
  value === undefined
    ? undefined
    : typeof value === 'string'
      ? value
      : Array.isArray(value) || isObject(value)
        ? JSON.stringify(value)
        : String(value as number);

function age(value: unknown, now: number): string {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? '<unknown>' : humanDuration(now - time);
}

/** A duration as kubectl prints it: two units at most, the smaller one only while it matters. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m${seconds % 60}s`;
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`;
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 192) return hours % 24 === 0 ? `${days}d` : `${days}d${hours % 24}h`;
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return years < 8 && days % 365 !== 0 ? `${years}y${days % 365}d` : `${years}y`;
}
