export type {
  LogFields,
  Logger as OperatorLogger,
  LogLevel as OperatorLogLevel,
  LogRecord,
} from './engine/ports/index.js';
