import { inspect } from 'node:util';
import type { LogRecord } from '../engine/ports/index.js';
import { describeError, safeError } from './safe-error.js';
import { textLine } from './text-line.js';

/**
 * A record that each sink turns into one line of its own kind. It may be buffered before the sink is known, so it carries
 * all forms: consoles inspect it, JSON consoles serialize it, pino copies its own properties (`msg`, `err` and the
 * fields), others read `message` or make a text of it.
 */
export class LogEntry {
  readonly #record: LogRecord;

  constructor(record: LogRecord) {
    this.#record = record;
    const { message, fields, error } = record;
    const own = { ...fields, msg: message, ...(error === undefined ? {} : { err: safeError(error) }) };
    for (const [key, value] of Object.entries(own)) {
      Object.defineProperty(this, key, { value, enumerable: true });
    }
  }

  get message(): string {
    return this.#record.message;
  }

  toJSON(): Readonly<Record<string, unknown>> {
    const { message, fields, error } = this.#record;
    return { message, ...fields, ...(error === undefined ? {} : { error: describeError(error) }) };
  }

  toString(): string {
    return textLine(this.#record);
  }

  [inspect.custom](): string {
    return textLine(this.#record);
  }
}
