import type { V1CustomResourceDefinition } from '@kubernetes/client-node';

export const group = 'client-node.example';

/** A custom resource with status and scale. */
export const sprocketDefinition: V1CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `sprockets.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'sprockets', singular: 'sprocket', kind: 'Sprocket' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { teeth: { type: 'integer', minimum: 3 }, replicas: { type: 'integer', _default: 1 } },
              },
              status: { type: 'object', properties: { phase: { type: 'string' }, replicas: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
};

export interface Sprocket {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string>; [more: string]: unknown };
  spec: { teeth?: number; replicas?: number };
  status?: { phase?: string; replicas?: number };
}

export const sprocket = (name: string, teeth = 3): Sprocket => ({
  apiVersion: `${group}/v1`,
  kind: 'Sprocket',
  metadata: { name },
  spec: { teeth },
});
