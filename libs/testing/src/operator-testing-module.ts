import { startApiServer, type ApiServer, type JsonObject } from '@nestjs-operator/apiserver';
import type { ModuleMetadata } from '@nestjs/common';
import { Test, type TestingModule, type TestingModuleBuilder } from '@nestjs/testing';
import { KubeClient, OperatorRef } from 'nestjs-operator';
import {
  API_CLIENT,
  OPERATOR_CLOCK,
  OPERATOR_EXIT,
  OPERATOR_LOGGER,
  OPERATOR_OPTIONS,
  OPERATOR_RAW_OPTIONS,
  OperatorModule,
  resolveOptions,
  type ClosableApiClient,
  type OperatorModuleOptions,
} from 'nestjs-operator/internal';
import { EventLoopRest } from './event-loop-rest.js';
import { FakeExit } from './fake-exit.js';
import { LogRecorder } from './log-recorder.js';
import { importsModule } from './module-search.js';
import { crdFrom, type CrdSource } from './permissive-crd.js';
import { VirtualClock } from './virtual-clock.js';

export interface OperatorTestingOptions extends Pick<ModuleMetadata, 'imports' | 'providers' | 'controllers'> {
  /** Installed before the operator starts. */
  readonly crds?: readonly CrdSource[];
  /** Created before the operator starts. */
  readonly objects?: readonly (JsonObject | string)[];
  /**
   * Options of the operator. They are laid over those of `OperatorModule.forRoot` where the imports have one; else the
   * kit imports it, under the name `test.example.com`.
   */
  readonly operator?: Partial<OperatorModuleOptions>;
  /** A server that runs already, such as one that several tests share. It is not closed with the module. */
  readonly api?: ApiServer;
  /** `override` as Nest's own: a last word on the builder before it compiles. */
  readonly override?: (builder: TestingModuleBuilder) => TestingModuleBuilder;
  /** Start the operator with the module. @defaultValue true */
  readonly start?: boolean;
}

/** A Nest testing module with an operator in it, an API server before it, and time in its hand. */
export interface OperatorTestingModule {
  readonly module: TestingModule;
  readonly api: ApiServer;
  readonly clock: VirtualClock;
  /** The operator's own client. */
  readonly client: KubeClient;
  readonly operator: OperatorRef;
  readonly logs: LogRecorder;
  readonly exit: FakeExit;
  /**
   * Resolves when nothing is left to do now: no request in flight, no change on its way, no key due. What waits for time
   * (retries, slow handlers) is left to `clock.advance`.
   */
  settled(): Promise<void>;
  /** Closes the module, its operator and its server. */
  close(): Promise<void>;
}

/** Starts an embedded API server and a Nest testing module whose operator works against it, both on one virtual clock. */
export async function createOperatorTestingModule(options: OperatorTestingOptions): Promise<OperatorTestingModule> {
  const rest = new EventLoopRest();
  const clock = new VirtualClock(rest);
  const logs = new LogRecorder();
  const exit = new FakeExit();
  const crds = (options.crds ?? []).map(crdFrom);
  const api = options.api ?? (await startApiServer({ clock, crds, objects: [...(options.objects ?? [])] }));
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
        resolveOptions({ ...raw, kubeConfig: api.kubeConfig(), ...options.operator, autoStart: options.start ?? true }),
      inject: [OPERATOR_RAW_OPTIONS],
    })
    .overrideProvider(OPERATOR_CLOCK)
    .useValue(clock)
    .overrideProvider(OPERATOR_EXIT)
    .useValue(exit)
    .overrideProvider(OPERATOR_LOGGER)
    .useValue(logs.logger);
  try {
    const module = await (options.override?.(builder) ?? builder).compile();
    const apiClient = module.get<ClosableApiClient>(API_CLIENT, { strict: false });
    rest.watch(() => (api.activity.count > 0 ? `${api.activity.count} requests at the API server` : undefined));
    rest.watch(() => (apiClient.inFlight > 0 ? `${apiClient.inFlight} requests of the operator` : undefined));
    await module.init();
    const operator = module.get(OperatorRef, { strict: false });
    return {
      module,
      api,
      clock,
      client: module.get(KubeClient, { strict: false }),
      operator,
      logs,
      exit,
      settled: () => clock.settle(),
      close: async () => {
        const closed = module.close();
        // What is being closed may wait for time: a drain, a clean-up handler.
        await settleWhile(closed, clock);
        if (options.api === undefined) await api.close();
      },
    };
  } catch (error) {
    if (options.api === undefined) await api.close();
    throw error;
  }
}

/** Moves time on until the work has ended. */
async function settleWhile(work: Promise<unknown>, clock: VirtualClock): Promise<void> {
  const state = { ended: false };
  const end = (): void => {
    state.ended = true;
  };
  work.then(end, end);
  await clock.advanceUntil(() => state.ended);
  await work;
}
