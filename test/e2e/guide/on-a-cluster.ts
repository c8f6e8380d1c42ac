import { createClusterTestingModule, eventually } from '@nestjs-operator/testing';
import type { KubeConfigSource } from 'nestjs-operator';
import { AppModule } from './app.module.js';
import { Site } from './site.js';

/** Runs the operator on a cluster that has the CRD, and resolves with the status of a new site. */
export async function statusOnCluster(kubeConfig: KubeConfigSource): Promise<unknown> {
  const t = await createClusterTestingModule({ imports: [AppModule], kubeConfig });
  try {
    await t.operator.whenSynced();
    const { metadata } = await t.client.create(Site, {
      metadata: { generateName: 'check-', namespace: 'default' },
      spec: { title: 'Check' },
    });
    return await eventually(async () => (await t.client.get(Site, metadata)).status ?? false);
  } finally {
    await t.close();
  }
}
