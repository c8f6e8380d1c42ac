import { ownValue } from '../json/own-property.js';
import type { StoredObject } from '../kube-object.js';

/** The member of `status` under which operators of this framework keep records: one text per operator, by its name. */
export const recordField = 'nestjsOperator';

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The record that an object's status holds under this operator's name. */
export function recordInStatus(object: StoredObject, operator: string): string | undefined {
  const status = object['status'];
  const records = isFields(status) ? ownValue(status, recordField) : undefined;
  const text = isFields(records) ? ownValue(records, operator) : undefined;
  return typeof text === 'string' ? text : undefined;
}

/** A merge of the status that sets (or, with null, removes) records by the names of operators. */
export function statusWithRecords(records: Readonly<Record<string, string | null>>): Fields {
  return { [recordField]: records };
}

/** The object without what operators of this framework keep in its status. The object itself when there is nothing. */
export function withoutStatusRecords(object: StoredObject): StoredObject {
  const status = object['status'];
  if (!isFields(status) || !Object.hasOwn(status, recordField)) return object;
  const { [recordField]: _records, ...kept } = status;
  return { ...object, status: kept };
}
