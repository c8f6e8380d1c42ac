import type { ProcessEvents } from '../ports/index.js';
import { currentHandlerScope } from './handler-scope.js';
import type { TaskSupervisor } from './supervised.js';

export interface ProcessErrorsOptions {
  readonly events: ProcessEvents;
  readonly supervisor: Pick<TaskSupervisor, 'fail'>;
  /**
   * `all`: every unhandled rejection and uncaught exception ends the operator. `own`: only those that a handler's
   * asynchronous context leads to; for foreign ones, whatever would happen without the operator happens.
   */
  readonly mode: 'all' | 'own';
}

/** Leads errors that nobody caught to the supervisor, with the handler they come from. Returns the function that undoes it. */
export function installProcessErrors({ events, supervisor, mode }: ProcessErrorsOptions): () => void {
  const own = (error: unknown, kind: string): boolean => {
    const scope = currentHandlerScope();
    if (scope !== undefined) supervisor.fail(error, `handler ${scope.handler} of ${scope.key} (${kind})`);
    else if (mode === 'all') supervisor.fail(error, `process (${kind})`);
    else return false;
    return true;
  };
  const removers = [
    events.onUnhandledRejection((reason) => {
      if (own(reason, 'unhandled rejection')) return;
      // Without any listener, Node makes it an uncaught exception.
      if (events.listenerCount('unhandledRejection') === 1) events.raise(reason);
    }),
    events.onUncaughtException((error) => {
      if (own(error, 'uncaught exception')) return;
      // Other listeners are called by Node itself. Without any, Node prints the error and ends the process.
      if (events.listenerCount('uncaughtException') > 1) return;
      uninstall();
      events.raise(error);
    }),
  ];
  const uninstall = (): void => {
    for (const remove of removers.splice(0)) remove();
  };
  return uninstall;
}
