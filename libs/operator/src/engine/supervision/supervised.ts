/** States of the operator, in order. `lifecycle.ts` holds the transitions. */
export type OperatorState =
  /** Built, nothing runs. */
  | 'idle'
  /** Start-up handlers run. */
  | 'starting'
  /** Resources are looked up and watched, handlers work. */
  | 'running'
  /** Steps 1 to 3 of the stop: no new work, running handlers get the time to end. */
  | 'draining'
  /** Steps 4 to 7: tasks are cancelled, clean-up, lease, closing of the application. */
  | 'stopping'
  /** Final: the stop ended and nothing had failed. */
  | 'stopped'
  /** Final: the stop ended, and something had failed before or during it. */
  | 'failed';

/** One supervised task of the operator. */
export interface RootTaskStatus {
  readonly name: string;
  readonly state: 'running' | 'cancelled' | 'ended' | 'failed';
}

/** A long task that whoever began it may end. */
export interface StoppableTask {
  /** Aborts the task's signal, and resolves when it has ended. Never rejects: a failure on the way is the supervisor's. */
  stop(reason: Error): Promise<void>;
}

/** What the supervisor offers to the parts of the engine that run tasks. */
export interface TaskSupervisor {
  /**
   * Runs a long task. It must end only because `signal` was aborted, by a stop of the operator or of the task: a
   * rejection, and a normal end before that, are unrecoverable. `lease`: cancelled only after clean-up. `last`: after
   * everything else, the closing of the application included; it is no reason to count as not stopped.
   */
  run(
    name: string,
    task: (signal: AbortSignal) => Promise<void>,
    options?: { readonly phase?: 'root' | 'lease' | 'last' },
  ): StoppableTask;
  /**
   * Runs a task whose end at any time is in order (a watcher of a resource that may vanish, a request in the
   * background). Only its rejection is unrecoverable. Resolves when the task ended, never rejects.
   */
  runFinite(name: string, task: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /** Reports an unrecoverable error from outside a task. Returns at once; the first report wins, later ones are logged. */
  fail(error: unknown, origin: string): void;
}

/** What the stopping sequence does to the rest of the operator, step by step. Each call must return or resolve without throwing; a rejection is logged and the sequence goes on. */
export interface StopParticipant {
  /** Step 2: no new cycle begins. Synchronous. */
  stopIntake(): void;
  /** Step 3: daemons are told at once. */
  stopBackground(reason: Error): void;
  /** Step 3: resolves when no handler runs any more. */
  drained(): Promise<void>;
  /** Step 3, after the drain: running handlers get their signal. */
  abortHandlers(reason: Error): void;
  /** What still runs, by name: `handler ensure of widgets.v1.demo.example team-a/one`. */
  stragglers(): readonly string[];
  /** Step 5: `@OnCleanup`, bounded by `signal`. */
  cleanup(signal: AbortSignal): Promise<void>;
  /** Step 6: release the lease when `clean` (every handler has ended), else leave it. */
  releaseLease(clean: boolean): Promise<void>;
  /** Step 7: close the application. */
  closeApp(): Promise<void>;
}
