import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Injectable,
  Module,
  type INestApplicationContext,
  type OnModuleDestroy,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { describe, expect, it } from 'vitest';
import { runInHandlerScope } from '../../src/engine/supervision/handler-scope.js';
import { MissingOperatorModuleError } from '../../src/errors/missing-operator-module.error.js';
import { OperatorRef } from '../../src/lifecycle/operator.ref.js';
import { runOperator, type RunOperatorOptions } from '../../src/lifecycle/run-operator.js';
import { OperatorModule } from '../../src/operator.module.js';
import type { OperatorModuleOptions } from '../../src/operator.options.js';
import { OperatorFakes } from './support/fake-engine.js';
import { operatorModule, turn } from './support/operator-app.js';

function rootOf(fakes: OperatorFakes, options: Partial<OperatorModuleOptions> = {}, providers: Type[] = []): Type {
  @Module({ imports: [operatorModule(fakes, options)], providers })
  class Root {}
  return Root;
}

function quiet(fakes: OperatorFakes, options: RunOperatorOptions = {}): RunOperatorOptions {
  return { logger: false, exit: fakes.exit, ...options };
}

describe('runOperator', () => {
  it('starts a context, owns the signals, and ends with 0 on the first one', async () => {
    const fakes = new OperatorFakes();
    const ref = await runOperator(rootOf(fakes), quiet(fakes));
    expect(ref).toBeInstanceOf(OperatorRef);
    expect(ref.getStatus().state).toBe('running');
    expect(['SIGTERM', 'SIGINT'].map((signal) => fakes.events.listenerCount(signal))).toEqual([1, 1]);
    fakes.events.emit('SIGTERM', 'SIGTERM');
    await ref.done;
    expect(fakes.engine.calls).toEqual(['start', 'stop SIGTERM', 'drained', 'stop application closes', 'closed']);
    // Nest raises the signal again: it must be answered with the recorded code.
    fakes.events.emit('SIGTERM', 'SIGTERM');
    expect(fakes.exit.exits).toEqual([0]);
  });

  it('serves HTTP on the given port and closes it', async () => {
    const fakes = new OperatorFakes();
    let app: INestApplicationContext | undefined;
    const ref = await runOperator(
      rootOf(fakes),
      quiet(fakes, {
        http: { port: 0, host: '127.0.0.1' },
        configure: (created) => {
          app = created;
        },
      }),
    );
    const server = (app as unknown as { getHttpServer(): { listening: boolean } }).getHttpServer();
    expect(server.listening).toBe(true);
    await ref.stop();
    expect(server.listening).toBe(false);
  });

  it('gives the process back after a stop without a signal', async () => {
    const fakes = new OperatorFakes();
    const ref = await runOperator(rootOf(fakes), quiet(fakes));
    expect(fakes.events.listeners).toHaveLength(4);
    await ref.stop();
    expect(fakes.events.listeners).toEqual([]);
  });

  it('leads errors that nobody caught to the operator', async () => {
    const fakes = new OperatorFakes();
    const ref = await runOperator(rootOf(fakes), quiet(fakes));
    const failure = new Error('Nobody caught this.');
    fakes.events.emit('unhandledRejection', failure);
    await expect(ref.done).rejects.toBe(failure);
    expect(fakes.engine.calls).toContain('fatal process (unhandled rejection)');
  });

  it('leaves them to Node with processErrors: false', async () => {
    const fakes = new OperatorFakes();
    const ref = await runOperator(rootOf(fakes), quiet(fakes, { processErrors: false }));
    expect(fakes.events.listenerCount('unhandledRejection')).toBe(0);
    await ref.stop();
  });

  it('does not start with autoStart: false', async () => {
    const fakes = new OperatorFakes();
    const ref = await runOperator(rootOf(fakes, { autoStart: false }), quiet(fakes));
    expect(ref.getStatus().state).toBe('idle');
    await ref.stop();
  });

  it('rejects when the operator does not start', async () => {
    const fakes = new OperatorFakes();
    const failure = new Error('The start-up handler failed.');
    fakes.prepare = (engine) => {
      engine.startFailure = failure;
    };
    await expect(runOperator(rootOf(fakes), quiet(fakes))).rejects.toBe(failure);
    expect(fakes.engine.calls).toContain('closed');
    expect(fakes.exit.codes).toEqual([1]);
  });

  it.each([
    ['wrong options', (fakes: OperatorFakes) => rootOf(fakes, { name: 'x' }), 'OPERATOR_INVALID_OPTIONS'],
    [
      'an unusable kubeconfig',
      (fakes: OperatorFakes) => rootOf(fakes, { kubeConfig: { clusters: [] } }),
      'OPERATOR_KUBE_CONFIG',
    ],
    ['two operators', (fakes: OperatorFakes) => twoOperators(fakes), 'OPERATOR_DUPLICATE_MODULE'],
  ])('rejects with code 1 on %s', async (_what, root, code) => {
    const fakes = new OperatorFakes();
    await expect(runOperator(root(fakes), quiet(fakes))).rejects.toMatchObject({ code });
    expect(fakes.exit.codes).toEqual([1]);
  });

  it('rejects without OperatorModule, and closes what it opened', async () => {
    const fakes = new OperatorFakes();
    const closed: string[] = [];
    @Injectable()
    class Database implements OnModuleDestroy {
      onModuleDestroy(): void {
        closed.push('database');
      }
    }
    @Module({ providers: [Database] })
    class Root {}
    await expect(runOperator(Root, quiet(fakes))).rejects.toBeInstanceOf(MissingOperatorModuleError);
    expect(closed).toEqual(['database']);
    expect(fakes.exit.codes).toEqual([1]);
  });

  it('rejects when another provider fails to come up', async () => {
    const fakes = new OperatorFakes();
    @Injectable()
    class Broken implements OnModuleInit {
      onModuleInit(): void {
        throw new Error('The database is away.');
      }
    }
    await expect(runOperator(rootOf(fakes, {}, [Broken]), quiet(fakes))).rejects.toThrow('The database is away.');
    expect(fakes.engines).toEqual([]);
    expect(fakes.exit.codes).toEqual([1]);
  });

  it('rejects when the port is taken, and stops the operator again', async () => {
    const fakes = new OperatorFakes();
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const options = quiet(fakes, { http: { port, host: '127.0.0.1' } });
    await expect(runOperator(rootOf(fakes), options)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(fakes.engine.getStatus().state).toBe('stopped');
    expect(fakes.exit.codes).toEqual([1]);
    await new Promise((resolve) => other.close(resolve));
  });
});

function twoOperators(fakes: OperatorFakes): Type {
  @Module({ imports: [operatorModule(fakes), operatorModule(fakes)] })
  class Root {}
  return Root;
}

describe('OperatorModule.attach', () => {
  it('owns signals, takes errors of handlers, and leaves foreign ones alone', async () => {
    const fakes = new OperatorFakes();
    const app = await NestFactory.createApplicationContext(rootOf(fakes), { logger: false, abortOnError: false });
    const ref = OperatorModule.attach(app);
    expect(fakes.events.listenerCount('SIGTERM')).toBe(1);
    const foreign: unknown[] = [];
    fakes.events.onUncaughtException((error) => foreign.push(error));
    fakes.events.emit('uncaughtException', new Error('Not of a handler.'));
    expect(foreign).toHaveLength(1);
    expect(ref.getStatus().state).toBe('running');
    const failure = new Error('Of a handler.');
    runInHandlerScope({ handler: 'ensure', key: 'pods.v1 team-a/one' }, () =>
      fakes.events.emit('uncaughtException', failure),
    );
    await expect(ref.done).rejects.toBe(failure);
    expect(fakes.engine.calls).toContain('fatal handler ensure of pods.v1 team-a/one (uncaught exception)');
  });

  it('leaves signals to the owner of the process with crash: reject', async () => {
    const fakes = new OperatorFakes();
    const root = rootOf(fakes, { crash: 'reject' });
    const app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
    OperatorModule.attach(app);
    expect(fakes.events.listenerCount('SIGTERM')).toBe(0);
    await app.close();
  });

  it('does nothing more when called again', async () => {
    const fakes = new OperatorFakes();
    const app = await NestFactory.createApplicationContext(rootOf(fakes), { logger: false, abortOnError: false });
    expect(OperatorModule.attach(app)).toBe(OperatorModule.attach(app));
    expect(fakes.events.listenerCount('SIGTERM')).toBe(1);
    await app.close();
    await turn();
    expect(fakes.events.listeners).toEqual([]);
  });

  it('refuses an application without OperatorModule, also over HTTP', async () => {
    @Module({})
    class Root {}
    const app = await NestFactory.create(Root, { logger: false, abortOnError: false });
    expect(() => OperatorModule.attach(app)).toThrow(MissingOperatorModuleError);
    await app.close();
  });
});
