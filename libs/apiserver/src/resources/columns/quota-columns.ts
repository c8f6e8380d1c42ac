import { isObject, valueAt, type KubeObject } from '../../json.js';
import type { TableColumn } from '../resource-type.js';
import { ageColumn, column, nameColumn } from './cells.js';

/** What is used of what a quota allows, of limits or of all else. */
function usage(quota: KubeObject, limits: boolean): string {
  const hard = valueAt(quota, ['status', 'hard']);
  const used = valueAt(quota, ['status', 'used']);
  if (!isObject(hard)) return '';
  return Object.keys(hard)
    .sort()
    .filter((name) => name.startsWith('limits.') === limits)
    .map(
      (name) =>
        `${name}: ${isObject(used) ? String((used[name] as string | undefined) ?? '0') : '0'}/${String(hard[name] as string)}`,
    )
    .join(', ');
}

export const quotaColumns: readonly TableColumn[] = [
  nameColumn,
  column('Request', (quota) => usage(quota, false)),
  column('Limit', (quota) => usage(quota, true)),
  ageColumn,
];
