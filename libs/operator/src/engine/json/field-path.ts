/** A path into plain JSON: each element is one key, whatever characters it has. */
export type FieldPath = readonly string[];

/** The value at a path; `undefined` where the path leads nowhere. */
export function valueAt(root: unknown, path: FieldPath): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** A copy of `root` in which `path` holds `value`; missing objects on the way are made. */
export function withValueAt(root: Record<string, unknown>, path: FieldPath, value: unknown): Record<string, unknown> {
  const [key, ...rest] = path;
  if (key === undefined) return root;
  if (rest.length === 0) return { ...root, [key]: value };
  const child = root[key];
  const inner =
    typeof child === 'object' && child !== null && !Array.isArray(child) ? (child as Record<string, unknown>) : {};
  return { ...root, [key]: withValueAt(inner, rest, value) };
}

/** One text per path, reversible: `/` and `~` in keys are escaped as in JSON pointers. */
export function pathText(path: FieldPath): string {
  return path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** How a path reads in messages: dots between plain keys, quotes around others. */
export function pathLabel(path: FieldPath): string {
  return path.map((key) => (/^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key))).join('.');
}
