import type { ManagedType } from '../pipeline/field-management.js';
import { emptySet, leaf, type FieldSet } from './field-set.js';

const status: FieldSet = { 'f:status': leaf };
const spec: FieldSet = { 'f:spec': leaf };
const allButStatus: FieldSet = { 'f:metadata': leaf, 'f:spec': leaf };

/** What the status of some built-in types leaves alone beside the spec. */
const alsoKept: Readonly<Record<string, FieldSet>> = {
  'apps/deployments': { 'f:metadata': { 'f:labels': leaf }, 'f:spec': leaf },
  '/pods': { 'f:metadata': { 'f:deletionTimestamp': leaf, 'f:ownerReferences': leaf }, 'f:spec': leaf },
};

/** The fields that a request cannot change, so that nobody owns them for having sent them. */
export function ignoredFields(type: ManagedType, subresource: string | undefined): FieldSet {
  switch (subresource) {
    case undefined:
      return type.status ? status : emptySet;
    case 'status':
      return type.custom === undefined ? (alsoKept[type.storage] ?? spec) : allButStatus;
    case 'finalize':
      return status;
    default:
      return emptySet;
  }
}

/** What nobody owns. */
export const neverOwned: FieldSet = {
  'f:apiVersion': leaf,
  'f:kind': leaf,
  'f:metadata': {
    '.': leaf,
    'f:clusterName': leaf,
    'f:creationTimestamp': leaf,
    'f:generation': leaf,
    'f:managedFields': leaf,
    'f:name': leaf,
    'f:namespace': leaf,
    'f:resourceVersion': leaf,
    'f:selfLink': leaf,
    'f:uid': leaf,
  },
};
