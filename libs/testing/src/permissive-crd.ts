import type { JsonObject } from '@nestjs-operator/apiserver';
import { RESOURCE_KEY } from 'nestjs-operator/internal';

/** A CustomResourceDefinition as an object, as YAML text, or a `@CustomResource` class, for which an open one is made. */
export type CrdSource = JsonObject | string | (abstract new (...args: never[]) => unknown);

interface ClassResource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly scope?: 'Namespaced' | 'Cluster';
}

/** What the API server is given for a source: a class becomes a definition with a status subresource that takes any field. */
export function crdFrom(source: CrdSource): JsonObject | string {
  if (typeof source !== 'function') return source;
  const resource = (source as unknown as Record<symbol, ClassResource | undefined>)[RESOURCE_KEY];
  if (resource === undefined) {
    throw new Error(
      `${source.name} is no resource: decorate it with @CustomResource, or give its CustomResourceDefinition.`,
    );
  }
  const { group, version, plural, kind, singular, shortNames, scope } = resource;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: scope ?? 'Namespaced',
      names: {
        plural,
        kind,
        singular: singular ?? kind.toLowerCase(),
        ...(shortNames === undefined ? {} : { shortNames }),
      },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  };
}
