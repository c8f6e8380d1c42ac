export type { Clock, ExitPort, LogFields, Logger, LogLevel, LogRecord, Random, Timer } from './ports/index.js';
export { createLogger, ProcessExit, SystemClock, SystemRandom } from './ports/index.js';
