import { isObject, type JsonObject } from '../json.js';
import { canonicalStep, jsonText } from './path-element.js';
import { emptySet, isEmptySet, leaf, nodeOf, type FieldSet } from './field-set.js';

export type Operation = 'Apply' | 'Update';

/** Somebody who owns fields, and which. */
export interface Manager {
  /** Absent where a client wrote managed fields without a name. */
  readonly name: string | undefined;
  readonly operation: Operation;
  readonly apiVersion: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** When the set last changed, in seconds; undefined where nobody knows. */
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

/** The managers of an object by {@link identityOf}. Never changed. */
export type Managers = ReadonlyMap<string, Manager>;

export const noManagers: Managers = new Map();

/**
 * What makes two entries those of one manager, as the JSON that the real server orders managers by. Who applies is the
 * same in every version.
 */
export function identityOf({ name, operation, apiVersion, subresource }: Omit<Manager, 'time' | 'fields'>): string {
  const version = operation === 'Apply' ? '' : apiVersion;
  const parts = [
    part('manager', name ?? ''),
    part('operation', operation),
    part('apiVersion', version),
    part('subresource', subresource),
  ];
  return `{${parts.filter((text) => text !== '').join(',')}}`;
}

const part = (key: string, value: string): string => (value === '' ? '' : `"${key}":${jsonText(value)}`);

/** Managed fields that cannot be read. */
export class ManagedFieldsError extends Error {
  override name = 'ManagedFieldsError';
}

const decoded = new WeakMap<object, Managers>();

/** Reads `metadata.managedFields`. Throws {@link ManagedFieldsError}. */
export function decodeManagedFields(entries: unknown): Managers {
  if (!Array.isArray(entries)) return noManagers;
  let managers = decoded.get(entries);
  if (managers === undefined) {
    managers = decode(entries);
    decoded.set(entries, managers);
  }
  return managers;
}

function decode(entries: readonly unknown[]): Managers {
  const managers = new Map<string, Manager>();
  entries.forEach((entry, index) => {
    const given: JsonObject = isObject(entry) ? entry : {};
    const text = (key: string): string => (typeof given[key] === 'string' ? given[key] : '');
    const operation = text('operation');
    if (operation !== 'Apply' && operation !== 'Update') {
      throw new ManagedFieldsError('operation must be `Apply` or `Update`');
    }
    if (text('apiVersion') === '') throw new ManagedFieldsError('apiVersion must not be empty');
    const fieldsType = text('fieldsType');
    if (fieldsType === '') throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`);
    if (fieldsType !== 'FieldsV1') {
      throw new ManagedFieldsError(`invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${index}`);
    }
    const manager: Manager = {
      name: text('manager') === '' ? undefined : text('manager'),
      operation,
      apiVersion: text('apiVersion'),
      subresource: text('subresource'),
      time: text('time') === '' ? undefined : text('time'),
      fields: decodeFieldsV1(given['fieldsV1']),
    };
    managers.set(identityOf(manager), manager);
  });
  return managers;
}

/** Reads a FieldsV1 document, however it is written. Throws {@link ManagedFieldsError}. */
export function decodeFieldsV1(document: unknown): FieldSet {
  if (document === undefined || document === null) return emptySet;
  if (!isObject(document)) throw new ManagedFieldsError('fieldsV1 is no object');
  try {
    const { steps } = decodeNode(document);
    return nodeOf(false, steps) ?? emptySet;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ManagedFieldsError(error.message, { cause: error });
  }
}

function decodeNode(node: JsonObject): { member: boolean; steps: [string, FieldSet][] } {
  let member = false;
  const steps: [string, FieldSet][] = [];
  for (const key of Object.keys(node)) {
    if (key === '.') {
      member = true;
      continue;
    }
    const step = canonicalStep(key);
    if (step === undefined) continue;
    const value = node[key];
    if (value === null) {
      steps.push([step, leaf]);
      continue;
    }
    if (!isObject(value)) throw new SyntaxError(`what is below ${step} is no object`);
    const below = decodeNode(value);
    steps.push([step, nodeOf(below.member || below.steps.length === 0, below.steps)!]);
  }
  return { member, steps };
}

/** Writes managers as `metadata.managedFields`, in the real server's order; undefined where there are none. */
export function encodeManagers(managers: Iterable<Manager>): readonly JsonObject[] | undefined {
  const sorted = [...managers].sort(compareManagers);
  if (sorted.length === 0) return undefined;
  // Frozen, so that the store takes it as it is: what is never copied is also never read again.
  const entries = Object.freeze(sorted.map(encodeManager));
  const known = new Map(sorted.map((manager) => [identityOf(manager), manager]));
  if (known.size === sorted.length) decoded.set(entries, known);
  return entries;
}

function encodeManager({ name, operation, apiVersion, subresource, time, fields }: Manager): JsonObject {
  return Object.freeze({
    apiVersion,
    fieldsType: 'FieldsV1',
    fieldsV1: fields,
    ...(name === undefined ? {} : { manager: name }),
    operation,
    ...(subresource === '' ? {} : { subresource }),
    ...(time === undefined ? {} : { time }),
  });
}

/** Those who apply first, then by time, and what is equal by name, version and subresource. */
function compareManagers(a: Manager, b: Manager): number {
  return (
    compare(a.operation, b.operation) ||
    seconds(a) - seconds(b) ||
    compare(a.name ?? '', b.name ?? '') ||
    compare(a.apiVersion, b.apiVersion) ||
    compare(a.subresource, b.subresource)
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Seconds since 1970; 0 where there is no time. */
export const seconds = ({ time }: Manager): number => (time === undefined ? 0 : Math.floor(Date.parse(time) / 1000));

/** Whether two lists of managers differ in nothing but times. */
export function sameButTimes(a: Managers, b: Managers): boolean {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  for (const [identity, manager] of a) {
    const other = b.get(identity);
    if (other === undefined || other.apiVersion !== manager.apiVersion) return false;
    if (other.fields !== manager.fields && !sameFields(manager.fields, other.fields)) return false;
  }
  return true;
}

function sameFields(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  const steps = Object.keys(a);
  return steps.length === Object.keys(b).length && steps.every((step) => step in b && sameFields(a[step]!, b[step]!));
}

/** Managers without those who own nothing. */
export function withoutIdle(managers: Managers): Managers {
  let some = false;
  for (const { fields } of managers.values()) some ||= isEmptySet(fields);
  return some ? new Map([...managers].filter(([, { fields }]) => !isEmptySet(fields))) : managers;
}
