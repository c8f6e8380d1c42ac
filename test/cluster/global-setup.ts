// By its path: setup files are loaded without the export condition that leads to the packages' sources.
import { startControlPlane } from '../../libs/testing/src/control-plane/index.js';
import type { TestProject } from 'vitest/node';
import './control-plane.js';

/** Starts the control plane of a run, and ends it after the last test. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const controlPlane = await startControlPlane({ components: ['kube-controller-manager', 'kubectl'] });
  project.provide('controlPlane', controlPlane.address);
  return () => controlPlane.stop();
}
