import { union } from './field-set.js';
import { identityOf, seconds, type Manager, type Managers } from './managed-fields.js';

/** How many managers that update an object may have; those who apply are not counted. */
const mostUpdaters = 10;

/**
 * Merges the managers whose updates are the oldest, per version, into one called `ancient-changes`, until no more are
 * left than an object may have.
 */
export function limitUpdaters(managers: Managers): Managers {
  let count = 0;
  for (const { operation } of managers.values()) if (operation === 'Update') count++;
  if (count <= mostUpdaters) return managers;
  const out = new Map(managers);
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update').sort(byAge);
  const first = new Map<string, string>();
  for (const [identity, manager] of updaters) {
    if (count <= mostUpdaters) break;
    const { apiVersion } = manager;
    const oldest = first.get(apiVersion);
    if (oldest === undefined) {
      first.set(apiVersion, identity);
      continue;
    }
    const bucket: Manager = {
      name: 'ancient-changes',
      operation: 'Update',
      apiVersion,
      subresource: '',
      time: manager.time,
      fields: manager.fields,
    };
    const target = identityOf(bucket);
    const before = out.get(target) ?? out.get(oldest)!;
    if (!out.has(target)) out.delete(oldest);
    out.set(target, { ...bucket, fields: union(manager.fields, before.fields) });
    out.delete(identity);
    count--;
  }
  return out;
}

function byAge([a, left]: [string, Manager], [b, right]: [string, Manager]): number {
  return seconds(left) - seconds(right) || (a < b ? -1 : 1);
}
