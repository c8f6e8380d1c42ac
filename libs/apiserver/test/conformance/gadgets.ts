import type { JsonObject } from '../../src/index.js';
import { definition, share, version } from './definitions.js';
import type { Session } from './session.js';

const group = 'apply.example.com';

const text = { type: 'string' };
const integer = { type: 'integer' };

const schema: JsonObject = {
  properties: {
    spec: {
      type: 'object',
      properties: {
        name: text,
        size: integer,
        replicas: integer,
        tags: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port', 'protocol'],
          items: {
            type: 'object',
            required: ['port'],
            properties: {
              name: text,
              port: integer,
              protocol: { type: 'string', default: 'TCP' },
              options: { type: 'object', properties: { a: text, b: text } },
              hosts: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
            },
          },
        },
        plain: { type: 'array', items: text },
        steps: {
          type: 'array',
          'x-kubernetes-list-type': 'atomic',
          items: { type: 'object', properties: { name: text, run: text } },
        },
        labels: { type: 'object', additionalProperties: text },
        selector: { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'atomic' },
        reference: {
          type: 'object',
          'x-kubernetes-map-type': 'atomic',
          properties: { name: text, kind: text },
        },
        nested: {
          type: 'object',
          properties: {
            a: { type: 'string', default: 'da' },
            b: text,
            deep: { type: 'object', properties: { c: { type: 'integer', default: 3 }, d: integer } },
          },
        },
        open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        maybe: { type: 'string', nullable: true },
      },
    },
    status: {
      type: 'object',
      properties: {
        phase: text,
        replicas: integer,
        conditions: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['type'],
          items: {
            type: 'object',
            required: ['type', 'status'],
            properties: { type: text, status: text, message: text },
          },
        },
      },
    },
  },
};

const subresources = {
  status: {},
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
};

/** A kind in two versions, whose schema has each way to own a list or a map. */
const gadgets = definition(group, 'Gadget', [
  version('v1', schema, { subresources }),
  version('v2', schema, { subresources, storage: false }),
]);

/** The path of the gadgets of the case's namespace. */
export async function gadgetsOf(s: Session, servedVersion = 'v1'): Promise<string> {
  await share(s.target, gadgets);
  return `/apis/${group}/${servedVersion}/namespaces/${s.namespace}/gadgets`;
}

export const gadget = (spec: JsonObject, metadata: JsonObject = {}, servedVersion = 'v1'): JsonObject => ({
  apiVersion: `${group}/${servedVersion}`,
  kind: 'Gadget',
  metadata: { name: 'a', ...metadata },
  spec,
});
