import type { HandlerDeclaration } from '../decorators/handler-declaration.js';
import type { DaemonTrigger } from '../engine/handling/resource-handler.js';
import { flag } from './flag.js';
import { oneOf } from './one-of.js';
import { tryDuration } from './try-duration.js';

const polling = 60_000;

/** What a `@Daemon` says beyond its filter; problems go to `say`. */
export function compileDaemon(
  options: HandlerDeclaration['options'],
  say: (problem: string) => void,
): Omit<DaemonTrigger, 'on' | 'filter'> {
  const duration = (name: string): number | undefined =>
    options[name] === undefined ? undefined : tryDuration(options[name], name, say);
  const cancellationPolling = duration('cancellationPolling') ?? polling;
  if (cancellationPolling === 0) say('option "cancellationPolling" is 0: it would warn without end');
  return {
    initialDelay: duration('initialDelay') ?? 0,
    jitter: duration('jitter') ?? 0,
    restart: oneOf(options, 'restart', ['never', 'onChange', 'always'], say),
    cancellation: {
      cancellationBackoff: duration('cancellationBackoff') ?? 0,
      cancellationTimeout: duration('cancellationTimeout'),
      cancellationPolling,
    },
    finalizer: options['finalizer'] === undefined || flag(options, 'finalizer', say),
  };
}
