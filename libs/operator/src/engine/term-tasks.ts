import type { StoppableTask, TaskSupervisor } from './supervision/supervised.js';

/** The tasks of one term, under the supervisor of the operator: they end with the term, or with the operator. */
export class TermTasks implements TaskSupervisor {
  readonly #supervisor: TaskSupervisor;
  readonly #running = new Set<StoppableTask>();
  readonly #finite = new Set<Promise<void>>();
  readonly #over = new AbortController();

  constructor(supervisor: TaskSupervisor) {
    this.#supervisor = supervisor;
  }

  run(...[name, task, options]: Parameters<TaskSupervisor['run']>): StoppableTask {
    const inner = this.#supervisor.run(name, (signal) => this.#untilStopped(task, signal), options);
    const own: StoppableTask = {
      stop: async (reason) => {
        await inner.stop(reason);
        this.#running.delete(own);
      },
    };
    this.#running.add(own);
    return own;
  }

  async runFinite(name: string, task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const over = this.#over.signal;
    const work = this.#supervisor.runFinite(name, async (signal) => {
      try {
        await task(AbortSignal.any([signal, over]));
      } catch (error) {
        // What was cut off by the end of the term has not failed.
        if (!over.aborted) throw error;
      }
    });
    this.#finite.add(work);
    await work;
    this.#finite.delete(work);
  }

  fail(error: unknown, origin: string): void {
    this.#supervisor.fail(error, origin);
  }

  /** From now on tasks may end in any way: the term is over. */
  close(reason: Error): void {
    this.#over.abort(reason);
  }

  /** Resolves when none runs any more. */
  async end(reason: Error): Promise<void> {
    this.close(reason);
    await Promise.all([...[...this.#running].map((task) => task.stop(reason)), ...this.#finite]);
  }

  /** Parts of a term that is over end one after the other; to the supervisor, each ends when it is stopped. */
  async #untilStopped(task: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    const over = this.#over.signal;
    try {
      await task(signal);
    } catch (error) {
      // What was cut off by the end of the term has not failed.
      if (!over.aborted || signal.aborted) throw error;
    }
    if (!over.aborted || signal.aborted) return;
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  }
}
