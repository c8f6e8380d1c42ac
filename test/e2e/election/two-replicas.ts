import { createOperatorTestingModule, TestStage, type OperatorTestingModule } from '@nestjs-operator/testing';
import type { LeaderElectionOptions, OperatorModuleOptions } from 'nestjs-operator';
import { afterEach } from 'vitest';
import { Widget } from '../../support/kinds.js';

export interface ReplicaOptions {
  readonly stage: TestStage;
  readonly identity: string;
  readonly providers: NonNullable<Parameters<typeof createOperatorTestingModule>[0]['providers']>;
  readonly election?: LeaderElectionOptions;
  readonly operator?: Partial<OperatorModuleOptions>;
}

export const second = 1_000;

const open: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

/** An embedded server with the widgets, for several replicas. It ends with the test. */
export async function openStage(): Promise<TestStage> {
  const stage = await TestStage.start({ crds: [Widget] });
  open.push(() => stage.close());
  return stage;
}

/** One replica of an operator that stands for election. It ends with the test. */
export async function startReplica(options: ReplicaOptions): Promise<OperatorTestingModule> {
  const { stage, identity, providers, election, operator } = options;
  const replica = await createOperatorTestingModule({
    stage,
    providers,
    operator: {
      name: 'op.example.com',
      ...operator,
      leaderElection: { enabled: true, namespace: 'default', identity, ...election },
    },
  });
  open.push(() => replica.close());
  return replica;
}
