import { parseDuration, type Duration } from '../duration.js';
import type { HandlerDeclaration } from '../decorators/handler-declaration.js';
import type { FilterContext } from '../engine/handling/handler-context.js';
import type { TimerSchedule } from '../engine/handling/timer-schedule.js';
import { flag } from './flag.js';
import { tryDuration } from './try-duration.js';

const longestJitter = 60_000;

/** The schedule of a `@Timer`; problems go to `say`. */
export function compileTimerSchedule(
  options: HandlerDeclaration['options'],
  say: (problem: string) => void,
): TimerSchedule {
  const duration = (name: 'interval' | 'idle' | 'jitter'): number | undefined =>
    options[name] === undefined ? undefined : tryDuration(options[name], name, say);
  const interval = duration('interval');
  const sharp = flag(options, 'sharp', say);
  if (interval === 0) say('option "interval" is 0: it would be called without end');
  if (sharp && options['interval'] === undefined) say('option "sharp" needs "interval": it is the width of the grid');
  return {
    interval,
    sharp,
    idle: duration('idle'),
    initialDelay: initialDelay(options['initialDelay'], say),
    jitter: duration('jitter') ?? Math.min((interval ?? 0) / 10, longestJitter),
  };
}

function initialDelay(value: unknown, say: (problem: string) => void): TimerSchedule['initialDelay'] {
  if (value === undefined) return 0;
  if (typeof value !== 'function') return tryDuration(value, 'initialDelay', say) ?? 0;
  return (context) => parseDuration((value as (context: FilterContext) => Duration)(context));
}
