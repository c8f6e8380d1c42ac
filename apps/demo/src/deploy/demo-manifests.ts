import { startApiServer } from '@nestjs-operator/apiserver';
import { NestFactory } from '@nestjs/core';
import { operatorManifests, OperatorRef, type OperatorManifest } from 'nestjs-operator';
import { parse } from 'yaml';
import { readManifest } from '../stage/embedded-cluster.js';
import { DeployedModule, deployedNamespace } from './deployed.module.js';

/**
 * What `kubectl apply -f` needs to install the demo, the definition first. The rights are asked of the operator itself, which
 * finds its resources on an embedded server.
 */
export async function demoManifests(): Promise<readonly OperatorManifest[]> {
  const definition = await readManifest('crd');
  const api = await startApiServer({ crds: [definition] });
  try {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: deployedNamespace } };
    await api.create(namespace);
    const module = DeployedModule.with({ kubeConfig: api.kubeConfig(), health: {}, crash: 'reject' });
    const app = await NestFactory.createApplicationContext(module, { logger: ['error', 'fatal'] });
    try {
      const operator = app.get(OperatorRef, { strict: false });
      await operator.whenSynced();
      return [
        namespace,
        parse(definition) as OperatorManifest,
        ...operatorManifests(operator.describe().access, {
          name: 'ephemeral-volumes',
          namespace: deployedNamespace,
          image: 'example.com/ephemeral-volumes:0.0.0',
        }),
      ];
    } finally {
      await app.close();
    }
  } finally {
    await api.close();
  }
}
