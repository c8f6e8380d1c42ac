import { Injectable } from '@nestjs/common';
import type { V1PersistentVolumeClaim } from '@kubernetes/client-node';
import { ApiError, KubeClient, type ResourceRef, type Stored } from 'nestjs-operator';
import type { EphemeralVolumeClaim } from './ephemeral-volume-claim.js';

export type Claim = Stored<V1PersistentVolumeClaim>;

export const persistentVolumeClaims: ResourceRef<Claim> = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' };

type Owner = Pick<EphemeralVolumeClaim, 'apiVersion' | 'kind' | 'metadata'>;

/** Keeps the PersistentVolumeClaim of an EphemeralVolumeClaim: same name, same labels, removed with its owner. */
@Injectable()
export class ClaimService {
  constructor(private readonly kube: KubeClient) {}

  /** Creates the claim, or brings an existing one to this size. Returns its name. */
  async ensure(owner: Owner, size: string, signal: AbortSignal): Promise<string> {
    const { name, namespace, labels } = owner.metadata;
    const resources = { requests: { storage: size } };
    try {
      await this.kube.create(
        persistentVolumeClaims,
        {
          metadata: { name, namespace, labels, ownerReferences: [ownerReference(owner)] },
          spec: { accessModes: ['ReadWriteOnce'], resources },
        },
        { signal },
      );
    } catch (error) {
      if (!(error instanceof ApiError && error.isAlreadyExists)) throw error;
      await this.kube.patch(persistentVolumeClaims, { name, namespace }, { spec: { resources } }, { signal });
    }
    return name;
  }

  async isThere(owner: Owner, signal: AbortSignal): Promise<boolean> {
    const { name, namespace } = owner.metadata;
    try {
      await this.kube.get(persistentVolumeClaims, { name, namespace }, { signal });
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.isNotFound) return false;
      throw error;
    }
  }

  /** Sets these labels, and removes those that are null. */
  async label(owner: Owner, labels: Readonly<Record<string, string | null>>, signal: AbortSignal): Promise<void> {
    const { name, namespace } = owner.metadata;
    await this.kube.patch(persistentVolumeClaims, { name, namespace }, { metadata: { labels } }, { signal });
  }
}

function ownerReference({ apiVersion, kind, metadata: { name, uid } }: Owner) {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}
