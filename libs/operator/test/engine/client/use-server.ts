import { afterEach, beforeEach, expect } from 'vitest';
import type { ClosableApiClient } from '../../../src/engine/client/create-api-client.js';
import type { LogRecord } from '../../../src/engine/ports/index.js';
import { FakeClock } from './fake-clock.js';
import type { Answerer } from './raw-server.js';
import { RawServer, sendJson } from './raw-server.js';
import { kubeConfig, runOnClock, testClient, until } from './setup.js';

/** A raw server and a client for it, both new for each test. */
export class ServerUnderTest {
  clock!: FakeClock;
  server!: RawServer;
  client!: ClosableApiClient;
  logs!: LogRecord[];
  /** How the server answers; at first with 200 and a small object. */
  answer!: Answerer;
  /** When requests arrived, on the clock. */
  times!: number[];

  async start(): Promise<void> {
    this.clock = new FakeClock();
    this.times = [];
    this.answer = (_request, response) => sendJson(response, 200, { ok: true });
    this.server = await new RawServer((...args) => {
      this.times.push(this.clock.monotonic());
      return this.answer(...args);
    }).listen();
    const { client, logs } = testClient(this.clock, { kubeConfig: kubeConfig(this.server.url) });
    this.client = client;
    this.logs = logs;
  }

  async stop(): Promise<void> {
    await this.client.close();
    await until(() => this.server.open.size === 0);
    await this.server.close();
  }

  /** Moves the clock on whenever only time can bring progress. */
  run<T>(work: Promise<T>): Promise<T> {
    return runOnClock(work, this.clock, this.client);
  }

  /** Lets the next timer fire although a request is in flight: its time limit. */
  async expireFirst<T>(work: Promise<T>): Promise<T> {
    const seen = this.server.requests.length;
    await until(() => this.server.requests.length > seen);
    this.clock.advance(this.clock.next!);
    return work;
  }
}

/** Each test must leave no connection, no timer and nothing in flight. */
export function useServer(): ServerUnderTest {
  const on = new ServerUnderTest();
  beforeEach(() => on.start());
  afterEach(async () => {
    await on.stop();
    expect(on.clock.pending).toBe(0);
    expect(on.client.inFlight).toBe(0);
  });
  return on;
}
