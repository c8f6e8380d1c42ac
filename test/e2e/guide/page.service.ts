import { Injectable } from '@nestjs/common';
import type { V1ConfigMap } from '@kubernetes/client-node';
import { ApiError, KubeClient, type ResourceRef, type Stored } from 'nestjs-operator';
import type { Site } from './site.js';

export const configMaps: ResourceRef<Stored<V1ConfigMap>> = { apiVersion: 'v1', kind: 'ConfigMap' };

type Owner = Pick<Site, 'apiVersion' | 'kind' | 'metadata'>;

/** Keeps the page of a site: a ConfigMap of the same name that goes with its owner. */
@Injectable()
export class PageService {
  constructor(private readonly kube: KubeClient) {}

  async publish(site: Owner, title: string, signal: AbortSignal): Promise<string> {
    const { name, namespace, uid } = site.metadata;
    const ownerReferences = [{ apiVersion: site.apiVersion, kind: site.kind, name, uid, controller: true }];
    const data = { 'index.html': `<h1>${title}</h1>` };
    try {
      await this.kube.create(configMaps, { metadata: { name, namespace, ownerReferences }, data }, { signal });
    } catch (error) {
      if (!(error instanceof ApiError && error.isAlreadyExists)) throw error;
      await this.kube.patch(configMaps, { name, namespace }, { data }, { signal });
    }
    return name;
  }

  async withdraw(site: Owner, signal: AbortSignal): Promise<void> {
    const { name, namespace } = site.metadata;
    await this.kube.patch(configMaps, { name, namespace }, { data: { 'index.html': 'gone' } }, { signal });
  }
}
