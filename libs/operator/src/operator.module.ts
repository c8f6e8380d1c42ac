import { Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { HandlerExplorer } from './discovery/handler.explorer.js';
import type { ApiClient } from './engine/client/api-client.js';
import { createApiClient } from './engine/client/create-api-client.js';
import { KubeClient } from './engine/client/kube/kube-client.js';
import type { Transport } from './engine/client/transport/transport.js';
import { UndiciTransport } from './engine/client/transport/undici-transport.js';
import { HealthRoutes } from './engine/health/health-routes.js';
import { fencedInHandlers } from './engine/leaderelection/fenced-client.js';
import type { IndexToken } from './engine/indexing/index-registry.js';
import { ObserverHub } from './engine/observing/observer-hub.js';
import { createEngine } from './engine/operator-engine.js';
import {
  NodeProcessEvents,
  ProcessExit,
  SystemClock,
  SystemRandom,
  type Clock,
  type Logger,
  type Random,
} from './engine/ports/index.js';
import { InvalidOptionsError } from './errors/invalid-options.error.js';
import { OperatorEvents } from './events/operator-events.js';
import { indexProviders } from './indexes/index-providers.js';
import type { EngineFactory } from './lifecycle/engine-factory.js';
import { attachOperator } from './lifecycle/attach.js';
import { OperatorLifecycle } from './lifecycle/operator-lifecycle.js';
import { OperatorRef } from './lifecycle/operator.ref.js';
import { createNestLogger } from './logging/nest-logger.js';
import {
  API_CLIENT,
  ENGINE_FACTORY,
  OPERATOR_CLOCK,
  OPERATOR_EXIT,
  OPERATOR_LOGGER,
  OPERATOR_OPTIONS,
  OPERATOR_PROCESS_EVENTS,
  OPERATOR_RANDOM,
  OPERATOR_RAW_OPTIONS,
  OPERATOR_TRANSPORT,
} from './operator.constants.js';
import { OperatorFeatureModule } from './operator-feature.module.js';
import { ASYNC_OPTIONS_TYPE, ConfigurableModuleClass, OPTIONS_TYPE } from './operator.module-definition.js';
import type { OperatorModuleOptions } from './operator.options.js';
import { resolveOptions, type ResolvedOptions } from './options/resolve-options.js';

const importedBare =
  'OperatorModule is imported without options. Call OperatorModule.forRoot({ name: … }) once; other modules get at ' +
  'OperatorRef and KubeClient by importing the module that exports it, or with global: true';

/** Options of `OperatorModule.forFeature`. */
export interface OperatorFeatureOptions {
  /** Indexes to be injected. */
  readonly indexes?: ReadonlyArray<IndexToken<never, unknown>>;
}

/**
 * Makes an application an operator: finds the handlers among its providers and controllers, starts after and stops before
 * everything else, and closes the application on unrecoverable errors.
 *
 * Configure it once. It is not global: whoever injects {@link OperatorRef} or {@link KubeClient} imports the same dynamic
 * module, or it is given `global: true`.
 */
@Module({
  providers: [
    {
      provide: OPERATOR_OPTIONS,
      useFactory: (raw: OperatorModuleOptions | undefined) => {
        if (raw === undefined) throw new InvalidOptionsError([importedBare]);
        return resolveOptions(raw);
      },
      inject: [{ token: OPERATOR_RAW_OPTIONS, optional: true }],
    },
    { provide: OPERATOR_CLOCK, useFactory: () => new SystemClock() },
    { provide: OPERATOR_RANDOM, useFactory: () => new SystemRandom() },
    { provide: OPERATOR_EXIT, useFactory: () => new ProcessExit() },
    { provide: OPERATOR_PROCESS_EVENTS, useFactory: () => new NodeProcessEvents() },
    { provide: OPERATOR_TRANSPORT, useFactory: () => new UndiciTransport() },
    {
      provide: OPERATOR_LOGGER,
      useFactory: (options: ResolvedOptions) => createNestLogger(options.logger),
      inject: [OPERATOR_OPTIONS],
    },
    { provide: ObserverHub, useFactory: (logger: Logger) => new ObserverHub(logger), inject: [OPERATOR_LOGGER] },
    {
      provide: API_CLIENT,
      useFactory: (
        options: ResolvedOptions,
        clock: Clock,
        random: Random,
        logger: Logger,
        transport: Transport,
        { observer }: ObserverHub,
      ) =>
        createApiClient({
          kubeConfig: options.kubeConfig,
          config: options.client,
          fieldManager: options.name,
          clock,
          random,
          logger,
          transport,
          observer,
        }),
      inject: [OPERATOR_OPTIONS, OPERATOR_CLOCK, OPERATOR_RANDOM, OPERATOR_LOGGER, OPERATOR_TRANSPORT, ObserverHub],
    },
    {
      provide: KubeClient,
      useFactory: (client: ApiClient, options: ResolvedOptions, clock: Clock, random: Random) =>
        new KubeClient({
          client: fencedInHandlers(client),
          clock,
          random,
          retries: options.client.retries,
          fieldManager: options.name,
        }),
      inject: [API_CLIENT, OPERATOR_OPTIONS, OPERATOR_CLOCK, OPERATOR_RANDOM],
    },
    { provide: ENGINE_FACTORY, useValue: createEngine satisfies EngineFactory },
    { provide: HealthRoutes, useFactory: () => new HealthRoutes() },
    HandlerExplorer,
    OperatorEvents,
    OperatorLifecycle,
    OperatorRef,
  ],
  exports: [OperatorRef, OperatorEvents, KubeClient, ObserverHub],
})
export class OperatorModule extends ConfigurableModuleClass {
  /** Configures the operator. Wrong options reject the application's start with one error that lists them all. */
  static override forRoot(options: typeof OPTIONS_TYPE): DynamicModule {
    return super.forRoot(options);
  }

  /**
   * Configures the operator with options that come from elsewhere.
   *
   * @throws InvalidOptionsError `OPERATOR_INVALID_OPTIONS` when it is not said where they come from
   */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    const sources = [options.useFactory, options.useClass, options.useExisting].filter(
      (source) => source !== undefined,
    );
    if (sources.length !== 1) {
      throw new InvalidOptionsError(['forRootAsync needs exactly one of useFactory, useClass and useExisting']);
    }
    return super.forRootAsync(options);
  }

  /**
   * What one feature module needs of the operator: `indexes` become injectable in it by `@InjectIndex`. May be imported
   * any number of times.
   */
  static forFeature({ indexes = [] }: OperatorFeatureOptions): DynamicModule {
    const providers = indexProviders(indexes);
    return { module: OperatorFeatureModule, providers, exports: providers.map(({ provide }) => provide) };
  }

  /**
   * Hands the application to its operator, in `main.ts`: unrecoverable errors close it as `app.close()` does, SIGTERM and
   * SIGINT stop it cleanly, and errors that nobody caught are attributed where they come from a handler.
   *
   * @throws MissingOperatorModuleError `OPERATOR_MISSING_MODULE` when the application does not import this module
   */
  static attach(app: INestApplicationContext): OperatorRef {
    return attachOperator(app, 'OperatorModule.attach', 'own').ref;
  }
}
