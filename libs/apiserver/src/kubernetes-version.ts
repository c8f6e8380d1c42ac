/** Minor versions of Kubernetes whose answers have been recorded and compared with. */
export const kubernetesVersions = ['1.36'] as const;

/** Why the server cannot pass for a version (`1.36`, also `v1.36`), if it cannot. */
export function versionProblem(version: string): string | undefined {
  if ((kubernetesVersions as readonly string[]).includes(version.replace(/^v/, ''))) return undefined;
  return (
    `kubernetesVersion: there is no profile of ${JSON.stringify(version)}; only the answers of ` +
    `${kubernetesVersions.join(', ')} have been compared with the real server`
  );
}
