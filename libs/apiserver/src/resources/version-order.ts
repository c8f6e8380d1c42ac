const pattern = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const stages = ['alpha', 'beta', undefined];

/** Orders API versions as Kubernetes prefers them: v2, v1, v1beta2, v1beta1, v1alpha1, then others by name. */
export function compareVersions(a: string, b: string): number {
  const left = pattern.exec(a);
  const right = pattern.exec(b);
  if (left === null || right === null) return left !== null ? -1 : right !== null ? 1 : a < b ? -1 : a > b ? 1 : 0;
  return (
    stages.indexOf(right[2]) - stages.indexOf(left[2]) ||
    Number(right[1]) - Number(left[1]) ||
    Number(right[3] ?? 0) - Number(left[3] ?? 0)
  );
}
