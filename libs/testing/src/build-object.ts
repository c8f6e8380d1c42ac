import { createHash } from 'node:crypto';
import type { ObjectMeta, ResourceRef, StoredObject } from 'nestjs-operator';
import { RESOURCE_KEY } from 'nestjs-operator/internal';

/** What a test says of an object; the rest is filled in. */
export type ObjectFields<T> = Partial<Omit<T, 'apiVersion' | 'kind' | 'metadata'>> & {
  readonly metadata?: Partial<ObjectMeta>;
};

interface KindInfo {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/**
 * An object as a server would have stored it, for tests without one: of a `@CustomResource` class, or of a built-in kind by its
 * apiVersion and kind (`buildObject<Stored<V1ConfigMap>>({ apiVersion: 'v1', kind: 'ConfigMap' }, …)`).
 *
 * Name (the kind in small letters), namespace (`default`, unless the class is cluster-scoped or `metadata.namespace` says
 * `undefined`), uid (the same for the same identity), resourceVersion, generation and creationTimestamp are set where they are
 * not given.
 *
 * @throws TypeError when the resource is named by its plural, which does not tell the kind, or by an undecorated class
 */
export function buildObject<T = StoredObject>(resource: ResourceRef<T>, fields: ObjectFields<T> = {}): T {
  const { apiVersion, kind, namespaced } = kindOf(resource);
  const given = fields.metadata ?? {};
  const name = given.name ?? kind.toLowerCase();
  const namespace = 'namespace' in given ? given.namespace : namespaced ? 'default' : undefined;
  const metadata = withoutUndefined({
    uid: uidOf(`${apiVersion} ${kind} ${namespace ?? ''} ${name}`),
    resourceVersion: '1',
    generation: 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
    ...given,
    name,
    namespace,
  });
  return { ...fields, apiVersion, kind, metadata } as T;
}

function kindOf(resource: ResourceRef): KindInfo {
  if (typeof resource === 'function') {
    const info = (resource as unknown as Record<symbol, ClassInfo | undefined>)[RESOURCE_KEY];
    if (info === undefined || !Object.hasOwn(resource, RESOURCE_KEY)) {
      throw new TypeError(`${resource.name} is no resource: decorate it with @CustomResource.`);
    }
    const { group, version, kind, scope } = info;
    return { apiVersion: `${group}/${version}`, kind, namespaced: scope === 'Namespaced' };
  }
  if ('kind' in resource) return { ...resource, namespaced: true };
  throw new TypeError(`"${resource.plural}" does not tell the kind of an object: give apiVersion and kind.`);
}

interface ClassInfo {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly scope: 'Namespaced' | 'Cluster';
}

/** A reference to an owner, as `metadata.ownerReferences` holds it; the owner is its controller unless `more` says otherwise. */
export function ownerReferenceTo(
  owner: { readonly apiVersion: string; readonly kind: string; readonly metadata: Pick<ObjectMeta, 'name' | 'uid'> },
  more: { readonly controller?: boolean; readonly blockOwnerDeletion?: boolean } = {},
): NonNullable<ObjectMeta['ownerReferences']>[number] {
  const { apiVersion, kind, metadata } = owner;
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true, ...more };
}

function uidOf(identity: string): string {
  const hex = createHash('sha256').update(identity).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

function withoutUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
