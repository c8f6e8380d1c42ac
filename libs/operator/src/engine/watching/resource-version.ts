/** Whether a resourceVersion is a whole number in plain decimal form, of any length. Only such versions can be ordered. */
export function isIntegerVersion(version: string): boolean {
  const length = version.length;
  if (length === 0) return false;
  // A leading zero would break the comparison by length; "0" alone is a number.
  if (length > 1 && version.charCodeAt(0) === 0x30) return false;
  for (let index = 0; index < length; index++) {
    const code = version.charCodeAt(index);
    if (code < 0x30 || code > 0x39) return false;
  }
  return true;
}

/**
 * Orders two resourceVersions: negative when `a` is older, 0 when equal, positive when newer; `undefined` when they
 * differ and cannot be ordered, because one of them is no integer.
 */
export function compareVersions(a: string, b: string): number | undefined {
  if (a === b) return 0;
  if (!isIntegerVersion(a) || !isIntegerVersion(b)) return undefined;
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}

/** The higher of two versions; whichever is an integer when only one is. */
export function higherVersion(a: string | undefined, b: string): string | undefined {
  if (!isIntegerVersion(b)) return a;
  if (a === undefined) return b;
  const order = compareVersions(a, b);
  return order === undefined || order < 0 ? b : a;
}
