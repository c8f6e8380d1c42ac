import type { OperatorConfig } from '../../../src/engine/operator-config.js';
import {
  createLogger,
  type Clock,
  type EmergencyOutput,
  type ExitPort,
  type LogRecord,
  type ProcessEvents,
  type StopSignal,
  type Timer,
} from '../../../src/engine/ports/index.js';
import type { StopParticipant } from '../../../src/engine/supervision/supervised.js';
import { Supervisor, type StopWatchdog } from '../../../src/engine/supervision/supervisor.js';
import type { TerminationLog } from '../../../src/engine/supervision/termination-log.js';

/** Lets every promise and immediate that is ready run. */
export const settle = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

interface Pending {
  readonly due: number;
  readonly fire: () => void;
  readonly background: boolean;
}

export class VirtualClock implements Clock {
  #time = 0;
  readonly pending = new Set<Pending>();

  now(): number {
    return this.#time;
  }

  monotonic(): number {
    return this.#time;
  }

  setTimer(delay: number, fire: () => void, options: { background?: boolean } = {}): Timer {
    const timer = { due: this.#time + delay, fire, background: options.background ?? false };
    this.pending.add(timer);
    return { cancel: () => void this.pending.delete(timer) };
  }

  /** Timers fire in order of time, each with all that follows from it done before the next. */
  async advance(duration: number): Promise<void> {
    const end = this.#time + duration;
    await settle();
    for (;;) {
      const [next] = [...this.pending].filter(({ due }) => due <= end).toSorted((a, b) => a.due - b.due);
      if (next === undefined) break;
      this.pending.delete(next);
      this.#time = next.due;
      next.fire();
      await settle();
    }
    this.#time = end;
  }
}

export class RecordingExit implements ExitPort {
  readonly codes: number[] = [];
  readonly exits: { readonly code: number; readonly at: number }[] = [];
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  setCode(code: number): void {
    this.codes.push(code);
  }

  exit(code: number): void {
    this.exits.push({ code, at: this.#clock.monotonic() });
  }
}

/** The rest of the operator, by script: records the calls, and lets a test change what each step does. */
export class ScriptedParticipant implements StopParticipant {
  readonly calls: string[] = [];
  readonly running = new Set<string>();
  readonly #clock: Clock;
  releasedClean: boolean | undefined;
  backgroundReason: Error | undefined;
  onAbort: () => void = () => this.running.clear();
  onCleanup: (signal: AbortSignal) => Promise<void> = () => Promise.resolve();
  onRelease: () => Promise<void> = () => Promise.resolve();
  onCloseApp: () => Promise<void> = () => Promise.resolve();
  #whenDrained: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A handler that ends by itself after `duration`. */
  handler(name: string, duration: number): void {
    this.running.add(name);
    this.#clock.setTimer(duration, () => this.finish(name));
  }

  finish(name: string): void {
    this.running.delete(name);
    this.#checkDrained();
  }

  stopIntake(): void {
    this.calls.push('stopIntake');
  }

  stopBackground(reason: Error): void {
    this.backgroundReason = reason;
    this.#note('stopBackground');
  }

  drained(): Promise<void> {
    const drained = new Promise<void>((resolve) => {
      this.#whenDrained.push(resolve);
    });
    this.#checkDrained();
    return drained;
  }

  abortHandlers(): void {
    this.#note('abortHandlers');
    this.onAbort();
    this.#checkDrained();
  }

  stragglers(): readonly string[] {
    return [...this.running];
  }

  cleanup(signal: AbortSignal): Promise<void> {
    this.#note('cleanup');
    return this.onCleanup(signal);
  }

  releaseLease(clean: boolean): Promise<void> {
    this.releasedClean = clean;
    this.#note('releaseLease');
    return this.onRelease();
  }

  closeApp(): Promise<void> {
    this.#note('closeApp');
    return this.onCloseApp();
  }

  #note(call: string): void {
    this.calls.push(`${call}@${this.#clock.monotonic()}`);
  }

  #checkDrained(): void {
    if (this.running.size > 0) return;
    for (const resolve of this.#whenDrained.splice(0)) resolve();
  }
}

export const shutdown: OperatorConfig['shutdown'] = {
  drain: 20_000,
  crashDrain: 2_000,
  deadline: 25_000,
  grace: 5_000,
};

export interface World {
  readonly clock: VirtualClock;
  readonly exit: RecordingExit;
  readonly records: LogRecord[];
  readonly participant: ScriptedParticipant;
  readonly supervisor: Supervisor;
  readonly emergency: string[];
  readonly watchdog: string[];
  /** `level message task` of the records, without debug lines of state changes. */
  lines(): string[];
  errors(): LogRecord[];
}

export function createWorld(
  options: {
    readonly crash?: 'exit' | 'reject';
    readonly shutdown?: Partial<OperatorConfig['shutdown']>;
    readonly terminationLog?: TerminationLog;
    readonly write?: (record: LogRecord) => void;
  } = {},
): World {
  const clock = new VirtualClock();
  const exit = new RecordingExit(clock);
  const records: LogRecord[] = [];
  const emergency: string[] = [];
  const watchdog: string[] = [];
  const participant = new ScriptedParticipant(clock);
  const emergencyOutput: EmergencyOutput = { write: (text) => void emergency.push(text) };
  const dog: StopWatchdog = {
    arm: (deadline) => void watchdog.push(`armed ${deadline}`),
    disarm: () => void watchdog.push('disarmed'),
  };
  const supervisor = new Supervisor({
    clock,
    exit,
    logger: createLogger(options.write ?? ((record) => void records.push(record))),
    config: { crash: options.crash ?? 'exit', shutdown: { ...shutdown, ...options.shutdown } },
    participant,
    emergencyOutput,
    watchdog: dog,
    ...(options.terminationLog === undefined ? {} : { terminationLog: options.terminationLog }),
  });
  return {
    clock,
    exit,
    records,
    participant,
    supervisor,
    emergency,
    watchdog,
    lines: () =>
      records
        .filter(({ message }) => message !== 'Operator state changed')
        .map(({ level, message, fields }) =>
          [level, message, ...[fields['task'] ?? fields['origin']].filter((name) => typeof name === 'string')].join(
            ' ',
          ),
        ),
    errors: () => records.filter(({ level }) => level === 'error'),
  };
}

/** A root task that ends when its signal is aborted, by rejecting with the reason, as fetches and timers do. */
export function obedient(signal: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** A root task that a test ends. */
export function controlled(): {
  readonly task: (signal: AbortSignal) => Promise<void>;
  fail(error: unknown): void;
  end(): void;
} {
  let reject!: (error: unknown) => void;
  let resolve!: () => void;
  const own = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return {
    task: (signal) => Promise.race([own, obedient(signal)]),
    fail: (error) => reject(error),
    end: () => resolve(),
  };
}

/** The process's events, raised by a test. `raised`: what was thrown back to Node. */
export class FakeProcessEvents implements ProcessEvents {
  readonly raised: unknown[] = [];
  readonly #listeners = new Map<string, Set<(value: never) => void>>();

  onSignal(signal: StopSignal, listener: (signal: StopSignal) => void): () => void {
    return this.listen(signal, listener);
  }

  onUncaughtException(listener: (error: unknown) => void): () => void {
    return this.listen('uncaughtException', listener);
  }

  onUnhandledRejection(listener: (reason: unknown) => void): () => void {
    return this.listen('unhandledRejection', listener);
  }

  listenerCount(event: string): number {
    return this.#listeners.get(event)?.size ?? 0;
  }

  raise(error: unknown): void {
    this.raised.push(error);
  }

  listen(event: string, listener: (value: never) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  emit(event: string, value: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(value as never);
  }
}
