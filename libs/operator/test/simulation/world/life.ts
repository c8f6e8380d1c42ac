import { createApiClient, type ClosableApiClient } from '../../../src/engine/client/create-api-client.js';
import { defaultConfig } from '../../../src/engine/defaults.js';
import type { Engine } from '../../../src/engine/engine-types.js';
import { IndexRegistry } from '../../../src/engine/indexing/index-registry.js';
import { createEngine } from '../../../src/engine/operator-engine.js';
import type { OperatorConfig } from '../../../src/engine/operator-config.js';
import { createLogger, type LogRecord } from '../../../src/engine/ports/index.js';
import type { FaultPlan } from '../faults/fault-plan.js';
import type { CallLedger } from '../invariants/call-ledger.js';
import { activities, definitions } from '../operator/handlers.js';
import { operatorName } from '../operator/names.js';
import type { Scenario } from '../operator/scenario.js';
import { SimulatedHandlers } from '../operator/simulated-handlers.js';
import { MemoryTransport, type TransportObserver } from './memory-transport.js';
import { ProcessClock } from './process-clock.js';
import type { SeededRandom } from './seeded-random.js';
import type { SimulatedCluster } from './simulated-cluster.js';
import type { SimulatedTime } from './simulated-time.js';

export interface LifeOptions {
  readonly number: number;
  readonly scenario: Scenario;
  readonly cluster: SimulatedCluster;
  readonly time: SimulatedTime;
  readonly random: SeededRandom;
  readonly faults: FaultPlan;
  readonly ledger: CallLedger;
  readonly observer: TransportObserver;
  readonly onLog: (record: LogRecord) => void;
  readonly onMove: (machine: string, from: string, to: string) => void;
}

const kubeConfig = {
  clusters: [{ name: 'simulated', cluster: { server: 'http://simulated' } }],
  users: [{ name: 'simulated', user: {} }],
  contexts: [{ name: 'simulated', context: { cluster: 'simulated', user: 'simulated' } }],
  'current-context': 'simulated',
};

/** Nothing of the machine is looked at. */
const environment = { env: {}, home: '/nonexistent', serviceAccount: '/nonexistent' };

/** One process of the operator, from its start to its end: in order, by a failure, or by a crash. */
export class Life {
  readonly number: number;
  readonly engine: Engine;
  readonly indexes = new IndexRegistry();
  readonly clock: ProcessClock;
  readonly #client: ClosableApiClient;
  readonly #transport: MemoryTransport;
  readonly #options: LifeOptions;
  /** Where each key is in its machines. */
  readonly #states = new Map<string, string>();
  /** How the operator ended by itself. */
  ended: 'stopped' | 'failed' | 'crashed' | undefined;
  failure: unknown;

  constructor(options: LifeOptions) {
    const { number, scenario, cluster, time, faults, observer, ledger } = options;
    this.#options = options;
    this.number = number;
    this.clock = new ProcessClock(time);
    const random = options.random.fork();
    const logger = createLogger((record) => {
      if (this.ended !== 'crashed') options.onLog(record);
    });
    this.#transport = new MemoryTransport({ cluster, time, faults, observer });
    const config = configFor(scenario);
    this.#client = createApiClient({
      kubeConfig,
      environment,
      config: config.client,
      fieldManager: operatorName,
      clock: this.clock,
      random,
      logger,
      transport: this.#transport,
    });
    const handlers = new SimulatedHandlers({
      life: number,
      scenario,
      random: options.random.fork(),
      clock: this.clock,
      ledger,
      client: () => this.#client,
      calm: () => faults.ceased,
      gone: () => this.ended !== undefined,
    });
    this.engine = createEngine({
      config,
      handlers: definitions(scenario),
      activities: activities(scenario),
      invoker: handlers,
      indexes: this.indexes,
      client: this.#client,
      clock: this.clock,
      random,
      exit: { setCode: () => undefined, exit: () => undefined },
      logger,
      closeApp: () => Promise.resolve(),
      observer: {
        onQueueState: (resource, key, state) => this.#observe('queue', `${resource} ${key}`, state),
        onCycleState: (resource, key, state) => {
          if (state === 'running') ledger.startsAnew(number, key);
          this.#observe('cycle', `${resource} ${key}`, state);
        },
      },
    });
  }

  start(): void {
    const { engine } = this;
    engine.done.then(
      () => this.#end('stopped', undefined),
      (error: unknown) => this.#end('failed', error),
    );
    // A start that fails is told by `done` as well.
    engine.start().catch(() => undefined);
  }

  /** The process is gone, in the middle of whatever it did. */
  crash(): void {
    if (this.ended !== undefined) return;
    this.#transport.crash();
    this.clock.end();
    this.#end('crashed', undefined);
    // What is left of it has neither time nor a way to the server nor a log; its signals are let go, so that it can be freed.
    this.engine.stop().catch(() => undefined);
  }

  /** The process ends in order. */
  async stop(): Promise<void> {
    await this.engine.stop();
  }

  #observe(machine: 'queue' | 'cycle', key: string, to: string): void {
    if (this.ended === 'crashed') return;
    const id = `${machine} ${key}`;
    const from = this.#states.get(id) ?? 'absent';
    this.#states.set(id, to);
    this.#options.onMove(machine, from, to);
  }

  #end(how: 'stopped' | 'failed' | 'crashed', failure: unknown): void {
    if (this.ended !== undefined) return;
    this.ended = how;
    this.failure = failure;
    this.#options.ledger.lose(this.number);
    if (how === 'crashed') return;
    this.#transport.crash();
    this.clock.end();
  }
}

function configFor(scenario: Scenario): OperatorConfig {
  return {
    ...defaultConfig,
    name: operatorName,
    preflight: 'off',
    namespaces: scenario.namespaces,
    crash: 'reject',
    watching: {
      ...defaultConfig.watching,
      watchList: scenario.watchList,
      pageSize: scenario.pageSize,
      // Long faults at the start are part of the game.
      syncTimeout: 24 * 3_600_000,
    },
    queue: { ...defaultConfig.queue, concurrency: scenario.concurrency },
    shutdown: { ...defaultConfig.shutdown, deadline: scenario.stopDeadline ?? defaultConfig.shutdown.deadline },
    events: { enabled: scenario.events, failures: true },
  };
}
