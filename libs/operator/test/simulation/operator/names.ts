/** The operator under simulation. */
export const operatorName = 'op.sim.example';
export const finalizer = `${operatorName}/finalizer`;
export const recordAnnotation = `${operatorName}/nestjs-operator.widgets`;

export const widgets = { group: 'sim.example', version: 'v1', plural: 'widgets' };
export const gadgets = { group: 'sim.example', version: 'v1', plural: 'gadgets' };
export const widgetType = { apiVersion: 'sim.example/v1', kind: 'Widget' };
export const gadgetType = { apiVersion: 'sim.example/v1', kind: 'Gadget' };
export const widgetStorage = 'sim.example/widgets';

function definition(plural: string, singular: string, kind: string): Record<string, unknown> {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.sim.example` },
    spec: {
      group: 'sim.example',
      scope: 'Namespaced',
      names: { plural, singular, kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          subresources: { status: {} },
        },
      ],
    },
  };
}

export const namespaces = ['default', 'other'];

/** What the cluster begins with. */
export const firstObjects: ReadonlyArray<Record<string, unknown>> = [
  ...namespaces.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
  definition('widgets', 'widget', 'Widget'),
  definition('gadgets', 'gadget', 'Gadget'),
];
