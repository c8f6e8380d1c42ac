const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** The resource of the comparison: with a status subresource that takes any field, as Kopf's examples have it. */
export const specimenDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'specimens.sidebyside.example' },
  spec: {
    group: 'sidebyside.example',
    scope: 'Namespaced',
    names: { plural: 'specimens', singular: 'specimen', kind: 'Specimen' },
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
