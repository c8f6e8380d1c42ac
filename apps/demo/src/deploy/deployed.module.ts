import { Module, type DynamicModule } from '@nestjs/common';
import { OperatorModule, type OperatorModuleOptions } from 'nestjs-operator';
import { volumesOptions, volumesProviders } from '../volumes/volumes.module.js';

/** Where the manifests put the operator. */
export const deployedNamespace = 'ephemeral-volumes';

/** The operator as it runs in a cluster: probes, several replicas, and an end to starts with too few rights. */
@Module({})
export class DeployedModule {
  static with(options: Partial<OperatorModuleOptions> = {}): DynamicModule {
    const all: OperatorModuleOptions = {
      ...volumesOptions,
      health: { port: Number(process.env['HEALTH_PORT'] ?? '8081') },
      leaderElection: { enabled: true, namespace: deployedNamespace },
      preflight: 'fail',
      ...options,
    };
    return { module: DeployedModule, imports: [OperatorModule.forRoot(all)], providers: volumesProviders };
  }
}
