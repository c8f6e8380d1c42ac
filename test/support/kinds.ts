import { CustomResource, KubeObject, type ResourceRef, type StoredObject } from 'nestjs-operator';

type Open = Record<string, unknown>;

/** Namespaced, with a status subresource; takes any field. */
@CustomResource({ group: 'demo.example', version: 'v1', kind: 'Widget', plural: 'widgets', scope: 'Namespaced' })
export class Widget extends KubeObject<Open, Open> {}

/** The same without a status subresource. */
@CustomResource({
  group: 'demo.example',
  version: 'v1',
  kind: 'BareWidget',
  plural: 'barewidgets',
  scope: 'Namespaced',
})
export class BareWidget extends KubeObject<Open, Open> {}

/** Cluster-scoped, with a status subresource. */
@CustomResource({ group: 'demo.example', version: 'v1', kind: 'Gadget', plural: 'gadgets', scope: 'Cluster' })
export class Gadget extends KubeObject<Open, Open> {}

/** Namespaced, with a status subresource; a full schema, unknown fields are pruned. */
@CustomResource({
  group: 'demo.example',
  version: 'v1',
  kind: 'StrictWidget',
  plural: 'strictwidgets',
  scope: 'Namespaced',
})
export class StrictWidget extends KubeObject<{ size?: number; color?: string }, { seen?: number; message?: string }> {}

export const configMaps: ResourceRef<StoredObject> = { apiVersion: 'v1', kind: 'ConfigMap' };
export const secrets: ResourceRef<StoredObject> = { apiVersion: 'v1', kind: 'Secret' };
export const pods: ResourceRef<StoredObject> = { apiVersion: 'v1', kind: 'Pod' };
export const namespaces: ResourceRef<StoredObject> = { apiVersion: 'v1', kind: 'Namespace' };

interface Definition {
  readonly plural: string;
  readonly kind: string;
  readonly scope?: 'Namespaced' | 'Cluster';
  readonly status?: boolean;
  readonly schema?: object;
}

const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** A CustomResourceDefinition of the group `demo.example`. */
export function definition({ plural, kind, scope = 'Namespaced', status = true, schema = open }: Definition) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.demo.example` },
    spec: {
      group: 'demo.example',
      scope,
      names: { plural, kind, singular: kind.toLowerCase() },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          ...(status ? { subresources: { status: {} } } : {}),
          schema: { openAPIV3Schema: schema },
        },
      ],
    },
  };
}

/** The definitions of all kinds above. */
export const definitions = [
  definition({ plural: 'widgets', kind: 'Widget' }),
  definition({ plural: 'barewidgets', kind: 'BareWidget', status: false }),
  definition({ plural: 'gadgets', kind: 'Gadget', scope: 'Cluster' }),
  definition({
    plural: 'strictwidgets',
    kind: 'StrictWidget',
    schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { size: { type: 'integer' }, color: { type: 'string' } } },
        status: { type: 'object', properties: { seen: { type: 'integer' }, message: { type: 'string' } } },
      },
    },
  }),
];
