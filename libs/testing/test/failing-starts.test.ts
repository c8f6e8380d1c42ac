import 'reflect-metadata';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Injectable } from '@nestjs/common';
import {
  CustomResource,
  FatalError,
  HandlerContext,
  KubeObject,
  OnCreate,
  OnStartup,
  ResourceHandlers,
} from 'nestjs-operator';
import { expect, test } from 'vitest';
import {
  createClusterTestingModule,
  createOperatorTestingModule,
  eventually,
  KitTimeoutError,
  type ClusterTestingModule,
} from '../src/index.js';
import { operatorMatchers } from '../src/vitest.js';

expect.extend(operatorMatchers);

@CustomResource({ group: 'demo.example', version: 'v1', kind: 'Note', plural: 'notes', scope: 'Namespaced' })
class Note extends KubeObject<{ text: string }> {}

@Injectable()
class Broken {
  constructor() {
    throw new Error('broken on purpose');
  }
}

@Injectable()
class NeverReady {
  @OnStartup()
  wait(): Promise<void> {
    return new Promise(() => undefined);
  }
}

@Injectable()
class HangingHook {
  onModuleInit(): Promise<void> {
    return new Promise(() => undefined);
  }
}

@ResourceHandlers(Note)
class NoteHandlers {
  @OnCreate()
  greet(ctx: HandlerContext<Note>): void {
    ctx.event({ reason: 'Greeted', message: `Hello ${ctx.spec.text}` });
  }
}

@ResourceHandlers(Note)
class DoomedHandlers {
  @OnCreate()
  async end(ctx: HandlerContext<Note>): Promise<void> {
    await ctx.stopped.wait('1s');
    throw new FatalError('the disk is gone');
  }
}

/** What keeps a process alive. */
const sockets = (): string[] =>
  process.getActiveResourcesInfo().filter((kind) => /TCPServer|TCPSocket|TCPServerWrap|TCPSocketWrap/.test(kind));

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function endOf(work: Promise<unknown>): Promise<{ readonly error: unknown; readonly time: number }> {
  const began = performance.now();
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { error, time: performance.now() - began };
}

/** The messages of an error and of its causes. */
function chain(error: unknown): string {
  return error instanceof Error ? `${error.message} <- ${chain(error.cause)}` : 'end';
}

const limit = 5_000;

test('a start that fails rejects with the cause in the set time, whatever it is, and leaves no socket open', async () => {
  const before = sockets().length;

  const constructor = await endOf(createOperatorTestingModule({ providers: [Broken], timeout: limit }));
  expect(chain(constructor.error)).toContain('broken on purpose');
  expect(constructor.time).toBeLessThan(limit);

  const hanging = await createOperatorTestingModule({ providers: [NeverReady], clock: 'real', timeout: 500 });
  const startup = await endOf(hanging.synced());
  expect(startup.error).toBeInstanceOf(KitTimeoutError);
  expect(String(startup.error)).toMatch(/not in sync within 500 ms\. The operator is starting/);
  expect(startup.time).toBeLessThan(limit);
  await endOf(hanging.close());

  const kubeConfig = `apiVersion: v1
kind: Config
clusters: [{ name: c, cluster: { server: 'http://127.0.0.1:${await closedPort()}' } }]
users: [{ name: u, user: {} }]
contexts: [{ name: c, context: { cluster: c, user: u } }]
current-context: c
`;
  const unreachable: ClusterTestingModule = await createClusterTestingModule({
    kubeConfig,
    providers: [NoteHandlers],
    operator: { watching: { syncTimeout: '1s' } },
    timeout: limit,
  });
  const absent = await endOf(unreachable.synced());
  expect(chain(absent.error)).toContain('ECONNREFUSED');
  expect(absent.time).toBeLessThan(limit);
  await unreachable.close();

  const doomed = await createOperatorTestingModule({ crds: [Note], providers: [DoomedHandlers], timeout: limit });
  await doomed.synced();
  await doomed.client.create(Note, { metadata: { name: 'a', namespace: 'default' }, spec: { text: 'a' } });
  const fatal = await endOf(doomed.clock.during(doomed.operator.done));
  expect(chain(fatal.error)).toContain('the disk is gone');
  expect(fatal.time).toBeLessThan(limit);
  await doomed.close();

  // A closed socket is gone with a later turn of the loop.
  const left = await eventually(sockets, { timeout: 5_000, until: (open) => open.length <= before });
  expect(left.length).toBeLessThanOrEqual(before);
});

test('a hook that hangs is told by the deadline, and its server is closed', async () => {
  const { error } = await endOf(createOperatorTestingModule({ providers: [HangingHook], timeout: 200 }));
  expect(String(error)).toContain('The hooks onModuleInit and onApplicationBootstrap did not end within 200 ms');
});

test('synced() resolves once all is seen; postedEvents() are those that the operator posted', async () => {
  const t = await createOperatorTestingModule({ crds: [Note], providers: [NoteHandlers] });
  await t.synced();
  await t.client.create(Note, { metadata: { name: 'a', namespace: 'default' }, spec: { text: 'Ada' } });
  await t.settled();
  expect(await t.postedEvents()).toEqual([
    expect.objectContaining({ type: 'Normal', reason: 'Greeted', message: 'Hello Ada', count: 1 }),
  ]);
  expect(await t.postedEvents()).toHaveEvent({ reason: 'Greeted', message: /Ada/ });
  await t.close();
});
