import { wait } from '../client/wait.js';
import { noObserver, type EngineObserver, type HandlerFact } from '../engine-observer.js';
import { reportCall } from '../observing/call-report.js';
import type { OperatorConfig } from '../operator-config.js';
import type { Clock, Logger, Random } from '../ports/index.js';
import { judgeFailure } from './attempt-outcome.js';
import type { ActivityDefinition, HandlerInvoker } from './handler-definition.js';
import { retryLevel } from './failure-level.js';
import type { HandlerRunner } from './handler-runner.js';

export interface ActivityRunnerOptions {
  readonly activities: readonly ActivityDefinition[];
  readonly invoker: HandlerInvoker;
  readonly runner: HandlerRunner;
  readonly retry: OperatorConfig['retry'];
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly observer?: EngineObserver;
}

/**
 * Runs start-up and clean-up handlers, one after the other in declaration order, with retries. The clean-up handlers of
 * a class run when its own start-up handlers have all succeeded; those of a class that has none, when the whole start-up has.
 */
export class ActivityRunner {
  readonly #options: ActivityRunnerOptions;
  readonly #done = new Set<ActivityDefinition>();
  #started = false;

  constructor(options: ActivityRunnerOptions) {
    this.#options = options;
  }

  /** Rejects with the error of the first handler that fails for good. */
  async startup(signal: AbortSignal): Promise<void> {
    for (const activity of this.#of('startup')) {
      await this.#run(activity, signal);
      this.#done.add(activity);
    }
    this.#started = true;
  }

  /** Runs each clean-up handler; resolves with the failures, which are logged already. */
  async cleanup(signal: AbortSignal): Promise<readonly unknown[]> {
    const failures: unknown[] = [];
    for (const activity of this.#of('cleanup')) {
      if (!this.#wasStarted(activity)) continue;
      try {
        await this.#run(activity, signal);
      } catch (error) {
        failures.push(error);
        this.#options.logger.log('error', 'Clean-up handler failed', { handler: activity.origin }, error);
      }
    }
    return failures;
  }

  #of(on: ActivityDefinition['on']): readonly ActivityDefinition[] {
    return this.#options.activities.filter((activity) => activity.on === on);
  }

  #wasStarted(cleanup: ActivityDefinition): boolean {
    const own = this.#of('startup').filter((activity) => className(activity) === className(cleanup));
    return own.length === 0 ? this.#started : own.every((activity) => this.#done.has(activity));
  }

  async #run(activity: ActivityDefinition, signal: AbortSignal): Promise<void> {
    const { clock, random, logger, retry, invoker, runner, observer = noObserver } = this.#options;
    const startedAt = clock.now();
    for (let failures = 0; ;) {
      signal.throwIfAborted();
      const controller = new AbortController();
      const onAbort = (): void => controller.abort(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      const attempt = failures;
      const report = reportCall(observer, clock, () => activityFact(activity, attempt + 1));
      const outcome = await runner
        .run(
          report.observed({
            origin: activity.origin,
            subject: activity.on,
            facts: { attempt: attempt + 1 },
            timeout: activity.policy.timeout,
            controller,
            duringStop: activity.on === 'cleanup',
            invoke: async () => invoker.invokeActivity(activity, { signal: controller.signal, retry: attempt }),
          }),
        )
        .finally(() => signal.removeEventListener('abort', onAbort));
      report.over(outcome);
      if (outcome.kind === 'success') {
        report.succeeded();
        return;
      }
      if (outcome.kind === 'interrupted') throw outcome.reason;
      failures += 1;
      const runtime = clock.now() - startedAt;
      const verdict = judgeFailure({ error: outcome.error, policy: activity.policy, failures, runtime, retry, random });
      report.judged(verdict);
      if (verdict.kind !== 'retry') throw verdict.error;
      const fields = { handler: activity.origin, attempt: failures, delay: Math.ceil(verdict.delay) };
      logger.log(retryLevel(verdict.error), 'Activity failed and will be called again', fields, verdict.error);
      try {
        await wait(clock, verdict.delay, signal);
      } catch (reason) {
        // A clean-up out of time has failed by its own error. A start that is cut short has not failed.
        throw activity.on === 'cleanup' ? verdict.error : reason;
      }
    }
  }
}

function activityFact({ origin, on }: ActivityDefinition, attempt: number): HandlerFact {
  return {
    handler: origin,
    origin,
    resource: undefined,
    key: undefined,
    cause: on === 'cleanup' ? 'cleanup' : 'startup',
    attempt,
  };
}

function className({ origin }: ActivityDefinition): string {
  return origin.slice(0, origin.lastIndexOf('.'));
}
