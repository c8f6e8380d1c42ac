import { authenticatedGroup, serviceAccountGroups, type Identity } from '../access/identity.js';
import type { WriteRequest } from '../pipeline/write-request.js';

/** One of the in-process controllers as a sender of requests, under the account that it has in a real control plane. */
export function controllerSender(name: string): Pick<WriteRequest, 'identity' | 'userAgent'> {
  const identity: Identity = {
    name: `system:serviceaccount:kube-system:${name}`,
    groups: [...serviceAccountGroups('kube-system'), authenticatedGroup],
  };
  return { identity, userAgent: `kube-controller-manager/${name}` };
}
