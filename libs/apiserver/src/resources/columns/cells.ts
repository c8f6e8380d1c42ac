import { isObject, valueAt, type JsonObject, type KubeObject } from '../../json.js';
import type { TableColumn } from '../resource-type.js';
import { age } from './human-duration.js';

type Cell = TableColumn['cell'];

/** A column; a wide one is shown on demand only. */
export const column = (name: string, cell: Cell, type = 'string'): TableColumn => ({
  name,
  type,
  format: '',
  description: '',
  priority: 0,
  cell,
});

export const wide = (name: string, cell: Cell): TableColumn => ({ ...column(name, cell), priority: 1 });

export const nameColumn: TableColumn = {
  ...column('Name', (object) => object.metadata.name ?? ''),
  format: 'name',
  description: 'What the object is called in its namespace.',
};

export const ageColumn: TableColumn = {
  ...column('Age', (object, now) => age(object.metadata.creationTimestamp, now)),
  description: 'How long ago the object was created.',
};

/** When the object was created, as a time. */
export const createdColumn: TableColumn = {
  ...column('Created At', (object) => object.metadata.creationTimestamp ?? null, 'date'),
  description: 'When the object was created.',
};

export const text = (object: unknown, ...path: string[]): string => {
  const value = valueAt(object, path);
  return typeof value === 'string' ? value : '';
};

export const number = (object: unknown, ...path: string[]): number => {
  const value = valueAt(object, path);
  return typeof value === 'number' ? value : 0;
};

/** The objects of a list. */
export function items(object: unknown, ...path: string[]): JsonObject[] {
  const value = valueAt(object, path);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The texts of a list. */
export function texts(object: unknown, ...path: string[]): string[] {
  const value = valueAt(object, path);
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** How many members an object has. */
export const size = (object: unknown, ...path: string[]): number => {
  const value = valueAt(object, path);
  return isObject(value) ? Object.keys(value).length : 0;
};

export const orNone = (value: string): string => (value === '' ? '<none>' : value);

/** The first few of many. */
export function some(all: readonly string[], most: number, separator = ','): string {
  const shown = all.slice(0, most).join(separator);
  return all.length > most ? `${shown} + ${all.length - most} more...` : shown;
}

/** A map of labels as text. */
export function labelsText(labels: unknown): string {
  if (!isObject(labels) || Object.keys(labels).length === 0) return '<none>';
  return Object.keys(labels)
    .sort()
    .map((key) => `${key}=${String(labels[key] as string)}`)
    .join(',');
}

const operators: Readonly<Record<string, string>> = { In: 'in', NotIn: 'notin' };

/** A label selector as text. */
export function selectorText(selector: unknown): string {
  if (!isObject(selector)) return '<none>';
  const { matchLabels } = selector;
  const terms: [key: string, term: string][] = Object.entries(isObject(matchLabels) ? matchLabels : {}).map(
    ([key, value]) => [key, `${key}=${String(value as string)}`],
  );
  for (const expression of items(selector, 'matchExpressions')) {
    const key = text(expression, 'key');
    const operator = text(expression, 'operator');
    const values = texts(expression, 'values').toSorted().join(',');
    const word = operators[operator];
    terms.push([key, word === undefined ? (operator === 'Exists' ? key : `!${key}`) : `${key} ${word} (${values})`]);
  }
  return orNone(
    terms
      .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([, term]) => term)
      .join(','),
  );
}

/** Names and images of the containers of a pod's specification. */
export const containerColumns = (...path: string[]): TableColumn[] => [
  wide('Containers', (object) =>
    items(object, ...path, 'containers')
      .map((container) => text(container, 'name'))
      .join(','),
  ),
  wide('Images', (object) =>
    items(object, ...path, 'containers')
      .map((container) => text(container, 'image'))
      .join(','),
  ),
];

/** The phase of an object, or that it is being deleted. */
export const phaseText = (object: KubeObject): string =>
  object.metadata.deletionTimestamp === undefined ? text(object, 'status', 'phase') : 'Terminating';
