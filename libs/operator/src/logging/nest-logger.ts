import { Logger as NestLogger, type LoggerService } from '@nestjs/common';
import { createLogger, type Logger, type LogLevel, type LogRecord } from '../engine/ports/index.js';
import { applicationSink, isFieldConsole } from './json-console.js';
import { LogEntry } from './log-entry.js';
import { safeError } from './safe-error.js';

const methods = { debug: 'debug', info: 'log', warn: 'warn', error: 'error' } as const satisfies Record<
  LogLevel,
  keyof LoggerService
>;

/**
 * The operator's logger over Nest's: each record is one record there, with its fields and its error's chain.
 *
 * Works with Nest's consoles (text and JSON, Nest 11 and 12), with nestjs-pino, and with any other LoggerService.
 *
 * @param sink where records go. Default: what the application logs to.
 */
export function createNestLogger(sink?: LoggerService): Logger {
  const loggers = new Map<string, NestLogger>();
  return createLogger((record) => {
    const target = sink ?? cached(loggers, record.context);
    const context = sink === undefined ? [] : [record.context];
    const method = methods[record.level];
    target[method]?.(...forms(record, sink ?? applicationSink()), ...context);
  });
}

function forms(record: LogRecord, sink: LoggerService | undefined): [unknown, ...unknown[]] {
  if (!isFieldConsole(sink)) return [new LogEntry(record)];
  const { message, fields, error } = record;
  return [message, { ...fields }, ...(error === undefined ? [] : [safeError(error)])];
}

function cached(loggers: Map<string, NestLogger>, context: string): NestLogger {
  const logger = loggers.get(context) ?? new NestLogger(context);
  loggers.set(context, logger);
  return logger;
}
