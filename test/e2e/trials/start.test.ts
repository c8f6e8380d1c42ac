import 'reflect-metadata';
import { createServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import {
  Controller,
  Get,
  Injectable,
  Module,
  type INestApplicationContext,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { eventually, FakeExit, LogRecorder, type BusyProbe } from '@nestjs-operator/testing';
import {
  HandlerContext,
  OnCleanup,
  OnCreate,
  OnStartup,
  OPERATOR_CLOCK,
  OPERATOR_EXIT,
  OPERATOR_LOGGER,
  OperatorModule,
  PermanentError,
  ResourceHandlers,
  runOperator,
  TemporaryError,
  type OperatorRef,
} from 'nestjs-operator';
import { API_CLIENT, type ClosableApiClient, type OperatorModuleOptions } from 'nestjs-operator/internal';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TestAuthority } from '../../../libs/operator/test/engine/client/certificates.js';
import { Widget } from '../../support/kinds.js';
import { openWorld } from './open-world.js';

/** Documented: the time for the first list of every resource. */
const syncTimeout = 2 * 60_000;
/** Documented: the whole of a stop. */
const deadline = 25_000;

@Controller()
class Hello {
  @Get()
  hello(): string {
    return 'hello';
  }
}

@Injectable()
class HostWitness implements OnApplicationShutdown {
  static shutdowns = 0;

  onApplicationShutdown(): void {
    HostWitness.shutdowns += 1;
  }
}

const calls: string[] = [];

@ResourceHandlers(Widget)
class WidgetHandlers {
  @OnCreate()
  created(ctx: HandlerContext<Widget>): void {
    calls.push(`create ${ctx.meta.name}`);
  }
}

/** Connections and servers of this process, and nothing else: timers are counted by the clock. */
const sockets = (): number => process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length;

/** A host application over HTTP, run by `runOperator` on the stage's clock. */
async function openHost(options: Partial<OperatorModuleOptions>, handlers: readonly (new () => unknown)[] = []) {
  const world = await openWorld();
  const { api, clock, rest } = world.stage;
  await world.admin.listPage(Widget, { namespace: 'default' });
  const logs = new LogRecorder();
  const exit = new FakeExit();
  calls.length = 0;
  HostWitness.shutdowns = 0;
  const operator = OperatorModule.forRoot({ name: 'test.example.com', kubeConfig: api.kubeConfig(), ...options });

  @Module({
    imports: [
      {
        ...operator,
        providers: [
          ...(operator.providers ?? []),
          { provide: OPERATOR_CLOCK, useValue: clock },
          { provide: OPERATOR_EXIT, useValue: exit },
          { provide: OPERATOR_LOGGER, useValue: logs.logger },
        ],
      },
    ],
    controllers: [Hello],
    providers: [HostWitness, WidgetHandlers, ...handlers],
  })
  class Host {}

  const before = { sockets: sockets(), timers: clock.pending, signals: process.listenerCount('SIGTERM') };
  let app: INestApplicationContext | undefined;
  const run = (): Promise<OperatorRef> =>
    runOperator(Host, {
      http: { port: 0, host: '127.0.0.1' },
      logger: false,
      exit,
      configure: (created) => {
        app = created;
        const client = created.get<ClosableApiClient>(API_CLIENT, { strict: false });
        const probe: BusyProbe = () => (client.inFlight > 0 ? 'requests of the operator' : undefined);
        onTestFinished(rest.watch(probe) as () => void);
      },
    });
  const server = (): AddressInfo | null =>
    (app as unknown as { getHttpServer(): { address(): AddressInfo | null } }).getHttpServer().address();
  /** Nothing that was opened is open, and nothing waits for time. */
  const expectClosed = async (): Promise<void> => {
    if (app !== undefined) expect(server()).toBeNull();
    await eventually(() => sockets() <= before.sockets);
    expect(clock.pending).toBeLessThanOrEqual(before.timers);
    expect(process.listenerCount('SIGTERM')).toBe(before.signals);
    expect(api.watches.list()).toEqual([]);
  };
  const hello = async (): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${server()!.port}/`, { headers: { connection: 'close' } });
    return response.text();
  };
  return { world, api, clock, logs, exit, run, hello, expectClosed };
}

/** The error that a promise ends with. */
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

/** The messages of an error and its causes. */
function chainOf(error: unknown): string {
  const messages: string[] = [];
  for (let current = error; current instanceof Error; current = current.cause) messages.push(current.message);
  return messages.join('\n');
}

async function closedPort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A server whose certificate is of one authority, and a kubeconfig that trusts another one. */
async function foreignAuthority(): Promise<{ server: string; ca: string }> {
  const [own, other] = [await TestAuthority.create(), await TestAuthority.create()];
  onTestFinished(async () => {
    await Promise.all([own.remove(), other.remove()]);
  });
  const server = createServer(await own.issue('server', 'IP:127.0.0.1'), (_request, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, ca: await other.certificate };
}

function kubeConfig(server: string, ca?: string): Exclude<OperatorModuleOptions['kubeConfig'], undefined> {
  const data = ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  return {
    clusters: [{ name: 'c', cluster: { server, ...data } }],
    users: [{ name: 'u', user: {} }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  } as never;
}

describe('a start that fails in a host application', () => {
  it('[TC-43] without its kubeconfig, the start rejects at once with code 1', async () => {
    const { world, clock, exit, run, expectClosed } = await openHost({ kubeConfig: 'no/such/kubeconfig' });
    const error = await clock.during(failureOf(run()));
    expect(chainOf(error)).toContain('no/such/kubeconfig');
    expect(exit.code).toBe(1);
    await expectClosed();
    await world.expectQuiet();
  });

  it.each([
    { what: 'a CA that did not sign the server', config: async () => foreignAuthority(), tells: /certificate/i },
    {
      what: 'a CA that is no certificate',
      config: async () => ({ ...(await foreignAuthority()), ca: 'This is no certificate.' }),
      tells: /certificate/i,
    },
    {
      what: 'a server that is not there',
      config: async () => ({ server: `http://127.0.0.1:${await closedPort()}`, ca: undefined }),
      tells: /ECONNREFUSED/,
    },
  ])('[TC-43] with $what, the operator ends with code 1 and closes its host', async ({ config, tells }) => {
    const { server, ca } = await config();
    const { world, clock, logs, exit, run, hello, expectClosed } = await openHost({
      kubeConfig: kubeConfig(server, ca),
    });
    const begun = clock.monotonic();
    const ref = await clock.during(run());
    const done = failureOf(ref.done);
    // The host works meanwhile, and does not take the operator for one that does.
    expect(await hello()).toBe('hello');
    expect(ref.getStatus().watches.filter(({ state }) => state === 'watching')).toEqual([]);
    await clock.advanceUntil(() => exit.exits.length > 0, syncTimeout + deadline);
    expect(clock.monotonic() - begun).toBeLessThanOrEqual(syncTimeout + deadline);
    expect(exit.exits).toEqual([1]);
    expect(exit.code).toBe(1);
    expect(chainOf(await done)).toMatch(/widgets/);
    expect(JSON.stringify(logs.records.map(({ error, fields }) => [chainOf(error), fields]))).toMatch(tells);
    expect(ref.getStatus().state).toBe('failed');
    expect(HostWitness.shutdowns).toBe(1);
    await expectClosed();
    await world.expectQuiet();
  });

  it.each([
    { what: 'throws for good', error: () => new PermanentError('No such database.'), attempts: 1 },
    { what: 'throws anything, as often as it may', error: () => new Error('No such database.'), attempts: 3 },
  ])(
    '[TC-43] when a start-up handler $what, the start rejects with code 1 and only what was started is cleaned up',
    async ({ error, attempts }) => {
      @Injectable()
      class Opened {
        @OnStartup()
        open(): void {
          calls.push('opened');
        }

        @OnCleanup()
        close(): void {
          calls.push('closed');
        }
      }
      @Injectable()
      class Broken {
        @OnStartup({ retries: 3 })
        connect(): void {
          calls.push('broken');
          throw error();
        }

        @OnCleanup()
        disconnect(): void {
          calls.push('must not be cleaned up');
        }
      }
      const { world, api, clock, exit, run, expectClosed } = await openHost({}, [Opened, Broken]);
      api.requests.clear();
      const begun = clock.monotonic();
      const failure = await clock.during(failureOf(run()));
      expect(chainOf(failure)).toContain('No such database.');
      expect(clock.monotonic() - begun).toBeLessThanOrEqual(10_000 + deadline);
      await clock.advanceUntil(() => exit.exits.length > 0, deadline);
      expect(exit.exits).toEqual([1]);
      expect(exit.code).toBe(1);
      expect(calls).toEqual(['opened', ...Array.from({ length: attempts }, () => 'broken'), 'closed']);
      expect(HostWitness.shutdowns).toBe(1);
      expect(api.requests.all()).toEqual([]);
      await expectClosed();
      await world.expectQuiet();
    },
  );

  it('[TC-43] when a start-up handler asks for two more tries, nothing is watched before it is through', async () => {
    const requestsSeen: number[] = [];
    const states: string[] = [];
    let look = (): void => undefined;

    @Injectable()
    class Patient {
      tries = 0;

      @OnStartup()
      open(): void {
        this.tries += 1;
        look();
        if (this.tries < 3) throw new TemporaryError('The database is not up yet.', { delay: '5s' });
      }

      @OnCleanup()
      close(): void {
        calls.push('closed');
      }
    }
    const { world, api, clock, exit, run, expectClosed, hello } = await openHost({}, [Patient]);
    api.requests.clear();
    look = () => void requestsSeen.push(api.requests.length);
    const begun = clock.monotonic();
    const ref = await clock.during(run());
    states.push(ref.getStatus().state);
    expect(clock.monotonic() - begun).toBe(10_000);
    expect(requestsSeen).toEqual([0, 0, 0]);
    expect(await hello()).toBe('hello');
    await clock.during(ref.whenSynced());
    await world.admin.create(Widget, { metadata: { name: 'a', namespace: 'default' }, spec: {} });
    await world.until(() => calls.length === 1);
    await world.expectQuiet();
    await clock.during(ref.stop());
    expect(calls).toEqual(['create a', 'closed']);
    expect(states).toEqual(['running']);
    expect(exit.exits).toEqual([]);
    expect(exit.code ?? 0).toBe(0);
    await expectClosed();
  });
});
