export type { LogFields, Logger, LogLevel, LogRecord } from './engine/ports/index.js';
