import { OPERATOR_RANDOM, OPERATOR_TRANSPORT, type Duration } from 'nestjs-operator';
import {
  createEngine,
  ENGINE_FACTORY,
  OPERATOR_OPTIONS,
  parseDuration,
  UndiciTransport,
  type OperatorModuleOptions,
} from 'nestjs-operator/internal';
import { createOperatorTestingModule, type OperatorTestingModule } from '../operator-testing-module.js';
import { TestStage } from '../test-stage.js';
import { countingEngine, type CountedCall } from './call-counter.js';
import type { CrashScenario } from './crash-scenario.js';
import { endState } from './end-state.js';
import { KillableTransport, type KillPoint, type SentWrite } from './killable-transport.js';

/** What happened in one step of a workload. */
export interface StepRecord {
  readonly calls: CountedCall[];
  readonly writes: SentWrite[];
}

/** What happened in one run of a workload. */
export interface RunRecord {
  /** The last one is what came after the workload. */
  readonly steps: readonly StepRecord[];
  /** Where the operator was killed. */
  readonly killed: { readonly step: number; readonly write: SentWrite } | undefined;
  readonly end: readonly string[];
}

/** One run of a workload, with an operator that is killed at most once and then started anew. */
export class CrashRun {
  readonly #steps: StepRecord[] = [{ calls: [], writes: [] }];
  #killed: RunRecord['killed'];
  #transport: KillableTransport | undefined;
  #operator: OperatorTestingModule | undefined;

  private constructor(
    private readonly scenario: CrashScenario,
    private readonly stage: TestStage,
    private readonly point: KillPoint | undefined,
  ) {}

  static async record(scenario: CrashScenario, point?: KillPoint): Promise<RunRecord> {
    const stage = await TestStage.start(scenario);
    const run = new CrashRun(scenario, stage, point);
    try {
      return await run.#run();
    } finally {
      await run.#operator?.close();
      await stage.close();
    }
  }

  async #run(): Promise<RunRecord> {
    const { api } = this.stage;
    await this.#start(this.point);
    await this.#settle();
    this.#nextStep();
    await this.scenario.workload({
      api,
      settled: async () => {
        await this.#settle();
        this.#nextStep();
      },
      advance: async (time) => {
        await this.#advance(time);
        this.#nextStep();
      },
    });
    await this.#settle();
    const { name } = this.#operator!.module.get<OperatorModuleOptions>(OPERATOR_OPTIONS, { strict: false });
    return { steps: this.#steps, killed: this.#killed, end: endState(api, name, this.scenario.normalise) };
  }

  get #step(): StepRecord {
    return this.#steps.at(-1)!;
  }

  #nextStep(): void {
    this.#steps.push({ calls: [], writes: [] });
  }

  async #settle(): Promise<void> {
    do await this.stage.settled();
    while (await this.#replaceKilled());
  }

  async #advance(time: Duration): Promise<void> {
    const { clock } = this.stage;
    const end = clock.monotonic() + parseDuration(time);
    await this.#settle();
    // From timer to timer, so that a killed operator is replaced when it is.
    for (let left = end - clock.monotonic(); left > 0; left = end - clock.monotonic()) {
      await clock.advance(Math.min(left, Math.max(1, clock.untilNext ?? left)));
      await this.#settle();
    }
  }

  async #start(point: KillPoint | undefined): Promise<void> {
    const transport = new KillableTransport(new UndiciTransport(), point, (write) => this.#step.writes.push(write));
    const isDead = (): boolean => transport.killedAt !== undefined;
    const factory = countingEngine(createEngine, isDead, (call) => this.#step.calls.push(call));
    const { workload: _workload, normalise: _normalise, override, ...options } = this.scenario;
    this.#transport = transport;
    try {
      this.#operator = await createOperatorTestingModule({
        ...options,
        stage: this.stage,
        // Nothing may go on in an operator that was killed.
        operator: {
          ...options.operator,
          shutdown: { ...options.operator?.shutdown, drain: 0, crashDrain: 0, grace: 0 },
        },
        override: (builder) =>
          (override?.(builder) ?? builder)
            .overrideProvider(OPERATOR_TRANSPORT)
            .useValue(transport)
            .overrideProvider(OPERATOR_RANDOM)
            .useValue({ next: () => 0.5 })
            .overrideProvider(ENGINE_FACTORY)
            .useValue(factory),
      });
    } catch (error) {
      // A start-up handler was in its way when it was killed.
      if (!(await this.#replaceKilled())) throw error;
    }
  }

  /** Starts the next operator where the one before was killed. */
  async #replaceKilled(): Promise<boolean> {
    const write = this.#transport?.killedAt;
    if (write === undefined || this.#killed !== undefined) return false;
    this.#killed = { step: this.#steps.length - 1, write };
    await this.#operator?.close();
    await this.#start(undefined);
    return true;
  }
}
