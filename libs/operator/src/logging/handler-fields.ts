import { ConsoleLogger, Logger, type LoggerService } from '@nestjs/common';
import { currentOperatorContext, type CurrentOperatorContext } from '../invocation/current-context.js';
import { applicationSink, isFieldConsole } from './json-console.js';
import { LogEntry } from './log-entry.js';
import { fieldsText } from './text-line.js';

const levels = ['log', 'error', 'warn', 'debug', 'verbose', 'fatal'] as const;

const enriched = new WeakSet<LoggerService>();

/**
 * From now on, every line of a Nest logger within a handler names handler and object. Asked again at each call, as the
 * application may change its logger at any time. Outside of handlers nothing is altered.
 */
export function addHandlerFields(): void {
  const sink = applicationSink();
  // A `Logger` leads back to whatever is installed.
  if (sink === undefined || enriched.has(sink) || sink instanceof Logger) return;
  Logger.overrideLogger(withHandlerFields(sink));
}

function withHandlerFields(sink: LoggerService): LoggerService {
  // Nest asks consoles for more than the levels.
  const enriching = (sink instanceof ConsoleLogger ? Object.create(sink) : {}) as Record<string, unknown>;
  for (const level of levels) {
    if (typeof sink[level] !== 'function') continue;
    enriching[level] = (message: unknown, ...rest: unknown[]): unknown => {
      const scope = message instanceof LogEntry ? undefined : currentOperatorContext();
      return sink[level]?.(
        ...(scope === undefined ? ([message, ...rest] as const) : withFields(sink, scope, message, rest)),
      );
    };
  }
  if (typeof sink.setLogLevels === 'function') enriching['setLogLevels'] = sink.setLogLevels.bind(sink);
  const logger = enriching as unknown as LoggerService;
  enriched.add(logger);
  return logger;
}

function withFields(
  sink: LoggerService,
  scope: CurrentOperatorContext,
  message: unknown,
  rest: readonly unknown[],
): [unknown, ...unknown[]] {
  const fields = { ...scope };
  // Of several objects, consoles let the last one win: what the line says itself.
  if (isFieldConsole(sink)) return [message, fields, ...rest];
  if (message !== null && typeof message === 'object' && Object.getPrototypeOf(message) === Object.prototype) {
    return [{ ...fields, ...message }, ...rest];
  }
  if (isPino(sink)) {
    return message instanceof Error ? [{ ...fields, err: message }, ...rest] : [fields, message, ...rest];
  }
  if (typeof message !== 'string') return [message, ...rest];
  if (sink instanceof ConsoleLogger && isJson(sink)) {
    return [new LogEntry({ level: 'info', context: '', message, fields }), ...rest];
  }
  return [`${message} ${fieldsText(fields)}`, ...rest];
}

function isPino(sink: LoggerService): boolean {
  return typeof (sink as { readonly logger?: { readonly assign?: unknown } }).logger?.assign === 'function';
}

function isJson(sink: ConsoleLogger): boolean {
  return (sink as unknown as { readonly options?: { readonly json?: boolean } }).options?.json === true;
}
