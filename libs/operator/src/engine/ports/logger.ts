/** How urgent a record is; `docs/design/log-style.md` tells what each level is for. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Fields of a record: identifiers, counts, durations. Never object bodies, secrets, credentials or arguments. */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * Where the engine's records go. Messages are constant; what varies is in the fields. One call is one record, whatever
 * the sink: an adapter must not split the error from its message.
 */
export interface Logger {
  log(level: LogLevel, message: string, fields?: LogFields, error?: unknown): void;
  /** The same sink with a fixed context (the component) and further fixed fields. */
  child(context: string, fields?: LogFields): Logger;
}

/** What a {@link Logger} hands to its sink. */
export interface LogRecord {
  readonly level: LogLevel;
  readonly context: string;
  readonly message: string;
  readonly fields: LogFields;
  readonly error?: unknown;
}

/** A logger over a function that takes whole records. */
export function createLogger(write: (record: LogRecord) => void, context = 'Operator', fixed: LogFields = {}): Logger {
  return {
    log(level, message, fields, error) {
      const all = fields === undefined ? fixed : { ...fixed, ...fields };
      write(
        error === undefined
          ? { level, context, message, fields: all }
          : { level, context, message, fields: all, error },
      );
    },
    child: (name, fields) => createLogger(write, name, { ...fixed, ...fields }),
  };
}
