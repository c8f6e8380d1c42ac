import { setImmediate as turn } from 'node:timers/promises';
import { createApiClient } from '../../../src/engine/client/create-api-client.js';
import type { ApiClientOptions, ClosableApiClient } from '../../../src/engine/client/create-api-client.js';
import type { KubeConfigFile, NamedUser } from '../../../src/engine/client/credentials/kube-config-file.js';
import { defaultConfig } from '../../../src/engine/defaults.js';
import type { LogRecord } from '../../../src/engine/ports/index.js';
import { createLogger } from '../../../src/engine/ports/index.js';
import type { FakeClock } from './fake-clock.js';

export function kubeConfig(
  server: string,
  user: NonNullable<NamedUser['user']> = {},
  cluster: object = {},
): KubeConfigFile {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    clusters: [{ name: 'test', cluster: { server, ...cluster } }],
    users: [{ name: 'test', user }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test', namespace: 'here' } }],
  };
}

export interface TestClient {
  readonly client: ClosableApiClient;
  readonly logs: LogRecord[];
}

/** A client whose every wait is on the given clock, without jitter. */
export function testClient(clock: FakeClock, options: Partial<ApiClientOptions>): TestClient {
  const logs: LogRecord[] = [];
  const client = createApiClient({
    config: defaultConfig.client,
    clock,
    random: { next: () => 0 },
    logger: createLogger((record) => logs.push(record)),
    ...options,
  });
  return { client, logs };
}

/** Lets the event loop turn until the condition holds: what is waited for is input and output, not time. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}

/** Moves the clock on, timer by timer, whenever nothing but time can bring progress, until the work is settled. */
export async function runOnClock<T>(work: Promise<T>, clock: FakeClock, client: ClosableApiClient): Promise<T> {
  let settled = false;
  const over = (): void => {
    settled = true;
  };
  work.then(over, over);
  while (!settled) {
    await turn();
    await turn();
    if (!settled && client.inFlight === 0 && clock.next !== undefined) clock.advance(clock.next);
  }
  return work;
}

/** What the work fails with. */
export async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('It was expected to fail, and did not.');
}
