import type { ApiServer } from '@nestjs-operator/apiserver';
import type { ApiClient, ApiRequest } from '../../src/engine/client/api-client.js';
import { createApiClient } from '../../src/engine/client/create-api-client.js';
import { defaultConfig } from '../../src/engine/defaults.js';
import type { EngineObserver } from '../../src/engine/engine-observer.js';
import type { Engine } from '../../src/engine/engine-types.js';
import type { HandlerContext } from '../../src/engine/handling/handler-context.js';
import type { HandlerDefinition, Trigger } from '../../src/engine/handling/handler-definition.js';
import { IndexRegistry } from '../../src/engine/indexing/index-registry.js';
import { createEngine } from '../../src/engine/operator-engine.js';
import type { OperatorConfig } from '../../src/engine/operator-config.js';
import { createLogger, SystemClock, type Clock, type LogRecord, type Timer } from '../../src/engine/ports/index.js';

/** The definition of the objects that the operator works on. */
export const widgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.demo.example' },
  spec: {
    group: 'demo.example',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        subresources: { status: {} },
      },
    ],
  },
};

export const widgetType = { apiVersion: 'demo.example/v1', kind: 'Widget' };

/** The machine's clock, which knows the timers that wait. */
export class CountingClock implements Clock {
  readonly pending = new Set<object>();
  readonly #clock = new SystemClock();

  now(): number {
    return this.#clock.now();
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  setTimer(delay: number, fire: () => void, options?: { background?: boolean }): Timer {
    const entry = {};
    this.pending.add(entry);
    const timer = this.#clock.setTimer(
      delay,
      () => {
        this.pending.delete(entry);
        fire();
      },
      options,
    );
    return {
      cancel: () => {
        this.pending.delete(entry);
        timer.cancel();
      },
    };
  }
}

export interface EngineRig {
  readonly engine: Engine;
  readonly clock: CountingClock;
  readonly records: ReadonlyArray<Pick<LogRecord, 'level' | 'message'>>;
  /** How many were made so far. */
  readonly requests: () => number;
  /** Ends the connections. */
  close(): Promise<void>;
  /** Requests and streams that are open. */
  inFlight(): number;
}

export interface EngineRigOptions {
  readonly server: ApiServer;
  readonly handlers: Readonly<Record<string, readonly Trigger[]>>;
  readonly invoke?: (handler: string, context: HandlerContext) => unknown;
  readonly config?: Partial<OperatorConfig>;
  readonly observer?: EngineObserver;
  /** Sees each request before it is sent, and once it is answered. */
  readonly onRequest?: (request: ApiRequest, when: 'before' | 'after') => void;
}

/** A whole operator without Nest, on the embedded server and in real time, with waits short enough for a test. */
export function engineRig(options: EngineRigOptions): EngineRig {
  const clock = new CountingClock();
  const random = { next: () => 0 };
  const records: Array<Pick<LogRecord, 'level' | 'message'>> = [];
  let requests = 0;
  const logger = createLogger(({ level, message }) => {
    // Not the error: its stack would keep alive what was at work when it was made.
    if (level !== 'debug') records.push({ level, message });
  });
  const backoff = { initial: 2, factor: 1, cap: 2, reset: 120_000 };
  const config: OperatorConfig = {
    ...defaultConfig,
    name: 'op.example',
    preflight: 'off',
    crash: 'reject',
    watching: { ...defaultConfig.watching, backoff },
    ...options.config,
  };
  const inner = createApiClient({
    kubeConfig: options.server.kubeConfig(),
    config: config.client,
    clock,
    random,
    logger,
    observer: options.observer,
  });
  const seen = async <T>(request: ApiRequest, send: () => Promise<T>): Promise<T> => {
    options.onRequest?.(request, 'before');
    requests += 1;
    try {
      return await send();
    } finally {
      options.onRequest?.(request, 'after');
    }
  };
  const client: ApiClient = {
    request: (request) => seen(request, () => inner.request(request)),
    stream: (request) => seen(request, () => inner.stream(request)),
  };
  const engine = createEngine({
    config,
    handlers: Object.entries(options.handlers).map(([id, triggers]): HandlerDefinition => ({
      id,
      origin: `Tests.${id}`,
      resource: { group: 'demo.example', version: 'v1', plural: 'widgets' },
      triggers,
      policy: { errors: 'temporary', abortOnChange: false, result: 'merge' },
    })),
    activities: [],
    invoker: {
      invoke: async ({ id }, context) => options.invoke?.(id, context),
      invokeActivity: () => Promise.reject(new Error('There are no activities here.')),
    },
    indexes: new IndexRegistry(),
    client,
    clock,
    random,
    exit: { setCode: () => undefined, exit: () => undefined },
    logger,
    closeApp: () => Promise.resolve(),
    ...(options.observer === undefined ? {} : { observer: options.observer }),
  });
  return {
    engine,
    clock,
    records,
    requests: () => requests,
    close: () => inner.close(),
    inFlight: () => inner.inFlight,
  };
}
