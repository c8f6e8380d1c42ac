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
    const inner = this.#supervisor.run(name, task, options);
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

  /** Resolves when none runs any more. */
  async end(reason: Error): Promise<void> {
    this.#over.abort(reason);
    await Promise.all([...[...this.#running].map((task) => task.stop(reason)), ...this.#finite]);
  }
}
