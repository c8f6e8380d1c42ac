import {
  createOperatorTestingModule,
  TestStage,
  type OperatorTestingModule,
  type TestStageOptions,
} from '@nestjs-operator/testing';
import type { Clock, ClockTimer, LeaderElectionOptions, OperatorModuleOptions } from 'nestjs-operator';
import { OPERATOR_CLOCK } from 'nestjs-operator/internal';
import { afterEach } from 'vitest';
import { Widget } from '../../support/kinds.js';

export interface ReplicaOptions {
  readonly stage: TestStage;
  readonly identity: string;
  readonly providers: NonNullable<Parameters<typeof createOperatorTestingModule>[0]['providers']>;
  readonly election?: LeaderElectionOptions;
  readonly operator?: Partial<OperatorModuleOptions>;
  /** @defaultValue that of the stage */
  readonly clock?: Clock;
}

/** The clock of one process on the stage: set to another hour, and late when its event loop was blocked. */
export class ReplicaClock implements Clock {
  wallOffset: number;
  #ahead = 0;

  constructor(
    private readonly stage: TestStage,
    wallOffset = 0,
  ) {
    this.wallOffset = wallOffset;
  }

  now(): number {
    return this.stage.clock.now() + this.wallOffset + this.#ahead;
  }

  monotonic(): number {
    return this.stage.clock.monotonic() + this.#ahead;
  }

  setTimer(delay: number, fire: () => void): ClockTimer {
    return this.stage.clock.setTimer(delay, fire);
  }

  /** Code that keeps the event loop busy: time has passed when it is over, and no timer has fired. */
  block(milliseconds: number): void {
    this.#ahead += milliseconds;
  }
}

export const second = 1_000;

export const widget = (name: string, spec: object = {}) => ({
  apiVersion: 'demo.example/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default' },
  spec,
});

const open: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

/** An embedded server with the widgets, for several replicas. It ends with the test. */
export async function openStage(options: TestStageOptions = {}): Promise<TestStage> {
  const stage = await TestStage.start({ crds: [Widget], ...options });
  open.push(() => stage.close());
  return stage;
}

/** One replica of an operator that stands for election. It ends with the test. */
export async function startReplica(options: ReplicaOptions): Promise<OperatorTestingModule> {
  const { stage, identity, providers, election, operator, clock } = options;
  const replica = await createOperatorTestingModule({
    stage,
    providers,
    ...(clock === undefined ? {} : { override: (builder) => builder.overrideProvider(OPERATOR_CLOCK).useValue(clock) }),
    operator: {
      name: 'op.example.com',
      ...operator,
      leaderElection: { enabled: true, namespace: 'default', identity, ...election },
    },
  });
  open.push(() => replica.close());
  return replica;
}
