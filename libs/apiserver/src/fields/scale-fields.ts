import type { ManagedFields } from '../pipeline/field-management.js';
import { fieldStep } from './path-element.js';
import { difference, isEmptySet, isMember, leaf, type FieldSet } from './field-set.js';
import { decodeManagedFields, encodeManagers, type Manager } from './managed-fields.js';

const scaleVersion = 'autoscaling/v1';
const replicasOfScale = fieldAt(['spec', 'replicas']);

/** Where an object has its replicas in a version: undefined for an unknown version, null where it has none. */
export type ReplicasPath = (apiVersion: string) => readonly string[] | null | undefined;

function fieldAt(path: readonly string[]): FieldSet {
  return path.reduceRight<FieldSet>((below, name) => ({ [fieldStep(name)]: below }), leaf);
}

function owns({ fields }: Manager, path: readonly string[]): boolean {
  let node: FieldSet | undefined = fields;
  for (const name of path) node = node?.[fieldStep(name)];
  return node !== undefined && isMember(node);
}

/** The managed fields of an object's scale: of whoever owns the replicas. */
export function scaleEntries(entries: ManagedFields, pathIn: ReplicasPath): ManagedFields {
  const owners: Manager[] = [];
  for (const manager of decodeManagedFields(entries).values()) {
    const path = pathIn(manager.apiVersion);
    if (path != null && owns(manager, path)) {
      owners.push({ ...manager, apiVersion: scaleVersion, fields: replicasOfScale });
    }
  }
  return encodeManagers(owners);
}

/**
 * The managed fields of an object whose scale was written. Who updates is another manager to the scale than to the
 * object, as its version is another one: the replicas go over from the one to the other, and their time is lost.
 */
export function entriesAfterScale(
  entries: ManagedFields,
  scaleEntriesNow: ManagedFields,
  apiVersion: string,
  pathIn: ReplicasPath,
): ManagedFields {
  const before = decodeManagedFields(entries);
  const ofScale = new Map(decodeManagedFields(scaleEntriesNow));
  const out: Manager[] = [];
  for (const [identity, manager] of before) {
    const path = pathIn(manager.apiVersion);
    if (path === undefined) continue;
    if (path === null || !owns(manager, path)) out.push(manager);
    else if (ofScale.delete(identity)) out.push(manager);
    else {
      const fields = difference(manager.fields, fieldAt(path));
      if (!isEmptySet(fields)) out.push({ ...manager, fields });
    }
  }
  const here = pathIn(apiVersion) ?? [];
  for (const [identity, manager] of ofScale) {
    if (!owns(manager, ['spec', 'replicas'])) continue;
    out.push({ ...manager, apiVersion, fields: fieldAt(here), time: before.get(identity)?.time });
  }
  return encodeManagers(out);
}
