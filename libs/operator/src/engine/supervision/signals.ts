import type { Clock, ExitPort, Logger, ProcessEvents, StopSignal } from '../ports/index.js';
import type { Supervisor } from './supervisor.js';

/** A terminal and npm may both deliver one Ctrl-C; a signal this soon after the first one is taken for its echo. */
const echo = 1_000;

/** What a shell reports for a process ended by the signal. */
const signalCodes: Readonly<Record<StopSignal, number>> = { SIGINT: 130, SIGTERM: 143 };

export interface StopSignalsOptions {
  readonly events: ProcessEvents;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly exit: ExitPort;
  readonly supervisor: Pick<Supervisor, 'stop' | 'state' | 'exitCode'>;
}

/**
 * Owns SIGTERM and SIGINT from now on. Returns the function that gives them up; an application that keeps it installed
 * to the end also has a signal that Nest raises again answered with the recorded code.
 *
 * For `crash: 'exit'` only: with `'reject'` the process belongs to the application, and so do its signals.
 */
export function ownStopSignals({ events, clock, logger, exit, supervisor }: StopSignalsOptions): () => void {
  const log = logger.child('Signals');
  let first: number | undefined;
  const onSignal = (signal: StopSignal): void => {
    if (supervisor.state === 'stopped' || supervisor.state === 'failed') {
      log.log('debug', 'Signal after the stop; the process ends', { signal, code: supervisor.exitCode });
      exit.exit(supervisor.exitCode);
      return;
    }
    if (first === undefined) {
      first = clock.monotonic();
      log.log('info', 'Signal received; the operator stops', { signal });
      supervisor.stop({ reason: signal, exitAfterStop: true }).catch((error: unknown) => {
        log.log('error', 'The stop after a signal failed', { signal }, error);
      });
      return;
    }
    if (clock.monotonic() - first < echo) {
      log.log('debug', 'Signal repeated at once; ignored', { signal });
      return;
    }
    log.log('warn', 'Second signal; the process ends at once', { signal, code: signalCodes[signal] });
    exit.exit(signalCodes[signal]);
  };
  const removers = (['SIGTERM', 'SIGINT'] as const).map((signal) => events.onSignal(signal, onSignal));
  return () => {
    for (const remove of removers.splice(0)) remove();
  };
}
