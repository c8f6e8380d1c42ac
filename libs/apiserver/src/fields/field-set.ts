/**
 * A set of paths into an object, in the very form of a FieldsV1 document: the members of a node are the steps that paths
 * take from there (`f:name`, `k:{"name":"a"}`, `v:"a"`, `i:0`). A path to a node is in the set when the node is empty or
 * has the member `.`; of the document itself only an empty one says that nothing is in it.
 *
 * Sets are never changed: operations answer new ones and share what stays the same, and hand the given set back where
 * nothing changes. Each node without members is {@link leaf}, except the empty set.
 */
export interface FieldSet {
  readonly [step: string]: FieldSet;
}

/** A path that is in the set, with nothing below it. */
export const leaf: FieldSet = Object.freeze({});

export const emptySet: FieldSet = Object.freeze({});

export const isEmptySet = (set: FieldSet): boolean => {
  for (const _step in set) return false;
  return true;
};

/** Whether the path to this node is in the set. */
export const isMember = (node: FieldSet): boolean => node === leaf || '.' in node;

/** The node of a set that is built from its steps, which may be in any order. */
export function nodeOf(member: boolean, steps: [step: string, node: FieldSet][]): FieldSet | undefined {
  if (steps.length === 0) return member ? leaf : undefined;
  let ordered = true;
  for (let index = 1; ordered && index < steps.length; index++) ordered = steps[index - 1]![0] < steps[index]![0];
  if (!ordered) steps.sort(([a], [b]) => (a < b ? -1 : 1));
  const node: Record<string, FieldSet> = {};
  if (member) node['.'] = leaf;
  for (const [step, below] of steps) node[step] = below;
  return node;
}

/** The node with the path to it in the set. */
export function asMember(node: FieldSet | undefined): FieldSet {
  if (node === undefined) return leaf;
  return isMember(node) ? node : { '.': leaf, ...node };
}

export const union = (a: FieldSet, b: FieldSet): FieldSet =>
  isEmptySet(b) ? a : isEmptySet(a) ? b : unite(a, b, true);

/** The union of two nodes below the root, paths to them included. */
export const uniteNodes = (a: FieldSet, b: FieldSet): FieldSet => unite(a, b, false);

function unite(a: FieldSet, b: FieldSet, root: boolean): FieldSet {
  if (a === b) return a;
  const member = !root && (isMember(a) || isMember(b));
  let changed = !root && member !== isMember(a);
  const steps: [string, FieldSet][] = [];
  for (const step of Object.keys(a)) {
    if (step === '.') continue;
    const other = b[step];
    const below = other === undefined ? a[step]! : unite(a[step]!, other, false);
    if (below !== a[step]) changed = true;
    steps.push([step, below]);
  }
  for (const step of Object.keys(b)) {
    if (step === '.' || step in a) continue;
    changed = true;
    steps.push([step, b[step]!]);
  }
  return changed ? (nodeOf(member, steps) ?? emptySet) : a;
}

/** What is in `a` and not in `b`; of paths in `b` those below them stay. */
export const difference = (a: FieldSet, b: FieldSet): FieldSet => subtract(a, b, true, false) ?? emptySet;

/** What is in `a` and neither in `b` nor below a path of `b`. */
export const withoutBelow = (a: FieldSet, b: FieldSet): FieldSet => subtract(a, b, true, true) ?? emptySet;

function subtract(a: FieldSet, b: FieldSet, root: boolean, below: boolean): FieldSet | undefined {
  if (!root && below && isMember(b)) return undefined;
  const member = !root && isMember(a) && !isMember(b);
  let changed = !root && member !== isMember(a);
  const steps: [string, FieldSet][] = [];
  for (const step of Object.keys(a)) {
    if (step === '.') continue;
    const other = b[step];
    const rest = other === undefined ? a[step] : subtract(a[step]!, other, false, below);
    if (rest !== a[step]) changed = true;
    if (rest !== undefined) steps.push([step, rest]);
  }
  return changed ? nodeOf(member, steps) : a;
}

/** What is in both. */
export const intersection = (a: FieldSet, b: FieldSet): FieldSet => intersect(a, b, true) ?? emptySet;

function intersect(a: FieldSet, b: FieldSet, root: boolean): FieldSet | undefined {
  if (a === b) return a;
  const steps: [string, FieldSet][] = [];
  for (const step of Object.keys(a)) {
    const other = b[step];
    if (step === '.' || other === undefined) continue;
    const both = intersect(a[step]!, other, false);
    if (both !== undefined) steps.push([step, both]);
  }
  return nodeOf(!root && isMember(a) && isMember(b), steps);
}
