import type { V1CustomResourceDefinition, V1ObjectMeta } from '@kubernetes/client-node';

export const siteDefinition: V1CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'sites.manager.example' },
  spec: {
    group: 'manager.example',
    scope: 'Namespaced',
    names: { plural: 'sites', singular: 'site', kind: 'Site' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['image'],
                properties: { image: { type: 'string' }, copies: { type: 'integer', _default: 1 } },
              },
              status: {
                type: 'object',
                properties: {
                  observedGeneration: { type: 'integer' },
                  running: { type: 'integer' },
                  conditions: {
                    type: 'array',
                    x_kubernetes_list_type: 'map',
                    x_kubernetes_list_map_keys: ['type'],
                    items: {
                      type: 'object',
                      required: ['type', 'status', 'reason', 'message', 'lastTransitionTime'],
                      properties: {
                        type: { type: 'string' },
                        status: { type: 'string', _enum: ['True', 'False', 'Unknown'] },
                        reason: { type: 'string' },
                        message: { type: 'string' },
                        lastTransitionTime: { type: 'string', format: 'date-time' },
                        observedGeneration: { type: 'integer' },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};

export interface Site {
  metadata: V1ObjectMeta;
  spec: { image: string; copies: number };
  status?: { observedGeneration?: number; running?: number; conditions?: { type: string; status: string }[] };
}
