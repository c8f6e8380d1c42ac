import type { ObjectMeta, OwnerReference } from '../engine/kube-object.js';

/** A manifest of a child. */
export interface ChildManifest {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: {
    readonly name?: string;
    readonly generateName?: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly OwnerReference[];
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

/** An object that has children, such as `ctx.object`. */
export interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Pick<ObjectMeta, 'name' | 'namespace' | 'uid' | 'labels'>;
}

/** How a child is adopted. */
export interface AdoptOptions {
  /**
   * The owner manages the child: only one owner may.
   * @defaultValue true
   */
  readonly controller?: boolean;
  /**
   * With foreground deletion the owner waits until the child is gone. Needs the right to update the owner's finalizers where
   * the server checks it.
   * @defaultValue false
   */
  readonly blockOwnerDeletion?: boolean;
  /** Labels of the owner that the child takes over: all, none, or these. @defaultValue 'all' */
  readonly labels?: 'all' | 'none' | readonly string[];
}

/**
 * A child as its owner's: with an owner reference, the owner's namespace and labels, and a name that begins with the owner's
 * where it has none. What the manifest says itself stays. The child goes when its owner goes.
 *
 * @throws RangeError when the child is said to be in another namespace, where the server would collect it at once
 */
export function adopt<C extends ChildManifest>(
  owner: Owner,
  child: C,
  { controller = true, blockOwnerDeletion = false, labels = 'all' }: AdoptOptions = {},
): C & { readonly metadata: NonNullable<ChildManifest['metadata']> } {
  const { name, namespace, uid, labels: ownLabels = {} } = owner.metadata;
  const metadata = child.metadata ?? {};
  if (namespace !== undefined && metadata.namespace !== undefined && metadata.namespace !== namespace) {
    throw new RangeError(
      `A child in namespace ${metadata.namespace} cannot be owned by ${owner.kind} ${namespace}/${name}: owners are looked ` +
        'for in the namespace of what they own. Leave the namespace out, or mark the child in another way.',
    );
  }
  const reference: OwnerReference = {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name,
    uid,
    ...(controller ? { controller } : {}),
    ...(blockOwnerDeletion ? { blockOwnerDeletion } : {}),
  };
  const taken =
    labels === 'all'
      ? ownLabels
      : Object.fromEntries(Object.entries(ownLabels).filter(([key]) => labels !== 'none' && labels.includes(key)));
  const allLabels = { ...taken, ...metadata.labels };
  const others = (metadata.ownerReferences ?? []).filter((other) => other.uid !== uid);
  return {
    ...child,
    metadata: {
      ...metadata,
      ...(metadata.name === undefined && metadata.generateName === undefined ? { generateName: `${name}-` } : {}),
      ...(namespace === undefined ? {} : { namespace }),
      ...(Object.keys(allLabels).length === 0 ? {} : { labels: allLabels }),
      ownerReferences: [...others, reference],
    },
  };
}
