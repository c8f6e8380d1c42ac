import { canonical, isObject } from '../../json.js';
import type { StatusCause } from '../../status.js';
import { childSchema } from '../pruning.js';
import type { Schema } from '../schema.js';
import { memberPath, type SchemaCauses } from './schema-causes.js';

/** Lists that are sets or maps must not hold an item twice. */
export function listTypeCauses(value: unknown, schema: Schema, path: string, say: SchemaCauses): StatusCause[] {
  const causes: StatusCause[] = [];
  visit(value, schema, path, say, causes);
  return causes;
}

function visit(value: unknown, schema: Schema, path: string, say: SchemaCauses, causes: StatusCause[]): void {
  if (Array.isArray(value)) {
    const kind = schema['x-kubernetes-list-type'];
    if (kind === 'set') checkItems(value, (item) => item, path, say, causes);
    else if (kind === 'map') {
      const keys = schema['x-kubernetes-list-map-keys'] ?? [];
      checkItems(
        value,
        (item, at) => {
          if (isObject(item)) {
            return Object.fromEntries(keys.filter((key) => Object.hasOwn(item, key)).map((key) => [key, item[key]]));
          }
          causes.push(say.invalid(at, item, 'must be an object for an array of list-type map'));
          return undefined;
        },
        path,
        say,
        causes,
      );
    }
    const { items } = schema;
    if (items === undefined) return;
    value.forEach((item: unknown, index) => visit(item, items, `${path}[${index}]`, say, causes));
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const child = childSchema(schema, key);
      if (child !== undefined) visit(value[key], child, memberPath(schema, path, key), say, causes);
    }
  }
}

/** Each identity is told of once, however often it comes. */
function checkItems(
  items: readonly unknown[],
  identityOf: (item: unknown, path: string) => unknown,
  path: string,
  say: SchemaCauses,
  causes: StatusCause[],
): void {
  const seen = new Map<string, number>();
  items.forEach((item, index) => {
    const at = `${path}[${index}]`;
    const identity = identityOf(item, at);
    if (identity === undefined) return;
    const token = JSON.stringify(canonical(identity));
    const times = (seen.get(token) ?? 0) + 1;
    seen.set(token, times);
    if (times === 2) causes.push(say.duplicate(at, identity));
  });
}
