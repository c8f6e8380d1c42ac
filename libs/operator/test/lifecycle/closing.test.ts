import { connect } from 'node:net';
import {
  Injectable,
  Module,
  type INestApplicationContext,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Transport, type TcpOptions } from '@nestjs/microservices';
import { describe, expect, it } from 'vitest';
import { OperatorModule } from '../../src/operator.module.js';
import { OperatorFakes } from './support/fake-engine.js';
import { operatorModule } from './support/operator-app.js';

interface Running {
  readonly app: INestApplicationContext;
  /** Ports that the application listens on. */
  readonly ports: readonly number[];
}

interface Scene {
  readonly fakes: OperatorFakes;
  readonly order: string[];
  readonly root: Type;
}

function scene(): Scene {
  const fakes = new OperatorFakes();
  const order: string[] = [];
  @Injectable()
  class Database implements OnModuleDestroy, OnApplicationShutdown {
    onModuleDestroy(): void {
      order.push('destroyed');
    }
    onApplicationShutdown(): void {
      order.push('shut down');
    }
  }
  @Module({ imports: [operatorModule(fakes)], providers: [Database] })
  class Root {}
  return { fakes, order, root: Root };
}

const quiet = { logger: false as const, abortOnError: false };
const tcp: TcpOptions = { transport: Transport.TCP, options: { host: '127.0.0.1', port: 0 } };

function portOf(server: unknown): number {
  return ((server as { address(): unknown }).address() as { port: number }).port;
}

/** Whether anybody listens on a port. */
function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

const kinds: readonly [string, (root: Type) => Promise<Running>][] = [
  [
    'HTTP',
    async (root) => {
      const app = await NestFactory.create(root, quiet);
      await app.listen(0, '127.0.0.1');
      return { app, ports: [portOf(app.getHttpServer())] };
    },
  ],
  ['context', async (root) => ({ app: await NestFactory.createApplicationContext(root, quiet), ports: [] })],
  [
    'microservice',
    async (root) => {
      const app = await NestFactory.createMicroservice(root, { ...quiet, ...tcp });
      await app.listen();
      return {
        app,
        ports: [portOf((app as unknown as { serverInstance: { server: unknown } }).serverInstance.server)],
      };
    },
  ],
  [
    'hybrid',
    async (root) => {
      const app = await NestFactory.create(root, quiet);
      const micro = app.connectMicroservice(tcp);
      await app.startAllMicroservices();
      await app.listen(0, '127.0.0.1');
      const { server } = (micro as unknown as { serverInstance: { server: unknown } }).serverInstance;
      return { app, ports: [portOf(app.getHttpServer()), portOf(server)] };
    },
  ],
];

describe.each(kinds)('an unrecoverable error in a %s application', (_kind, open) => {
  it.each(['attached', 'only imported'])('closes hooks and servers, %s', async (how) => {
    const { fakes, order, root } = scene();
    const { app, ports } = await open(root);
    if (how === 'attached') OperatorModule.attach(app);
    expect(await Promise.all(ports.map(isOpen))).toEqual(ports.map(() => true));
    fakes.engine.fatal(new Error('A watch ended.'), 'test');
    await expect(fakes.engine.done).rejects.toThrow('A watch ended.');
    expect(order).toEqual(['destroyed', 'shut down']);
    expect(await Promise.all(ports.map(isOpen))).toEqual(ports.map(() => false));
    expect(fakes.engine.calls).toContain('closed');
    expect(fakes.exit.codes).toEqual([1]);
  });
});
