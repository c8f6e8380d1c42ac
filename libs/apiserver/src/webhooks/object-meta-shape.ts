import type { GoMember, GoStruct } from './go-shape.js';

const text: GoMember = { type: 'string', json: 'string' };
const uid: GoMember = { type: 'types.UID', json: 'string' };
const flag: GoMember = { type: 'bool', json: 'boolean' };
const number: GoMember = { type: 'int64', json: 'number' };
const time: GoMember = { type: 'v1.Time', json: 'string' };
const texts: GoMember = { type: 'map[string]string', values: text };

const ownerReference: GoStruct = {
  name: 'OwnerReference',
  members: { apiVersion: text, kind: text, name: text, uid, controller: flag, blockOwnerDeletion: flag },
};

/** The metadata of an object, as Go knows it. */
export const objectMeta: GoStruct = {
  name: 'ObjectMeta',
  members: {
    name: text,
    generateName: text,
    namespace: text,
    selfLink: text,
    uid,
    resourceVersion: text,
    generation: number,
    creationTimestamp: time,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: number,
    labels: texts,
    annotations: texts,
    finalizers: { type: '[]string', items: text },
    ownerReferences: {
      type: '[]v1.OwnerReference',
      items: { type: 'v1.OwnerReference', struct: ownerReference },
    },
    managedFields: { type: '[]v1.ManagedFieldsEntry', items: { type: 'v1.ManagedFieldsEntry', json: 'any' } },
  },
};
