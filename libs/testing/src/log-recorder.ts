import { createLogger, type Logger, type LogRecord } from 'nestjs-operator/internal';

/** Keeps every record of the operator. */
export class LogRecorder {
  readonly records: LogRecord[] = [];
  readonly logger: Logger = createLogger((record) => this.records.push(record));

  /** Records of a level, or from a context, or with a message. */
  find(wanted: {
    readonly level?: LogRecord['level'];
    readonly context?: string;
    readonly message?: string | RegExp;
  }): LogRecord[] {
    const { level, context, message } = wanted;
    return this.records.filter(
      (record) =>
        (level === undefined || record.level === level) &&
        (context === undefined || record.context === context) &&
        (message === undefined ||
          (typeof message === 'string' ? record.message === message : message.test(record.message))),
    );
  }

  clear(): void {
    this.records.length = 0;
  }
}
