import { randomBytes } from 'node:crypto';
import { createClusterTestingModule, eventually } from '@nestjs-operator/testing';
import type { ControlPlaneConnection } from '@nestjs-operator/testing/control-plane';
import { ApiError, KubeClient, OPERATOR_TRANSPORT } from 'nestjs-operator';
import { createApiClient, createLogger } from 'nestjs-operator/internal';
import { expect } from 'vitest';
import { defaultConfig } from '../../libs/operator/src/engine/defaults.js';
import { SystemClock } from '../../libs/operator/src/engine/ports/index.js';
import { sharedControlPlane } from '../cluster/control-plane.js';
import { definitions, namespaces } from './kinds.js';
import { RecordingTransport } from './recording-transport.js';
import type { RunningOperator, World } from './world.js';

const quietTime = 30_000;
const stillTime = 1_000;

/**
 * A namespace of its own on a control plane, by default on the one that all cluster tests share; operators watch this
 * namespace only.
 */
export async function createRealWorld(plane: ControlPlaneConnection = sharedControlPlane()): Promise<World> {
  const kubeConfig = plane.kubeConfig();
  const clock = new SystemClock();
  const client = createApiClient({
    kubeConfig,
    config: defaultConfig.client,
    fieldManager: 'administrator',
    clock,
    random: { next: () => Math.random() },
    logger: createLogger(() => undefined),
  });
  const admin = new KubeClient({
    client,
    clock,
    random: { next: () => Math.random() },
    retries: [],
    fieldManager: 'administrator',
  });
  for (const definition of definitions) await createUnlessThere(admin, definition);
  const namespace = `world-${randomBytes(4).toString('hex')}`;
  await admin.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const running: RunningOperator[] = [];
  return {
    kind: 'real',
    admin,
    namespace,
    async startOperator({ operator, synced = true, ...metadata }) {
      const transport = new RecordingTransport();
      const testing = await createClusterTestingModule({
        ...metadata,
        kubeConfig,
        operator: { namespaces: [namespace], ...operator },
        override: (builder) => builder.overrideProvider(OPERATOR_TRANSPORT).useValue(transport),
      });
      const started = Object.assign(testing, { transport });
      running.push(started);
      if (synced) await testing.operator.whenSynced();
      return started;
    },
    async until(condition, limit = 60_000) {
      await eventually(condition, { timeout: limit });
    },
    pass: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    async expectQuiet() {
      await untilStill(running);
      for (const { transport } of running) transport.clear();
      await new Promise((resolve) => setTimeout(resolve, quietTime));
      const writes = running.flatMap(({ transport }) =>
        transport.writes.map(({ method, path }) => `${method} ${path}`),
      );
      expect(writes, 'an operator writes in a quiet cluster').toEqual([]);
    },
    async close() {
      for (const testing of running) await testing.close();
      await admin.delete(namespaces, { name: namespace });
      await client.close();
    },
  };
}

/**
 * A test sees the effect of a handler, such as its status, before the record of the same cycle is written. That write
 * belongs to the test's own work and not to the quiet time after it.
 */
async function untilStill(running: readonly RunningOperator[]): Promise<void> {
  const written = (): number => running.reduce((sum, { transport }) => sum + transport.writes.length, 0);
  let before = written();
  let since = Date.now();
  await eventually(
    () => {
      const now = written();
      if (now !== before || running.some(isBusy)) {
        before = now;
        since = Date.now();
      }
      return Date.now() - since >= stillTime;
    },
    { timeout: 60_000 },
  );
}

/** What a closed operator left undone is nobody's work any more. */
function isBusy({ operator }: RunningOperator): boolean {
  const { state, due } = operator.getStatus();
  return state !== 'stopped' && due > 0;
}

async function createUnlessThere(admin: KubeClient, definition: (typeof definitions)[number]): Promise<void> {
  try {
    await admin.create(definition);
  } catch (error) {
    if (!(error instanceof ApiError && error.isAlreadyExists)) throw error;
  }
  const definitionsResource = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
  await eventually(async () => {
    const found = (await admin.get(definitionsResource, definition.metadata)) as {
      readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
    };
    return found.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true;
  });
}
