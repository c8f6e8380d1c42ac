import type { FilterContext } from './handler-context.js';

/** When a timer calls. All times are milliseconds. */
export interface TimerSchedule {
  /** From the end of a call to the next one. Absent: one call, or with `idle` one for each change. */
  readonly interval: number | undefined;
  /** Calls keep to the grid that the first one began: the interval counts from start to start. */
  readonly sharp: boolean;
  /** Calls only when the essence of the object has not changed for this long. */
  readonly idle: number | undefined;
  /** Before the first call, once per object and process. */
  readonly initialDelay: number | ((context: FilterContext) => number);
  /** The first calls for what is there when the operator starts are spread over this time. */
  readonly jitter: number;
}
