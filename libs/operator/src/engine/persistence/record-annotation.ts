import { createHash } from 'node:crypto';
import type { StoredObject } from '../kube-object.js';

/** The name part of every record starts with this, so that operators of this framework know each other's records. */
const marker = 'nestjs-operator.';
const longestName = 63;
const annotationsLimit = 256 * 1024;
/** Left to others, so that our record never makes somebody else's annotation the one too many. */
const reserve = 16 * 1024;
export const largestRecord = 64 * 1024;
/** Annotations of a Pod become labels of its containers, with a limit of 4 KiB in some runtimes. */
const largestRecordOnPods = 2 * 1024;
const smallestBudget = 512;

/** The annotation that holds the record of an operator on objects of one resource. */
export function recordAnnotation(operator: string, plural: string): string {
  const name = marker + plural;
  if (name.length <= longestName) return `${operator}/${name}`;
  const hash = createHash('sha256').update(plural).digest('hex').slice(0, 8);
  return `${operator}/${name.slice(0, longestName - 9)}-${hash}`;
}

/** Whether an annotation is the record of any operator of this framework, whatever its domain. */
export function isRecordAnnotation(name: string): boolean {
  return name.startsWith(marker, name.indexOf('/') + 1);
}

/** Bytes that the record may take on this object; 0 when there is no room for it. */
export function recordBudget(object: StoredObject, annotation: string, plural: string): number {
  let used = 0;
  for (const [name, value] of Object.entries(object.metadata.annotations ?? {})) {
    if (name !== annotation) used += Buffer.byteLength(name) + Buffer.byteLength(value);
  }
  const free = annotationsLimit - used - annotation.length;
  if (free < smallestBudget) return 0;
  const isPod = plural === 'pods' && object.apiVersion === 'v1';
  return Math.min(isPod ? largestRecordOnPods : largestRecord, Math.max(free - reserve, smallestBudget));
}
