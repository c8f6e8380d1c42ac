import {
  createOperatorTestingModule,
  TestStage,
  type OperatorTestingModule,
  type TestStageOptions,
} from '@nestjs-operator/testing';
import { KubeClient, OPERATOR_TRANSPORT } from 'nestjs-operator';
import { createApiClient, createLogger } from 'nestjs-operator/internal';
import { expect } from 'vitest';
import { defaultConfig } from '../../libs/operator/src/engine/defaults.js';
import { definitions } from './kinds.js';
import { RecordingTransport } from './recording-transport.js';
import type { OperatorSpec, RunningOperator, World } from './world.js';

const quietTime = 30_000;

/** What only the embedded server offers: faults, its log of requests, and time in the test's hand. */
export interface EmbeddedWorld extends World {
  readonly stage: TestStage;
  startOperator(spec: OperatorSpec): Promise<RunningOperator & OperatorTestingModule>;
}

/** Its namespace is `default`; operators there watch all namespaces unless told otherwise. */
export async function createEmbeddedWorld(
  options: Pick<TestStageOptions, 'users' | 'authorization'> = {},
): Promise<EmbeddedWorld> {
  const stage = await TestStage.start({ crds: definitions, ...options });
  const { api, clock } = stage;
  const random = { next: () => 0.5 };
  const client = createApiClient({
    kubeConfig: api.kubeConfig(),
    config: defaultConfig.client,
    fieldManager: 'administrator',
    clock,
    random,
    logger: createLogger(() => undefined),
  });
  stage.rest.watch(() => (client.inFlight > 0 ? `${client.inFlight} requests of the administrator` : undefined));
  const running: (RunningOperator & OperatorTestingModule)[] = [];
  return {
    kind: 'embedded',
    stage,
    admin: new KubeClient({ client, clock, random, retries: [], fieldManager: 'administrator' }),
    namespace: 'default',
    async startOperator({ operator, synced = true, ...metadata }) {
      const transport = new RecordingTransport();
      const testing = await createOperatorTestingModule({
        ...metadata,
        stage,
        ...(operator === undefined ? {} : { operator }),
        override: (builder) => builder.overrideProvider(OPERATOR_TRANSPORT).useValue(transport),
      });
      const started = Object.assign(testing, { transport });
      running.push(started);
      if (synced) await clock.during(testing.operator.whenSynced());
      return started;
    },
    until: (condition, limit = 60_000) => clock.advanceUntil(condition, limit),
    pass: (milliseconds) => clock.advance(milliseconds),
    async expectQuiet() {
      await stage.settled();
      for (const { transport } of running) transport.clear();
      const before = api.store.revision;
      await clock.advance(quietTime);
      const writes = running.flatMap(({ transport }) =>
        transport.writes.map(({ method, path }) => `${method} ${path}`),
      );
      expect(writes, 'an operator writes in a quiet cluster').toEqual([]);
      expect(api.store.revision, 'something is written in a quiet cluster').toBe(before);
    },
    async close() {
      for (const testing of running) await testing.close();
      await client.close();
      await stage.close();
    },
  };
}
