import { createClusterTestingModule, type ClusterTestingModule } from '@nestjs-operator/testing';
import type { Contender } from './contender.js';
import type { CountingProxy } from './counting-proxy.js';
import { ComparedHandlers } from './compared-handlers.js';

/** The operator of this project, in this process. */
export class OurContender implements Contender {
  readonly name = 'nestjs-operator';
  readonly calls: Array<readonly [name: string, what: string]> = [];
  #running: ClusterTestingModule | undefined;

  constructor(
    readonly namespace: string,
    readonly proxy: CountingProxy,
  ) {}

  async start(): Promise<void> {
    this.#running = await createClusterTestingModule({
      kubeConfig: {
        clusters: [{ name: 'proxy', cluster: { server: this.proxy.url } }],
        users: [],
        contexts: [{ name: 'proxy', context: { cluster: 'proxy', user: '' } }],
        'current-context': 'proxy',
      },
      operator: { namespaces: [this.namespace] },
      providers: [{ provide: ComparedHandlers, useValue: new ComparedHandlers(this.calls) }],
    });
    await this.#running.operator.whenSynced();
  }

  async stop(): Promise<void> {
    await this.#running?.close();
    this.#running = undefined;
  }
}
