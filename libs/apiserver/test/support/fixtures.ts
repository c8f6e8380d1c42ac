import { afterEach, expect } from 'vitest';
import { startApiServer, type ApiServer, type ApiServerOptions, type JsonObject } from '../../src/index.js';

/** A definition whose schema exercises most of what a structural schema can say. */
export const widgetDefinition: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        additionalPrinterColumns: [
          { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['size'],
                properties: {
                  size: { type: 'integer', minimum: 1, maximum: 10 },
                  mode: { type: 'string', enum: ['a', 'b'] },
                  text: { type: 'string', minLength: 2, maxLength: 5, pattern: '^a.*$' },
                  list: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string' } },
                  when: { type: 'string', format: 'date-time' },
                  replicas: { type: 'integer', default: 1 },
                  port: { 'x-kubernetes-int-or-string': true },
                  any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                  map: {
                    type: 'object',
                    additionalProperties: { type: 'integer' },
                    minProperties: 1,
                    maxProperties: 2,
                  },
                  set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
                  keyed: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['k'],
                    items: {
                      type: 'object',
                      required: ['k'],
                      properties: { k: { type: 'string' }, v: { type: 'integer' } },
                    },
                  },
                  one: {
                    type: 'object',
                    properties: { p: { type: 'integer' }, q: { type: 'integer' } },
                    oneOf: [{ required: ['p'] }, { required: ['q'] }],
                  },
                  flag: { type: 'boolean' },
                  number: { type: 'number', multipleOf: 2, exclusiveMinimum: true, minimum: 2 },
                  nested: {
                    type: 'object',
                    properties: { x: { type: 'string', default: 'dx' }, n: { type: 'string', nullable: true } },
                  },
                },
              },
              status: {
                type: 'object',
                properties: { phase: { type: 'string' }, replicas: { type: 'integer' } },
              },
            },
          },
        },
      },
    ],
  },
};

export const widgets = '/apis/example.com/v1/namespaces/default/widgets';
export const configMaps = '/api/v1/namespaces/default/configmaps';

export const widget = (name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, ...(more['metadata'] as JsonObject | undefined) },
  spec: { size: 1, ...(more['spec'] as JsonObject | undefined) },
  ...(more['status'] === undefined ? {} : { status: more['status'] }),
});

export const configMap = (name: string, data?: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  ...(data === undefined ? {} : { data }),
});

const open: ApiServer[] = [];
const bugs: unknown[] = [];

/** Starts a server that the end of the test closes; an internal error of it fails the test. */
export async function server(options: ApiServerOptions = {}): Promise<ApiServer> {
  const onInternalError = (error: unknown): void => void bugs.push(error);
  const api = await startApiServer({ crds: [widgetDefinition], onInternalError, ...options });
  open.push(api);
  return api;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((api) => api.close()));
  expect(bugs.splice(0)).toEqual([]);
});
