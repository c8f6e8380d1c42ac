import { isObject } from '../../json.js';
import type { Schema } from '../../custom/schema.js';

/** One step of a path: a property, or a member of a map. */
interface Step {
  readonly name: string;
  readonly isMember: boolean;
}

/**
 * Reads the path that a rule blames, such as `.spec['a b']`, by the schema that the rule belongs to.
 * Answers what is put behind the path of the value, or undefined where the path leads nowhere.
 */
export function parseFieldPath(path: string, schema: Schema): string | undefined {
  const names = splitPath(path);
  if (names === undefined) return undefined;
  const steps: Step[] = [];
  let current: Schema | undefined = schema;
  for (const name of names) {
    const next: { schema: Schema; isMember: boolean } | undefined =
      current === undefined ? undefined : childOf(current, name);
    if (next === undefined) return undefined;
    steps.push({ name, isMember: next.isMember });
    current = next.schema;
  }
  return steps.map(({ name, isMember }, index) => (isMember ? `[${name}]` : index === 0 ? name : `.${name}`)).join('');
}

function childOf(schema: Schema, name: string): { schema: Schema; isMember: boolean } | undefined {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, name)) {
    return { schema: properties[name]!, isMember: false };
  }
  return isObject(additionalProperties) ? { schema: additionalProperties as Schema, isMember: true } : undefined;
}

/** Names behind dots, or in quotes and brackets. */
function splitPath(path: string): string[] | undefined {
  const names: string[] = [];
  const part = /\.([^.[\]]+)|\['((?:[^'\\]|\\['\\])*)'\]/y;
  while (part.lastIndex < path.length) {
    const match = part.exec(path);
    if (match === null) return undefined;
    names.push(match[1] ?? match[2]!.replaceAll(/\\(.)/gs, '$1'));
  }
  return names.length === 0 ? undefined : names;
}
