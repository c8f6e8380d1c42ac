import type { ApiServer } from '@nestjs-operator/apiserver';
import type { ModuleMetadata } from '@nestjs/common';
import { Test, type TestingModule, type TestingModuleBuilder } from '@nestjs/testing';
import { KubeClient, OperatorRef, type KubeConfigSource } from 'nestjs-operator';
import {
  API_CLIENT,
  OPERATOR_CLOCK,
  OPERATOR_EXIT,
  OPERATOR_LOGGER,
  OPERATOR_OPTIONS,
  OPERATOR_RAW_OPTIONS,
  OperatorModule,
  resolveOptions,
  type Clock,
  type ClosableApiClient,
  type OperatorModuleOptions,
} from 'nestjs-operator/internal';
import { capturedEvents, type CapturedEvent } from './captured-events.js';
import { EventLoopRest } from './event-loop-rest.js';
import { eventually } from './eventually.js';
import { FakeExit } from './fake-exit.js';
import { KitTimeoutError } from './kit-timeout.error.js';
import { LogRecorder } from './log-recorder.js';
import { importsModule } from './module-search.js';
import { startStageServer, TestStage, watchServer, type TestStageOptions } from './test-stage.js';
import type { VirtualClock } from './virtual-clock.js';
import { within } from './within.js';

/** Real milliseconds that handlers may take before waiting for them is given up. */
const longestSettling = 60_000;

/** Virtual milliseconds in which the operator has to be in sync. */
const longestSync = 600_000;

interface ModuleOptions extends Pick<ModuleMetadata, 'imports' | 'providers' | 'controllers'> {
  /**
   * Options of the operator. They are laid over those of `OperatorModule.forRoot` where the imports have one; else the
   * kit imports it, under the name `test.example.com`.
   */
  readonly operator?: Partial<OperatorModuleOptions>;
  /** A last word on the builder before it compiles. */
  readonly override?: (builder: TestingModuleBuilder) => TestingModuleBuilder;
  /** Initialise the module, which starts the operator. @defaultValue true */
  readonly init?: boolean;
  /**
   * Real milliseconds in which the module has to be up, in which `synced()` has to be done, and in which `close()` has to be.
   * What takes longer rejects, and is left behind.
   * @defaultValue 20 s
   */
  readonly timeout?: number;
}

/** Options of {@link createOperatorTestingModule}. */
export interface OperatorTestingOptions extends ModuleOptions, TestStageOptions {
  /** Time stands still until the test moves it. The other choice is `'real'`. @defaultValue 'virtual' */
  readonly clock?: 'virtual';
  /** A stage that runs already, such as one that an earlier operator worked on. It is not closed with the module. */
  readonly stage?: TestStage;
}

/** Options of {@link createOperatorTestingModule} in real time. */
export interface RealTimeTestingOptions extends ModuleOptions, TestStageOptions {
  /** Server and operator run on the machine's clock, as for handlers that wait for something outside of it. */
  readonly clock: 'real';
}

/** Options of {@link createClusterTestingModule}. */
export interface ClusterTestingOptions extends ModuleOptions {
  /** The cluster to work on. */
  readonly kubeConfig: KubeConfigSource;
}

/** A Nest testing module with an operator in it that works on a cluster, in real time. */
export interface ClusterTestingModule {
  readonly module: TestingModule;
  /** The operator's own client. */
  readonly client: KubeClient;
  readonly operator: OperatorRef;
  readonly logs: LogRecorder;
  readonly exit: FakeExit;
  /**
   * Resolves when the operator has started and has seen all that there is; on a virtual clock time moves for as long as that
   * takes, ten minutes at most.
   *
   * @throws the operator's own failure where it does not come up, or KitTimeoutError (`TESTING_KIT_TIMEOUT`) with what the
   * operator still waits for
   */
  synced(): Promise<void>;
  /** Kubernetes events that the operator has posted and the server has now, oldest first. On a virtual clock settle before. */
  postedEvents(): Promise<readonly CapturedEvent[]>;
  /**
   * Closes the module and with it the operator. Handlers that do not end are given up after `shutdown.drain` and
   * `shutdown.grace`: on a real clock `timeout` has to leave time for them.
   *
   * @throws KitTimeoutError (`TESTING_KIT_TIMEOUT`) after `timeout`, with what is known of the operator
   */
  close(): Promise<void>;
}

/** The same before an embedded API server, with time in the test's hand. */
export interface OperatorTestingModule extends ClusterTestingModule {
  readonly api: ApiServer;
  readonly clock: VirtualClock;
  readonly stage: TestStage;
  /**
   * Resolves when nothing is left to do now: no request in flight, no change on its way, no key due. What waits for time
   * (retries, slow handlers) is left to `clock.advance`.
   */
  settled(): Promise<void>;
}

/** The same before an embedded API server, in real time. */
export interface RealTimeTestingModule extends ClusterTestingModule {
  readonly api: ApiServer;
  /** Resolves when nothing is left to do now: no request in flight, no change on its way, no handler at work. */
  settled(): Promise<void>;
}

/**
 * Starts a Nest testing module whose operator works against an embedded API server: both on one virtual clock, or with
 * `clock: 'real'` on the machine's.
 */
export function createOperatorTestingModule(options: RealTimeTestingOptions): Promise<RealTimeTestingModule>;
export function createOperatorTestingModule(options: OperatorTestingOptions): Promise<OperatorTestingModule>;
export function createOperatorTestingModule(
  options: OperatorTestingOptions | RealTimeTestingOptions,
): Promise<OperatorTestingModule | RealTimeTestingModule> {
  return options.clock === 'real' ? inRealTime(options) : inVirtualTime(options);
}

async function inVirtualTime(options: OperatorTestingOptions): Promise<OperatorTestingModule> {
  const stage = options.stage ?? (await TestStage.start(options));
  const { api, clock, rest } = stage;
  const closeStage = async (): Promise<void> => {
    if (options.stage === undefined) await stage.close();
  };
  try {
    const built = await build(options, api.kubeConfig(), clock);
    const unwatch = watchClient(rest, built.apiClient);
    return {
      ...built.testing,
      api,
      clock,
      stage,
      settled: () => stage.settled(),
      synced: () => within(limitOf(options), syncedInVirtualTime(clock, built), () => built.notSynced()),
      close: async () => {
        try {
          // What is being closed may wait for time: a drain, a clean-up handler.
          await within(limitOf(options), clock.during(built.closing()), built.notClosed);
        } finally {
          unwatch();
          await closeStage();
        }
      },
    };
  } catch (error) {
    await closeStage();
    throw error;
  }
}

async function syncedInVirtualTime(clock: VirtualClock, { ready, notSynced }: Built): Promise<void> {
  const work = ready();
  const state = { ended: false };
  const end = (): void => {
    state.ended = true;
  };
  work.then(end, end);
  try {
    await clock.advanceUntil(() => state.ended, longestSync);
  } catch (cause) {
    throw notSynced(`${longestSync} ms of virtual time`, cause);
  }
  return work;
}

async function inRealTime(options: RealTimeTestingOptions): Promise<RealTimeTestingModule> {
  const api = await startStageServer(options);
  try {
    const { testing, apiClient } = await build(options, api.kubeConfig(), undefined);
    const rest = new EventLoopRest();
    watchServer(rest, api);
    watchClient(rest, apiClient);
    return {
      ...testing,
      api,
      settled: async () => {
        await rest.reached();
        while (testing.operator.getStatus().due > 0) {
          await eventually(() => testing.operator.getStatus().due === 0, { timeout: longestSettling, interval: 5 });
          await rest.reached();
        }
      },
      close: async () => {
        try {
          await testing.close();
        } finally {
          await api.close();
        }
      },
    };
  } catch (error) {
    await api.close();
    throw error;
  }
}

/** Starts a Nest testing module whose operator works on a cluster that runs already, in real time. */
export async function createClusterTestingModule(options: ClusterTestingOptions): Promise<ClusterTestingModule> {
  return (await build(options, options.kubeConfig, undefined)).testing;
}

function watchClient(rest: EventLoopRest, client: ClosableApiClient): () => void {
  let received = client.received;
  return rest.watch(() => {
    if (client.inFlight > 0) return `${client.inFlight} requests of the operator`;
    if (client.received === received) return undefined;
    received = client.received;
    return 'pieces of a watch that arrive';
  });
}

interface Built {
  readonly testing: ClusterTestingModule;
  readonly apiClient: ClosableApiClient;
  /** Settles with the operator's first sync, or with its end. */
  readonly ready: () => Promise<void>;
  readonly notSynced: (limit?: string, cause?: unknown) => Error;
  /** Closes the module, however long that takes. */
  readonly closing: () => Promise<void>;
  readonly notClosed: () => Error;
}

async function build(options: ModuleOptions, kubeConfig: KubeConfigSource, clock: Clock | undefined): Promise<Built> {
  const logs = new LogRecorder();
  const exit = new FakeExit();
  const imports = options.imports ?? [];
  const own = importsModule(imports, OperatorModule) ? [] : [OperatorModule.forRoot({ name: 'test.example.com' })];
  const builder = Test.createTestingModule({
    imports: [...imports, ...own],
    providers: options.providers ?? [],
    controllers: options.controllers ?? [],
  })
    .overrideProvider(OPERATOR_OPTIONS)
    .useFactory({
      factory: (raw: OperatorModuleOptions) =>
        resolveOptions({ preflight: 'off', ...raw, kubeConfig, ...options.operator }),
      inject: [OPERATOR_RAW_OPTIONS],
    })
    .overrideProvider(OPERATOR_EXIT)
    .useValue(exit)
    .overrideProvider(OPERATOR_LOGGER)
    .useValue(logs.logger);
  if (clock !== undefined) builder.overrideProvider(OPERATOR_CLOCK).useValue(clock);
  const limit = limitOf(options);
  const late = (what: string) => (): Error => new KitTimeoutError(what, `${limit} ms`, lastRecord(logs));
  const module = await within(
    limit,
    (options.override?.(builder) ?? builder).compile(),
    late('The providers of the testing module were not made'),
  );
  if (options.init ?? true) {
    await within(limit, module.init(), late('The hooks onModuleInit and onApplicationBootstrap did not end'));
  }
  const operator = module.get(OperatorRef, { strict: false });
  const client = module.get(KubeClient, { strict: false });
  const ready = (): Promise<void> => Promise.race([operator.whenSynced(), operator.done.then(() => undefined)]);
  const notSynced = (reached = `${limit} ms`, cause?: unknown): Error => {
    const { state, watches } = operator.getStatus();
    const waiting = watches
      .filter((watch) => watch.state !== 'watching')
      .map((watch) => `${watch.resource} is ${watch.state}`);
    const known = `The operator is ${state}${waiting.length === 0 ? '' : `; ${waiting.join(', ')}`}. ${lastRecord(logs)}`;
    return new KitTimeoutError('The operator was not in sync', reached, known, cause);
  };
  const closing = (): Promise<void> => module.close();
  const notClosed = (): Error => {
    const known =
      `The operator is ${operator.getStatus().state}: its handlers get shutdown.drain to end, shutdown.grace once they are ` +
      `aborted. Else a hook hangs: onModuleDestroy, beforeApplicationShutdown or onApplicationShutdown. ${lastRecord(logs)}`;
    return new KitTimeoutError('The testing module did not close', `${limit} ms`, known);
  };
  return {
    apiClient: module.get<ClosableApiClient>(API_CLIENT, { strict: false }),
    ready,
    notSynced,
    closing,
    notClosed,
    testing: {
      module,
      client,
      operator,
      logs,
      exit,
      synced: () => within(limit, ready(), () => notSynced()),
      postedEvents: () => capturedEvents(client),
      close: () => within(limit, closing(), notClosed),
    },
  };
}

const limitOf = ({ timeout = 20_000 }: ModuleOptions): number => timeout;

/** The last thing that the operator complained of. */
function lastRecord(logs: LogRecorder): string {
  const last = logs.records.findLast(({ level }) => level === 'warn' || level === 'error');
  if (last === undefined) return 'It has complained of nothing.';
  const reason = last.error instanceof Error ? `: ${last.error.message}` : '';
  return `Its last complaint: ${last.message}${reason}`;
}
