/** Something that an account has to be allowed. */
export interface AccessRule {
  /** The empty text is the core group. */
  readonly group: string;
  /** Plural, with the subresource if it is about one: `widgets`, `widgets/status`. */
  readonly resource: string;
  /** Sorted. */
  readonly verbs: readonly string[];
  /** `undefined`: in all namespaces, or on a resource that is in none. */
  readonly namespace: string | undefined;
  /** Restricts it to objects of these names. */
  readonly names?: readonly string[];
  /**
   * `always`: the operator cannot do without. `sometimes`: only some calls of handlers lead to it, or the operator goes on
   * without it.
   */
  readonly need: 'always' | 'sometimes';
  /** What it is for, as tables and manifests tell it. */
  readonly purpose: string;
}

/** One need, and what the server said of it. */
export interface AccessDescription extends AccessRule {
  /** Verbs that are refused. `undefined`: it has not been asked, or gave no answer. */
  readonly refused: readonly string[] | undefined;
}

/** What the application's own code needs of the API, beyond what follows from its handlers. */
export interface DeclaredAccess {
  /** The empty text is the core group. */
  readonly group: string;
  /** Plurals, with the subresource if it is about one: `persistentvolumeclaims`, `pods/exec`. */
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** Restricts it to objects of these names. @defaultValue all */
  readonly names?: readonly string[];
  /**
   * Where: in the namespaces that the operator serves, or in the whole cluster, as resources need it that are in no namespace.
   * @defaultValue 'served'
   */
  readonly scope?: 'served' | 'cluster';
}
