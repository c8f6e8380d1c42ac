import { Injectable } from '@nestjs/common';
import { KubeClient, OnCleanup, OnStartup, type ActivityContext } from 'nestjs-operator';
import { configMaps } from './page.service.js';

@Injectable()
export class Presence {
  private name: string | undefined;

  constructor(private readonly kube: KubeClient) {}

  @OnStartup({ retries: 3, timeout: '5s' })
  async announce({ signal }: ActivityContext): Promise<void> {
    const metadata = { generateName: 'site-operator-', namespace: 'default' };
    const created = await this.kube.create(configMaps, { metadata }, { signal });
    this.name = created.metadata.name;
  }

  @OnCleanup()
  async leave({ signal }: ActivityContext): Promise<void> {
    if (this.name !== undefined)
      await this.kube.delete(configMaps, { name: this.name, namespace: 'default' }, { signal });
  }
}
