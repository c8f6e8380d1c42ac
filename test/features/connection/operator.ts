import { Injectable, Module, type DynamicModule } from '@nestjs/common';
import { HandlerContext, OnCreate, OperatorModule, ResourceHandlers, type KubeConfigSource } from 'nestjs-operator';
import { Widget } from '../../support/widget.js';

/** Knows the way to the cluster: asks a vault, a cloud, a file … */
@Injectable()
export abstract class Vault {
  abstract kubeConfig(): Promise<KubeConfigSource>;
}

@ResourceHandlers(Widget)
export class WidgetHandlers {
  readonly created: string[] = [];

  @OnCreate()
  note({ meta }: HandlerContext<Widget>): void {
    this.created.push(meta.name);
  }
}

/** The connection is made up when the application starts, by a service of its own. */
@Module({})
export class ConnectedModule {
  static of(namespace: string, vault: Vault): DynamicModule {
    return {
      module: ConnectedModule,
      imports: [
        OperatorModule.forRootAsync({
          imports: [
            { module: class VaultModule {}, providers: [{ provide: Vault, useValue: vault }], exports: [Vault] },
          ],
          inject: [Vault],
          useFactory: async (source: Vault) => ({
            name: 'connected.example',
            namespaces: [namespace],
            kubeConfig: await source.kubeConfig(),
            crash: 'reject' as const,
          }),
        }),
      ],
      providers: [WidgetHandlers],
    };
  }
}
