/** Where `@CustomResource` leaves what it knows, as a static property. */
const resourceKey: unique symbol = Symbol.for('nestjs-operator.resource');

/** A class that describes a custom resource and carries the type of its objects. */
export type ResourceClass<T = unknown> = abstract new (...args: never[]) => T;

/**
 * How a resource is named: by a `@CustomResource` class, by its parts, or by apiVersion and kind as in a manifest.
 * Group and version may be left out of the parts: discovery then finds them. With group, version and `namespaced`, or
 * with a class, nothing has to be discovered.
 */
export type ResourceRef<T = unknown> =
  | ResourceClass<T>
  | {
      readonly plural: string;
      /** Absent: any group (the core group, which is the empty text, wins). */
      readonly group?: string;
      /** Absent: the server's preferred version. */
      readonly version?: string;
      readonly namespaced?: boolean;
    }
  | { readonly apiVersion: string; readonly kind: string };

/** What a class carries. */
interface ClassInfo {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly scope: 'Namespaced' | 'Cluster';
}

/** Of this very class: a subclass is another resource, or none. */
export function classInfo(target: ResourceClass): ClassInfo | undefined {
  if (!Object.hasOwn(target, resourceKey)) return undefined;
  return (target as unknown as Record<typeof resourceKey, ClassInfo>)[resourceKey];
}
