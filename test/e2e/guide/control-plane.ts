import { readFile } from 'node:fs/promises';
import { startControlPlane } from '@nestjs-operator/testing/control-plane';
import { statusOnCluster } from './on-a-cluster.js';

const crd = await readFile(new URL('crd.yaml', import.meta.url), 'utf8');
const plane = await startControlPlane({ components: ['kube-controller-manager', 'kubectl'] });
try {
  await plane.kubectl(['apply', '-f', '-'], { input: crd });
  await plane.kubectl(['wait', '--for=condition=Established', 'crd/sites.web.example']);
  const { kubeConfig } = await plane.account({
    name: 'site-operator',
    clusterRules: [
      { apiGroups: ['web.example'], resources: ['sites'], verbs: ['get', 'list', 'watch', 'create', 'patch'] },
      { apiGroups: ['web.example'], resources: ['sites/status'], verbs: ['patch'] },
      { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
      { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'patch'] },
    ],
  });
  process.stdout.write(`${JSON.stringify(await statusOnCluster(kubeConfig))}\n`);
} finally {
  await plane.stop();
}
