import type { StoredObject } from '../kube-object.js';

/** Annotations with which people steer the operator on one object. They are no part of the essence. */
export class ObjectSwitches {
  /** Their names. */
  readonly annotations: ReadonlySet<string>;
  readonly #paused: readonly string[];
  readonly #reconcileAt: readonly string[];
  readonly #forceRelease: readonly string[];

  constructor(operator: { readonly name: string; readonly formerNames: readonly string[] }) {
    const names = [operator.name, ...operator.formerNames];
    this.#paused = names.map((name) => `${name}/paused`);
    this.#reconcileAt = names.map((name) => `${name}/reconcile-at`);
    this.#forceRelease = names.map((name) => `${name}/force-release`);
    this.annotations = new Set([...this.#paused, ...this.#reconcileAt, ...this.#forceRelease]);
  }

  /** No handler is to run for the object, save those that only look on: `<name>/paused`, with any value but `false`. */
  isPaused(object: StoredObject): boolean {
    return isOn(object, this.#paused);
  }

  /**
   * The dying object is to be let go, whatever its delete handlers have done: `<name>/force-release`, with any value but
   * `false`. Says nothing while the object is not being deleted.
   */
  isReleasedByForce(object: StoredObject): boolean {
    return object.metadata.deletionTimestamp !== undefined && isOn(object, this.#forceRelease);
  }

  /** A new value of `<name>/reconcile-at` asks for a cycle without waiting. */
  requestOf({ metadata }: StoredObject): string | undefined {
    const { annotations } = metadata;
    if (annotations === undefined) return undefined;
    for (const name of this.#reconcileAt) if (annotations[name] !== undefined) return annotations[name];
    return undefined;
  }
}

function isOn({ metadata }: StoredObject, names: readonly string[]): boolean {
  return names.some((name) => (metadata.annotations?.[name] ?? 'false') !== 'false');
}
