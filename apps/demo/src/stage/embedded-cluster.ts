import { rmSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startApiServer, type ApiServer } from '@nestjs-operator/apiserver';

const home = fileURLToPath(new URL('../..', import.meta.url));

/** Git-ignored. One per process: a second demo must not take the first one's place. */
export const kubeconfigPath = `${home}.demo/kubeconfig-${process.pid}`;

export function readManifest(name: 'crd' | 'samples'): Promise<string> {
  return readFile(`${home}manifests/${name}.yaml`, 'utf8');
}

/** Starts the API server with the demo's CRD, and makes its kubeconfig the one that this process uses. */
export async function startEmbeddedCluster(): Promise<ApiServer> {
  const api = await startApiServer({ crds: [await readManifest('crd')] });
  await mkdir(`${home}.demo`, { recursive: true });
  await api.writeKubeconfig(kubeconfigPath);
  process.env['KUBECONFIG'] = kubeconfigPath;
  process.once('exit', () => rmSync(kubeconfigPath, { force: true }));
  return api;
}
