import type {
  DynamicModule,
  INestApplication,
  INestApplicationContext,
  NestApplicationOptions,
  Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ProcessExit, type ExitPort } from '../engine/ports/index.js';
import { createNestLogger } from '../logging/nest-logger.js';
import { attachOperator, type AttachedOperator } from './attach.js';
import { leavingStartToCaller } from './left-start.js';
import type { OperatorRef } from './operator.ref.js';

/** Options of {@link runOperator}; beside its own, those of `NestFactory`. */
export interface RunOperatorOptions extends Omit<NestApplicationOptions, 'abortOnError' | 'preview'> {
  /**
   * Serve HTTP as well, on this port.
   * @defaultValue an application without HTTP
   */
  readonly http?: { readonly port: number; readonly host?: string };
  /**
   * Errors that nobody caught end the operator in good order, and are told with the handler that they come from.
   * Otherwise Node ends the process.
   * @defaultValue true
   */
  readonly processErrors?: boolean;
  /** Called with the application before it listens: for loggers, pipes, prefixes. */
  readonly configure?: (app: INestApplicationContext | INestApplication) => void | Promise<void>;
  /**
   * How the code of a failed start is recorded.
   * @defaultValue the process's exit code
   */
  readonly exit?: ExitPort;
}

/**
 * Creates the application and runs it as an operator, in place of `NestFactory`. Owns SIGTERM and SIGINT until the end.
 *
 * Resolves when the operator has started (with `autoStart: false`, when the application has). Rejects when the
 * application or the operator does not start; the process's exit code is 1 then.
 */
export async function runOperator(
  root: Type | DynamicModule | Promise<DynamicModule>,
  options: RunOperatorOptions = {},
): Promise<OperatorRef> {
  const { ref, lifecycle } = await leavingStartToCaller(() => bringUp(root, options));
  // A start that fails is told, counted and cleaned up by the engine.
  if (lifecycle.options.autoStart) await ref.start();
  return ref;
}

async function bringUp(
  root: Type | DynamicModule | Promise<DynamicModule>,
  options: RunOperatorOptions,
): Promise<AttachedOperator> {
  const { http, processErrors = true, configure, exit = new ProcessExit(), ...nest } = options;
  let app: INestApplicationContext | undefined;
  try {
    const server = http === undefined ? undefined : await NestFactory.create(root, { ...nest, abortOnError: false });
    app = server ?? (await NestFactory.createApplicationContext(root, { ...nest, abortOnError: false }));
    const attached = attachOperator(app, 'runOperator', processErrors ? 'all' : 'none');
    await configure?.(app);
    if (server !== undefined && http !== undefined) {
      await (http.host === undefined ? server.listen(http.port) : server.listen(http.port, http.host));
    }
    return attached;
  } catch (error) {
    exit.setCode(1);
    const logger = createNestLogger().child('OperatorModule');
    logger.log('error', 'The application did not start', {}, error);
    await app?.close().catch((failure: unknown) => {
      logger.log('error', 'The application did not close after its failed start', {}, failure);
    });
    throw error;
  }
}
