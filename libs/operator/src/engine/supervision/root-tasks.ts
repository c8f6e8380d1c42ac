import { OperatorStoppingError } from '../../errors/operator-stopping.error.js';
import type { Logger } from '../ports/index.js';
import { causeChain } from './cause-chain.js';
import type { RootTaskStatus, StoppableTask } from './supervised.js';

export type TaskPhase = 'root' | 'lease' | 'last';

type Task = (signal: AbortSignal) => Promise<void>;

interface Entry {
  readonly name: string;
  readonly phase: TaskPhase;
  /** May end at any time. */
  readonly finite: boolean;
  readonly controller: AbortController;
  state: RootTaskStatus['state'];
  end: Promise<void>;
}

/** What the table tells its owner. */
export interface RootTasksOwner {
  readonly stopping: boolean;
  onTaskFailed(name: string, error: unknown): void;
  onTaskEnded(name: string): void;
}

/** The table of supervised tasks: no task of it ends unseen. */
export class RootTasks {
  readonly #logger: Logger;
  readonly #owner: RootTasksOwner;
  readonly #entries = new Set<Entry>();

  constructor(logger: Logger, owner: RootTasksOwner) {
    this.#logger = logger;
    this.#owner = owner;
  }

  /** `ended` resolves when the task ended, however it did. */
  start(
    name: string,
    task: Task,
    options: { readonly phase: TaskPhase; readonly finite: boolean },
  ): StoppableTask & { readonly ended: Promise<void> } {
    const entry: Entry = {
      name,
      ...options,
      controller: new AbortController(),
      state: 'running',
      end: Promise.resolve(),
    };
    this.#entries.add(entry);
    entry.end = this.#supervise(entry, task);
    return {
      ended: entry.end,
      stop: async (reason) => {
        entry.controller.abort(reason);
        await entry.end;
        if (entry.state === 'cancelled') this.#entries.delete(entry);
      },
    };
  }

  cancel(phase: TaskPhase, reason: Error): void {
    for (const entry of this.#running(phase)) entry.controller.abort(reason);
  }

  /** Resolves when no task of the phase runs. */
  async ended(phase: TaskPhase): Promise<void> {
    await Promise.all(this.#running(phase).map((entry) => entry.end));
  }

  /** Without a phase: of all that are to have ended before the last ones. */
  runningNames(phase?: TaskPhase): string[] {
    const running = this.#running(phase);
    return running.filter((entry) => phase !== undefined || entry.phase !== 'last').map((entry) => entry.name);
  }

  status(): RootTaskStatus[] {
    return [...this.#entries].map(({ name, state }) => ({ name, state }));
  }

  #running(phase?: TaskPhase): Entry[] {
    return [...this.#entries].filter(
      (entry) => entry.state === 'running' && (phase === undefined || entry.phase === phase),
    );
  }

  async #supervise(entry: Entry, task: Task): Promise<void> {
    try {
      await task(entry.controller.signal);
    } catch (error) {
      if (this.#cancelled(entry) && isCancellation(error, entry.controller.signal)) this.#setCancelled(entry);
      else {
        entry.state = 'failed';
        this.#owner.onTaskFailed(entry.name, error);
      }
      return;
    }
    if (this.#cancelled(entry)) this.#setCancelled(entry);
    else {
      entry.state = 'ended';
      if (entry.finite) this.#entries.delete(entry);
      else this.#owner.onTaskEnded(entry.name);
    }
  }

  /** The end of the intake ends tasks before their own signal is aborted: with a stop under way, an end is in order. */
  #cancelled(entry: Entry): boolean {
    return this.#owner.stopping || entry.controller.signal.aborted;
  }

  #setCancelled(entry: Entry): void {
    entry.state = 'cancelled';
    this.#logger.log('debug', 'Task cancelled', { task: entry.name });
  }
}

/** The error only says that the operator stops. */
export function isStopReason(error: unknown): boolean {
  return causeChain(error).some((link) => link instanceof OperatorStoppingError);
}

/** With a stop under way: the error only says that the task was cancelled. */
function isCancellation(error: unknown, signal: AbortSignal): boolean {
  if (error instanceof Error && error.name === 'AbortError') return true;
  return isStopReason(error) || (signal.aborted && causeChain(error).includes(signal.reason));
}
