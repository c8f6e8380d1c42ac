import {
  connectControlPlane,
  type ControlPlaneAddress,
  type ControlPlaneConnection,
} from '@nestjs-operator/testing/control-plane';
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    controlPlane: ControlPlaneAddress;
  }
}

/**
 * The control plane that all files of a run share: etcd, kube-apiserver, kube-controller-manager and kubectl.
 * Keep apart by namespaces and API groups of your own; what disturbs others (pauses, restarts, feature gates) needs a
 * control plane of its own, by `startControlPlane`.
 */
export function sharedControlPlane(): ControlPlaneConnection {
  return connectControlPlane(inject('controlPlane'));
}
