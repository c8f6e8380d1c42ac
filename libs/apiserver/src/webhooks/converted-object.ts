import { isBigNumber, isObject, type JsonObject, type KubeObject } from '../json.js';
import { keyCauses, labelValueCauses } from '../pipeline/metadata-validation.js';
import { goType } from '../pipeline/type-meta.js';
import { errors, type StatusCause } from '../status.js';

const changeable = ['labels', 'annotations'] as const;

/**
 * Makes sure that what a conversion webhook answered is the same object in the version asked for, and gives it the
 * metadata of the original but for labels and annotations. Throws 500; `webhook` begins the messages.
 */
export function convertedObject(
  converted: unknown,
  original: KubeObject,
  apiVersion: string,
  index: number,
  webhook: string,
): KubeObject {
  const fail = (why: string): never => {
    throw errors.plain(`${webhook} ${why}`);
  };
  if (converted === null) throw errors.plain('unexpected end of JSON input');
  if (!isObject(converted)) {
    throw errors.plain(
      `json: cannot unmarshal ${isBigNumber(converted) ? 'number' : goType(converted)} into Go value of type map[string]interface {}`,
    );
  }
  const { kind = '', apiVersion: version = '' } = converted;
  if (kind === '') throw errors.plain(`Object 'Kind' is missing in '${JSON.stringify(converted)}'`);
  if (version !== apiVersion) {
    fail(
      `returned invalid object at index ${index}: invalid groupVersion (expected ${apiVersion}, received ${shown(version)})`,
    );
  }
  if (kind !== original.kind) {
    fail(
      `returned invalid object at index ${index}: invalid kind (expected ${original.kind}, received ${shown(kind)})`,
    );
  }
  const given: unknown = converted['metadata'];
  const metadata = isObject(given) ? given : {};
  for (const [field, name] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const) {
    const [before, after] = [original.metadata[field] ?? '', shown(metadata[field] ?? '')];
    if (before !== after) fail(`returned invalid object: must have the same ${name}: ${before} != ${after}`);
  }
  return { ...converted, metadata: restored(metadata, original, fail) } as KubeObject;
}

function restored(given: JsonObject, original: KubeObject, fail: (why: string) => never): KubeObject['metadata'] {
  const metadata: JsonObject = { ...original.metadata };
  for (const field of changeable) {
    const map = given[field];
    if (map === undefined || map === null) {
      delete metadata[field];
      continue;
    }
    if (!isObject(map)) {
      return fail(`returned invalid metadata: invalid metadata.${field} of type ${goName(map)} in converted object`);
    }
    for (const [key, value] of Object.entries(map)) {
      if (typeof value === 'string') continue;
      fail(
        `returned invalid metadata: metadata.${field}[${key}] must be a string, but is ${goName(value)} in converted object`,
      );
    }
    const causes = causesOf(field, map as Record<string, string>, original.metadata[field] ?? {});
    if (causes.length > 0) {
      const lines = causes.map((cause) => `${cause.field}: ${cause.message}`);
      fail(`returned invalid metadata: ${lines.length === 1 ? lines[0] : `[${lines.join(', ')}]`}`);
    }
    metadata[field] = map;
  }
  return metadata as KubeObject['metadata'];
}

/** What was there before is not looked at again. */
function causesOf(
  field: (typeof changeable)[number],
  map: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>>,
): StatusCause[] {
  const entries = Object.entries(map);
  const same = Object.keys(before).length === entries.length && entries.every(([key, value]) => before[key] === value);
  if (same) return [];
  const path = `metadata.${field}`;
  return entries.flatMap(([key, value]) =>
    field === 'labels'
      ? [...keyCauses(key, path), ...labelValueCauses(value, path)]
      : keyCauses(key.toLowerCase(), path, key),
  );
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The type that Go gives to a value of JSON. */
function goName(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  if (value === null) return '<nil>';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : isBigNumber(value) ? 'int64' : 'string';
}
