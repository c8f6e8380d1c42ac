import 'reflect-metadata';
import { inspect } from 'node:util';
import { Inject, Injectable, type ModuleMetadata } from '@nestjs/common';
import {
  createOperatorTestingModule,
  LogRecorder,
  TestStage,
  type OperatorTestingModule,
  type VirtualClock,
} from '@nestjs-operator/testing';
import {
  OPERATOR_LOGGER,
  OPERATOR_PROCESS_EVENTS,
  OPERATOR_RANDOM,
  OPERATOR_TRANSPORT,
  OperatorFailedError,
  OperatorModule,
  type ProcessEvents,
  type StopSignal,
} from 'nestjs-operator';
import { createLogger, type Logger, type LogRecord, type OperatorModuleOptions } from 'nestjs-operator/internal';
import { definitions } from '../../support/kinds.js';
import { RecordingTransport } from '../../support/recording-transport.js';

export const widgets = 'widgets.v1.demo.example';
export const gadgets = 'gadgets.v1.demo.example';

/** In every object of these tests, and in the credentials: no record may show any of them. */
export const planted = {
  spec: 'planted-in-spec',
  status: 'planted-in-status',
  annotation: 'planted-in-annotation',
  label: 'planted-in-label',
  token: 'planted-in-token',
} as const;

/** A Widget or Gadget that carries what must not be seen. */
export function object(kind: 'Widget' | 'Gadget', name: string, spec: Readonly<Record<string, string | number>> = {}) {
  return {
    apiVersion: 'demo.example/v1',
    kind,
    metadata: {
      name,
      ...(kind === 'Widget' ? { namespace: 'default' } : {}),
      annotations: { 'team.example.com/note': planted.annotation },
      labels: { 'team.example.com/mark': planted.label },
    },
    spec: { ...spec, password: planted.spec },
    status: { secret: planted.status },
  };
}

export interface SceneSpec extends Pick<ModuleMetadata, 'imports' | 'providers'> {
  readonly operator?: Partial<OperatorModuleOptions>;
  /** Hand the application to its operator, as `main.ts` does. @defaultValue false: the module alone */
  readonly attach?: boolean;
  /** @defaultValue true */
  readonly init?: boolean;
  readonly objects?: readonly ReturnType<typeof object>[];
}

/** An operator before the embedded server, all of it on a virtual clock, with everything that it says and does on record. */
export interface Scene extends OperatorTestingModule {
  readonly logs: SceneLogs;
  readonly transport: RecordingTransport;
  readonly events: FakeProcessEvents;
  /** Virtual milliseconds of the exits in `exit.exits`. */
  readonly exitTimes: readonly number[];
  /** Log messages and what hooks, handlers and tests note, in order. */
  readonly journal: string[];
  /** The outcome of `OperatorRef.done`, with as much time as it takes. `undefined`: it resolved. */
  outcome(): Promise<unknown>;
  /** As {@link Scene.outcome}, for an operator that fails; time has then passed for the exit as well. */
  failure(): Promise<OperatorFailedError>;
}

/** A stage with the test's kinds and objects. */
export function createStage(objects: readonly ReturnType<typeof object>[] = []): Promise<TestStage> {
  return TestStage.start({ crds: definitions, objects, users: [{ name: 'operator', token: planted.token }] });
}

export async function createScene(stage: TestStage, spec: SceneSpec): Promise<Scene> {
  const { clock } = stage;
  const journal: string[] = [];
  const logs = new SceneLogs(clock, journal);
  const transport = new RecordingTransport();
  const events = new FakeProcessEvents();
  const exitTimes: number[] = [];
  const testing = await createOperatorTestingModule({
    ...(spec.imports === undefined ? {} : { imports: spec.imports }),
    providers: [HookWitness, { provide: JOURNAL, useValue: journal }, ...(spec.providers ?? [])],
    stage,
    init: false,
    ...(spec.operator === undefined ? {} : { operator: spec.operator }),
    override: (builder) =>
      builder
        .overrideProvider(OPERATOR_TRANSPORT)
        .useValue(transport)
        .overrideProvider(OPERATOR_PROCESS_EVENTS)
        .useValue(events)
        .overrideProvider(OPERATOR_RANDOM)
        .useValue({ next: () => 0.5 })
        .overrideProvider(OPERATOR_LOGGER)
        .useValue(logs.logger),
  });
  const { exit, operator, module } = testing;
  const exitNow = exit.exit.bind(exit);
  exit.exit = (code) => {
    exitTimes.push(clock.monotonic());
    journal.push(`exit ${code}`);
    exitNow(code);
  };
  if (spec.attach === true) OperatorModule.attach(module);
  if (spec.init !== false) await module.init();
  const outcome = (): Promise<unknown> =>
    clock.during(
      operator.done.then(
        () => undefined,
        (error: unknown) => error,
      ),
    );
  return Object.assign(testing, {
    logs,
    transport,
    events,
    exitTimes,
    journal,
    outcome,
    async failure(): Promise<OperatorFailedError> {
      const error = await outcome();
      if (!(error instanceof OperatorFailedError)) throw new Error(`Not failed as expected: ${inspect(error)}`);
      await clock.advance(0);
      return error;
    },
  });
}

/** Everything logged, with its virtual time. */
export class SceneLogs extends LogRecorder {
  readonly #times = new Map<LogRecord, number>();
  override readonly logger: Logger;

  constructor(clock: VirtualClock, journal: string[]) {
    super();
    this.logger = createLogger((record) => {
      this.records.push(record);
      this.#times.set(record, clock.monotonic());
      journal.push(record.message);
    });
  }

  /** Virtual milliseconds. */
  timeOf(record: LogRecord): number {
    const time = this.#times.get(record);
    if (time === undefined) throw new Error('No such record.');
    return time;
  }

  /** The one record with this message. */
  only(message: string): LogRecord {
    const found = this.find({ message });
    if (found.length !== 1) throw new Error(`${found.length} records say: ${message}`);
    return found[0]!;
  }

  /** What tasks the debug records about cancelled ones name, sorted. */
  get cancelled(): string[] {
    return this.find({ level: 'debug', context: 'Supervisor', message: 'Task cancelled' })
      .map(({ fields }) => String(fields['task']))
      .toSorted();
  }
}

export const JOURNAL = Symbol('journal');

/** A provider of the application beside the operator, which notes its hooks. */
@Injectable()
export class HookWitness {
  constructor(@Inject(JOURNAL) readonly journal: string[]) {}

  onModuleDestroy(): void {
    this.journal.push('onModuleDestroy');
  }

  beforeApplicationShutdown(): void {
    this.journal.push('beforeApplicationShutdown');
  }

  onApplicationShutdown(): void {
    this.journal.push('onApplicationShutdown');
  }
}

export const hooks = ['onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown'];

/** The process's events, raised by a test. */
export class FakeProcessEvents implements ProcessEvents {
  /** What was thrown back to Node. */
  readonly raised: unknown[] = [];
  readonly #listeners = new Map<string, Set<(value: never) => void>>();

  onSignal(signal: StopSignal, listener: (signal: StopSignal) => void): () => void {
    return this.#listen(signal, listener);
  }

  onUncaughtException(listener: (error: unknown) => void): () => void {
    return this.#listen('uncaughtException', listener);
  }

  onUnhandledRejection(listener: (reason: unknown) => void): () => void {
    return this.#listen('unhandledRejection', listener);
  }

  listenerCount(event: string): number {
    return this.#listeners.get(event)?.size ?? 0;
  }

  raise(error: unknown): void {
    this.raised.push(error);
  }

  send(signal: StopSignal): void {
    for (const listener of this.#listeners.get(signal) ?? []) listener(signal as never);
  }

  #listen(event: string, listener: (value: never) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return () => void listeners.delete(listener);
  }
}

/** Waits on the virtual clock; rejects with the signal's reason when that is given and aborted. */
export function sleep(clock: VirtualClock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimer(milliseconds, resolve);
    signal?.addEventListener('abort', () => {
      timer.cancel();
      reject(signal.reason as Error);
    });
  });
}

/** An error and its causes, outermost first. */
export function chainOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let link = error; link !== undefined; link = link instanceof Error ? link.cause : undefined) chain.push(link);
  return chain;
}
