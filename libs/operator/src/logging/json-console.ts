import { ConsoleLogger, Logger, type LoggerService } from '@nestjs/common';

/** Fails to print, and tells how many records it would have printed. */
class RecordCounter extends ConsoleLogger {
  records = 0;

  protected override printMessages(messages: unknown[]): void {
    this.records += messages.length;
  }
}

/** From Nest 12 on, consoles take fields beside the message; before, each argument was a record of its own. */
function takesFields(): boolean {
  const counter = new RecordCounter({ logLevels: ['log'], json: true });
  counter.log('message', { field: true }, 'context');
  return counter.records === 1;
}

let fieldsTaken: boolean | undefined;

/** Whether a sink is a JSON console that keeps message, fields and error apart. */
export function isFieldConsole(sink: LoggerService | undefined): sink is ConsoleLogger {
  if (!(sink instanceof ConsoleLogger)) return false;
  const { options } = sink as unknown as {
    readonly options?: { readonly json?: boolean; readonly structuredParams?: boolean };
  };
  if (options?.json !== true || options.structuredParams === false) return false;
  fieldsTaken ??= takesFields();
  return fieldsTaken;
}

/** The application's sink, or `undefined` while it is not decided (buffered logs) or there is none. */
export function applicationSink(): LoggerService | undefined {
  const state = Logger as unknown as {
    readonly staticInstanceRef?: LoggerService;
    readonly isBufferAttached?: boolean;
  };
  return state.isBufferAttached === true ? undefined : state.staticInstanceRef;
}
