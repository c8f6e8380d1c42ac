import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectControlPlane, type ControlPlaneAddress } from '@nestjs-operator/testing/control-plane';
import { expect, inject } from 'vitest';
import { startApiServer, type ApiServer, type ApiServerOptions } from '../../../src/index.js';

/** The servers that each client is put in front of, so that what differs between them shows. */
export const targetNames = ['embedded', 'real'] as const;
export type TargetName = (typeof targetNames)[number];

/** A server for a client that takes a kubeconfig. */
export interface ClientTarget {
  readonly name: TargetName;
  /** Empty but for the kubeconfig, and removed at the end: the home of clients that are processes. */
  readonly folder: string;
  readonly kubeconfig: string;
  /** The embedded server. Its requests and faults are what the real one does not show. */
  readonly embedded: ApiServer | undefined;
  close(): Promise<void>;
}

/**
 * The embedded server is started for the caller alone. The real one is that of the whole run, so everything in it
 * needs names that no one else uses.
 */
export async function openTarget(name: TargetName, options: ApiServerOptions = {}): Promise<ClientTarget> {
  const folder = await mkdtemp(join(tmpdir(), 'apiserver-client-'));
  const kubeconfig = join(folder, 'config');
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  if (name === 'real') {
    await connectControlPlane(controlPlane()).writeKubeconfig(kubeconfig);
    return { name, folder, kubeconfig, embedded: undefined, close: remove };
  }
  const bugs: unknown[] = [];
  const embedded = await startApiServer({ onInternalError: (error) => void bugs.push(error), ...options });
  await embedded.writeKubeconfig(kubeconfig);
  const close = async (): Promise<void> => {
    await embedded.close();
    await remove();
    expect(bugs, 'errors of the embedded server').toEqual([]);
  };
  return { name, folder, kubeconfig, embedded, close };
}

/** The control plane of the run, which also knows where kubectl is. */
export function controlPlane(): ControlPlaneAddress {
  return inject('controlPlane' as never) as ControlPlaneAddress;
}
