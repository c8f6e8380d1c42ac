import type { V1CustomResourceDefinition } from '@kubernetes/client-node';

const open = { type: 'object', x_kubernetes_preserve_unknown_fields: true } as const;

/** The resource that the operator serves; what Kopf keeps in the status is left to it. */
export const claimDefinition: V1CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'ephemeralvolumeclaims.kopf.example' },
  spec: {
    group: 'kopf.example',
    scope: 'Namespaced',
    names: { plural: 'ephemeralvolumeclaims', singular: 'ephemeralvolumeclaim', kind: 'EphemeralVolumeClaim' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } },
      },
    ],
  },
};
