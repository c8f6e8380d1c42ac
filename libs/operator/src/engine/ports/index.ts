export type { Clock, Timer } from './clock.js';
export { SystemClock } from './system-clock.js';
export type { ExitPort } from './exit.port.js';
export { ProcessExit } from './exit.port.js';
export type { LogFields, Logger, LogLevel, LogRecord } from './logger.js';
export { createLogger } from './logger.js';
export type { Random } from './random.js';
export { SystemRandom } from './random.js';
