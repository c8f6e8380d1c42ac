import type { LoggerService } from '@nestjs/common';
import { defaultConfig } from '../engine/defaults.js';
import { NamespacePatterns, splitPatterns } from '../engine/namespaces/namespace-patterns.js';
import type { KubeConfigSource } from '../engine/client/credentials/load-cluster-access.js';
import type { GrowingDelay, OperatorConfig } from '../engine/operator-config.js';
import type { KopfNames } from '../engine/persistence/kopf-state.js';
import { recordPlaces, type RecordStore } from '../engine/persistence/record-store.js';
import { InvalidOptionsError } from '../errors/invalid-options.error.js';
import type { OperatorModuleOptions } from '../operator.options.js';
import { describe, OptionReader } from './option-reader.js';
import { readAccess } from './read-access.js';
import { readHealth } from './read-health.js';
import { readLeaderElection } from './read-leader-election.js';

/** The options of the module, complete and checked. */
export interface ResolvedOptions extends OperatorConfig {
  readonly kubeConfig: KubeConfigSource | undefined;
  readonly autoStart: boolean;
  readonly globalEnhancers: boolean;
  readonly logger: LoggerService | undefined;
}

const label = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
const reserved = ['kubernetes.io', 'k8s.io'];

/**
 * Defaults, checks and conversions of the module's options.
 *
 * @throws InvalidOptionsError `OPERATOR_INVALID_OPTIONS` with every gap, names that are no option included.
 */
export function resolveOptions(raw: OperatorModuleOptions | undefined): ResolvedOptions {
  const gaps: string[] = [];
  const options = new OptionReader(raw ?? {}, '', gaps);
  const resolved: ResolvedOptions = {
    name: readName(options),
    formerNames: readFormerNames(options),
    namespaces: readNamespaces(options),
    kubeConfig: readKubeConfig(options),
    client: readClient(options.section('client')),
    watching: readWatching(options.section('watching')),
    queue: readQueue(options.section('queue')),
    retry: readRetry(options.section('retry')),
    shutdown: readShutdown(options.section('shutdown')),
    events: readEvents(options.section('events')),
    persistence: readPersistence(options.section('persistence')),
    preflight: options.choice('preflight', defaultConfig.preflight, ['off', 'warn', 'fail']),
    access: readAccess(options),
    leaderElection: readLeaderElection(options),
    health: readHealth(options.section('health')),
    crash: options.choice('crash', defaultConfig.crash, ['exit', 'reject']),
    autoStart: options.flag('autoStart', true),
    globalEnhancers: options.flag('globalEnhancers', false),
    logger: readLogger(options),
  };
  options.end();
  if (gaps.length > 0) throw new InvalidOptionsError(gaps);
  return Object.freeze(resolved);
}

function readName(options: OptionReader): string {
  const name = options.raw('name');
  const problem =
    name === undefined ? 'is missing: give a domain that you own, such as "volumes.example.com"' : nameProblem(name);
  if (problem !== undefined) options.gap('name', problem);
  return String(name);
}

function nameProblem(name: unknown): string | undefined {
  const parts = typeof name === 'string' ? name.split('.') : [];
  if (typeof name !== 'string' || name.length > 253 || parts.length < 2 || !parts.every((part) => label.test(part))) {
    return `must be a domain that you own, such as "volumes.example.com", not ${describe(name)}`;
  }
  const taken = reserved.find((domain) => name === domain || name.endsWith(`.${domain}`));
  return taken === undefined ? undefined : `must be a domain that you own; ${taken} is Kubernetes' own`;
}

function readFormerNames(options: OptionReader): readonly string[] {
  const names = options.raw('formerNames');
  if (names === undefined) return defaultConfig.formerNames;
  if (!Array.isArray(names)) {
    options.gap('formerNames', `must be a list of names, not ${describe(names)}`);
    return [];
  }
  names.forEach((name, index) => {
    const problem = nameProblem(name);
    if (problem !== undefined) options.gap(`formerNames[${index}]`, problem);
  });
  return names.map(String);
}

function readNamespaces(options: OptionReader): readonly string[] | undefined {
  const namespaces = options.raw('namespaces');
  if (namespaces === undefined) return undefined;
  if (!Array.isArray(namespaces) || namespaces.length === 0) {
    options.gap('namespaces', 'must be a list of at least one namespace; leave it out to watch all');
    return undefined;
  }
  namespaces.forEach((written: unknown, index) => {
    if (typeof written === 'string' && splitPatterns([written]).every((rule) => isNamespaceRule(rule))) return;
    const expected = 'must be the name of a namespace, or globs and exclusions such as "team-*,!*-test"';
    options.gap(`namespaces[${index}]`, `${expected}, not ${describe(written)}`);
  });
  // Of patterns, the order counts.
  const written = namespaces.map(String);
  return new NamespacePatterns(written).names ?? written;
}

function isNamespaceRule(rule: string): boolean {
  const name = rule.startsWith('!') ? rule.slice(1) : rule;
  return /[*?]/.test(name) ? /^[-a-z0-9*?]{1,63}$/.test(name) : label.test(name);
}

function readKubeConfig(options: OptionReader): KubeConfigSource | undefined {
  const source = options.raw('kubeConfig');
  if (source === undefined) return undefined;
  if ((typeof source === 'string' && source.trim() !== '') || (typeof source === 'object' && source !== null)) {
    return source as KubeConfigSource;
  }
  options.gap('kubeConfig', 'must be a path, a content, a KubeConfig, { file } or { inCluster: true }');
  return undefined;
}

function readClient(client: OptionReader): OperatorConfig['client'] {
  const { retries, timeout } = defaultConfig.client;
  return finish(client, {
    retries: client.durations('retries', retries),
    timeout: client.duration('timeout', timeout, { positive: true }),
  });
}

function readWatching(watching: OptionReader): OperatorConfig['watching'] {
  const defaults = defaultConfig.watching;
  const backoff = watching.section('backoff');
  const timeout = watching.section('timeout');
  const min = timeout.duration('min', defaults.timeout.min, { positive: true });
  const max = timeout.duration('max', Math.max(min, defaults.timeout.max), { positive: true });
  if (max < min) timeout.gap('max', 'must not be below min');
  return finish(watching, {
    backoff: finish(backoff, {
      ...readGrowingDelay(backoff, defaults.backoff),
      reset: backoff.duration('reset', defaults.backoff.reset),
    }),
    timeout: finish(timeout, { min, max }),
    pageSize: watching.count('pageSize', defaults.pageSize),
    silence: watching.duration('silence', defaults.silence, { positive: true }),
    syncTimeout: watching.duration('syncTimeout', defaults.syncTimeout, { positive: true }),
    failAfter: watching.duration('failAfter', defaults.failAfter),
    onForbidden: watching.choice('onForbidden', defaults.onForbidden, ['retry', 'exit']),
    missingKind: watching.choice('missingKind', defaults.missingKind, ['fail', 'wait']),
    pushSelectors: watching.flag('pushSelectors', defaults.pushSelectors),
    watchList: watching.flag('watchList', defaults.watchList),
    ...readKeep(watching),
  });
}

function readKeep(watching: OptionReader): Pick<OperatorConfig['watching'], 'keepManagedFields' | 'transform'> {
  const keep = watching.raw('keep');
  const known = keep === undefined || keep === 'withoutManagedFields' || keep === 'everything';
  if (!known && typeof keep !== 'function') {
    watching.gap('keep', `must be 'withoutManagedFields', 'everything' or a function, not ${describe(keep)}`);
  }
  return {
    keepManagedFields: keep === 'everything',
    transform: typeof keep === 'function' ? (keep as NonNullable<OperatorConfig['watching']['transform']>) : undefined,
  };
}

function readQueue(queue: OptionReader): OperatorConfig['queue'] {
  const defaults = defaultConfig.queue;
  const concurrency = queue.section('concurrency');
  return finish(queue, {
    throttle: queue.durations('throttle', defaults.throttle),
    concurrency: finish(concurrency, {
      perResource: concurrency.count('perResource', defaults.concurrency.perResource),
      total: concurrency.count('total', defaults.concurrency.total),
    }),
    resync: queue.duration('resync', defaults.resync, { positive: true }),
    stuckAfter: queue.duration('stuckAfter', defaults.stuckAfter, { positive: true }),
  });
}

function readRetry(retry: OptionReader): OperatorConfig['retry'] {
  const fraction = (value: number): boolean => value >= 0 && value <= 1;
  return finish(retry, {
    ...readGrowingDelay(retry, defaultConfig.retry),
    jitter: retry.number('jitter', defaultConfig.retry.jitter, fraction, 'a fraction from 0 to 1'),
  });
}

function readGrowingDelay(options: OptionReader, defaults: GrowingDelay): GrowingDelay {
  const initial = options.duration('initial', defaults.initial, { positive: true });
  const cap = options.duration('cap', Math.max(initial, defaults.cap), { positive: true });
  if (cap < initial) options.gap('cap', 'must not be below initial');
  return {
    initial,
    factor: options.number('factor', defaults.factor, (value) => value >= 1, 'a number from 1 on'),
    cap,
  };
}

function readShutdown(shutdown: OptionReader): OperatorConfig['shutdown'] {
  const defaults = defaultConfig.shutdown;
  const deadline = shutdown.duration('deadline', defaults.deadline, { positive: true });
  const within = (name: 'drain' | 'crashDrain' | 'grace'): number => {
    const value = shutdown.duration(name, Math.min(defaults[name], deadline));
    if (value > deadline) shutdown.gap(name, 'must not exceed deadline, which ends the whole stop');
    return value;
  };
  return finish(shutdown, {
    drain: within('drain'),
    crashDrain: within('crashDrain'),
    deadline,
    grace: within('grace'),
  });
}

function readEvents(events: OptionReader): OperatorConfig['events'] {
  const { enabled, failures } = defaultConfig.events;
  return finish(events, { enabled: events.flag('enabled', enabled), failures: events.flag('failures', failures) });
}

function readPersistence(persistence: OptionReader): OperatorConfig['persistence'] {
  const stores = readStores(persistence);
  const names = [...recordPlaces, ...Object.keys(stores)];
  return finish(persistence, {
    kopf: readKopf(persistence),
    stores,
    store: persistence.choice('store', defaultConfig.persistence.store, names),
  });
}

const kopfNames: KopfNames = {
  prefix: 'kopf.zalando.org',
  finalizer: 'kopf.zalando.org/KopfFinalizerMarker',
  statusField: 'kopf',
};

function readKopf(persistence: OptionReader): KopfNames | undefined {
  const given = persistence.raw('kopf');
  if (given === undefined || given === false) return undefined;
  if (given === true) return kopfNames;
  const kopf = persistence.section('kopf');
  const text = (name: keyof KopfNames): string => {
    const value = kopf.raw(name) ?? kopfNames[name];
    if (typeof value === 'string' && value !== '') return value;
    kopf.gap(name, `must be a text, not ${describe(value)}`);
    return kopfNames[name];
  };
  return finish(kopf, { prefix: text('prefix'), finalizer: text('finalizer'), statusField: text('statusField') });
}

function readStores(persistence: OptionReader): Readonly<Record<string, RecordStore>> {
  const given = persistence.raw('stores');
  if (given === undefined) return defaultConfig.persistence.stores;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    persistence.gap('stores', `must be an object of stores by name, not ${describe(given)}`);
    return {};
  }
  for (const [name, store] of Object.entries(given)) {
    if ((recordPlaces as readonly string[]).includes(name))
      persistence.gap(`stores.${name}`, 'has the name of a place on the object');
    const methods = ['load', 'save', 'remove'].filter(
      (method) => typeof (store as Record<string, unknown> | null | undefined)?.[method] !== 'function',
    );
    if (methods.length > 0) persistence.gap(`stores.${name}`, `is no record store: it lacks ${methods.join(', ')}`);
  }
  return Object.freeze({ ...(given as Record<string, RecordStore>) });
}

function readLogger(options: OptionReader): LoggerService | undefined {
  const logger = options.raw('logger');
  if (logger === undefined) return undefined;
  const methods = ['log', 'warn', 'error'];
  const complete =
    typeof logger === 'object' &&
    logger !== null &&
    methods.every((method) => typeof (logger as Record<string, unknown>)[method] === 'function');
  if (!complete) options.gap('logger', 'must be a LoggerService with log, warn and error');
  return complete ? (logger as LoggerService) : undefined;
}

function finish<T extends object>(options: OptionReader, section: T): Readonly<T> {
  options.end();
  return Object.freeze(section);
}
