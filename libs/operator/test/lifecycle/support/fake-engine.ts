import { noElection } from '../../../src/engine/leaderelection/leadership-status.js';
import type { Provider } from '@nestjs/common';
import type { Engine, EngineOptions, OperatorStatus } from '../../../src/engine/engine-types.js';
import { describeOperator, type OperatorDescription } from '../../../src/engine/description/operator-description.js';
import { judgeHealth, type OperatorHealth } from '../../../src/engine/health/operator-health.js';
import type { ExitPort, Logger, LogRecord, ProcessEvents, StopSignal } from '../../../src/engine/ports/index.js';
import { createLogger } from '../../../src/engine/ports/index.js';
import { deferred } from '../../../src/engine/supervision/deferred.js';
import type { OperatorState } from '../../../src/engine/supervision/supervised.js';
import type { SupervisorStopOptions } from '../../../src/engine/supervision/supervisor.js';
import {
  ENGINE_FACTORY,
  OPERATOR_EXIT,
  OPERATOR_LOGGER,
  OPERATOR_PROCESS_EVENTS,
} from '../../../src/operator.constants.js';
import type { OperatorModuleOptions } from '../../../src/operator.options.js';

/** The Nest side's view of an engine: it follows the same rules on stopping and closing, without any work. */
export class FakeEngine implements Engine {
  readonly calls: string[] = [];
  readonly #done = deferred();
  readonly done = this.#done.promise;
  readonly #readyToClose = deferred();
  readonly #concluded = deferred();
  state: OperatorState = 'idle';
  failure: Error | undefined;
  startFailure: Error | undefined;
  /** Resolves when handlers have drained. */
  drained: Promise<void> = Promise.resolve();
  #closedElsewhere = false;
  #closing = false;

  constructor(readonly options: EngineOptions) {
    this.done.catch(() => undefined);
  }

  async start(): Promise<void> {
    this.calls.push('start');
    if (this.startFailure !== undefined) {
      this.fatal(this.startFailure, 'start');
      await this.#concluded.promise;
      throw this.startFailure;
    }
    this.state = 'running';
  }

  async stop({ reason = 'stop', app = true }: SupervisorStopOptions = {}): Promise<void> {
    this.calls.push(`stop ${reason}`);
    if (!app && !this.#closing) this.#closedElsewhere = true;
    this.#begin();
    await (app ? this.#concluded.promise : this.#readyToClose.promise);
  }

  fatal(error: unknown, origin = 'application'): void {
    this.calls.push(`fatal ${origin}`);
    this.failure ??= error as Error;
    this.#begin();
  }

  getStatus(): OperatorStatus {
    const { state } = this;
    return {
      state,
      paused: false,
      tasks: [],
      watches: [],
      objects: {},
      queued: {},
      due: 0,
      running: 0,
      stuck: 0,
      capacity: 50,
      throttled: 0,
      found: true,
      leadership: noElection,
    };
  }

  pause(): Promise<void> {
    return Promise.resolve();
  }

  resume(): void {
    // Nothing is ever held here.
  }

  describe(): OperatorDescription {
    const { config, handlers, activities } = this.options;
    return describeOperator({ config, handlers, activities, served: [], access: [] });
  }

  get healthPort(): undefined {
    return undefined;
  }

  getHealth(): Promise<OperatorHealth> {
    return Promise.resolve(
      judgeHealth({
        status: this.getStatus(),
        eventLoop: { lag: 0, worst: 0, late: 0 },
        probes: [],
        limits: this.options.config.health,
        now: 0,
      }),
    );
  }

  whenSynced(): Promise<void> {
    return Promise.resolve();
  }

  #begin(): void {
    if (['draining', 'stopped', 'failed'].includes(this.state)) return;
    this.state = 'draining';
    setImmediate(() => {
      this.#sequence().catch((error: unknown) => this.#done.reject(error as Error));
    });
  }

  async #sequence(): Promise<void> {
    await this.drained;
    this.calls.push('drained');
    this.#readyToClose.resolve();
    if (!this.#closedElsewhere) {
      this.#closing = true;
      await this.options.closeApp();
      this.calls.push('closed');
    }
    this.state = this.failure === undefined ? 'stopped' : 'failed';
    this.#concluded.resolve();
    if (this.failure === undefined) this.#done.resolve();
    else {
      this.options.exit.setCode(1);
      this.#done.reject(this.failure);
    }
  }
}

export class FakeExit implements ExitPort {
  readonly codes: number[] = [];
  readonly exits: number[] = [];

  setCode(code: number): void {
    this.codes.push(code);
  }

  exit(code: number): void {
    this.exits.push(code);
  }
}

type Listener = (value: never) => void;

export class FakeProcessEvents implements ProcessEvents {
  readonly listeners: { readonly event: string; readonly listener: Listener }[] = [];

  onSignal(signal: StopSignal, listener: (signal: StopSignal) => void): () => void {
    return this.#on(signal, listener);
  }

  onUncaughtException(listener: (error: unknown) => void): () => void {
    return this.#on('uncaughtException', listener);
  }

  onUnhandledRejection(listener: (reason: unknown) => void): () => void {
    return this.#on('unhandledRejection', listener);
  }

  listenerCount(event: string): number {
    return this.listeners.filter((each) => each.event === event).length;
  }

  raise(): void {}

  emit(event: string, value: unknown): void {
    for (const each of this.listeners.filter((one) => one.event === event)) each.listener(value as never);
  }

  #on(event: string, listener: Listener): () => void {
    const entry = { event, listener };
    this.listeners.push(entry);
    return () => {
      this.listeners.splice(this.listeners.indexOf(entry), 1);
    };
  }
}

/** What a test replaces, and sees. */
export class OperatorFakes {
  readonly exit = new FakeExit();
  readonly events = new FakeProcessEvents();
  readonly records: LogRecord[] = [];
  readonly engines: FakeEngine[] = [];
  readonly logger: Logger = createLogger((record) => this.records.push(record));
  /** Prepares an engine before it is used. */
  prepare: (engine: FakeEngine) => void = () => undefined;

  get engine(): FakeEngine {
    const [engine] = this.engines;
    if (engine === undefined) throw new Error('No engine was built.');
    return engine;
  }

  readonly createEngine = (options: EngineOptions): FakeEngine => {
    const engine = new FakeEngine(options);
    this.prepare(engine);
    this.engines.push(engine);
    return engine;
  };

  /** Added to the providers of the module, they take the place of its own. */
  readonly providers: Provider[] = [
    { provide: ENGINE_FACTORY, useValue: this.createEngine },
    { provide: OPERATOR_EXIT, useValue: this.exit },
    { provide: OPERATOR_PROCESS_EVENTS, useValue: this.events },
    { provide: OPERATOR_LOGGER, useValue: this.logger },
  ];
}

/** Nothing listens there; nothing asks either. */
export const kubeConfig = {
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'none', cluster: { server: 'http://127.0.0.1:9' } }],
  users: [{ name: 'none', user: {} }],
  contexts: [{ name: 'none', context: { cluster: 'none', user: 'none' } }],
  'current-context': 'none',
};

export const moduleOptions: OperatorModuleOptions = { name: 'widgets.example.com', kubeConfig };
