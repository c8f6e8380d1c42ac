import { ApiError, type KubeClient, type Manifest } from 'nestjs-operator';
import { parse } from 'yaml';
import { readManifest } from './embedded-cluster.js';

/** Gives the cluster the demo's CRD, unless it has it. The operator waits for it. */
export async function installDefinition(kube: KubeClient): Promise<void> {
  try {
    await kube.create(parse(await readManifest('crd')) as Manifest);
  } catch (error) {
    if (!(error instanceof ApiError && error.isAlreadyExists)) throw error;
  }
}
