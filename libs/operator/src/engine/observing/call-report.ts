import type { EngineObserver, HandlerEndFact, HandlerFact, HandlerOutcome } from '../engine-observer.js';
import type { FailureVerdict } from '../handling/attempt-outcome.js';
import type { CallOutcome, HandlerCall } from '../handling/handler-runner.js';
import type { Clock } from '../ports/index.js';
import { isHeard } from './is-heard.js';
import { errorFact } from './error-fact.js';
import { runWithin } from './run-within.js';

/** What is told outward of one call, from its start to the judgement of its outcome. What is told first counts. */
export interface CallReport {
  /** The call with what observers add to it. */
  observed(call: HandlerCall): HandlerCall;
  /** The call is over. Success and failure are told when they have been judged. */
  over(outcome: CallOutcome): void;
  succeeded(): void;
  judged(verdict: FailureVerdict): void;
  /** It was told to end, and has failed on the way. */
  aborted(error: unknown): void;
}

/** For calls that nobody listens to. */
export const silentReport: CallReport = {
  observed: (call) => call,
  over: () => undefined,
  succeeded: () => undefined,
  judged: () => undefined,
  aborted: () => undefined,
};

const outcomes: Readonly<Record<FailureVerdict['kind'], HandlerOutcome>> = {
  retry: 'temporary',
  final: 'permanent',
  ignored: 'ignored',
  fatal: 'fatal',
};

/** Begins the report of a call. `fact` is asked only when somebody listens. */
export function reportCall(observer: EngineObserver, clock: Clock, fact: () => HandlerFact): CallReport {
  if (!isHeard(observer, 'onHandlerStart', 'onHandlerEnd', 'onHandlerStuck', 'withinHandler')) return silentReport;
  return new ObservedCall(observer, clock, fact());
}

class ObservedCall implements CallReport {
  readonly #startedAt: number;
  #duration: number | undefined;
  #told = false;

  constructor(
    private readonly observer: EngineObserver,
    private readonly clock: Clock,
    private readonly fact: HandlerFact,
  ) {
    this.#startedAt = clock.monotonic();
    observer.onHandlerStart?.(fact);
  }

  observed(call: HandlerCall): HandlerCall {
    return {
      ...call,
      invoke: () =>
        this.observer.withinHandler === undefined
          ? call.invoke()
          : runWithin<HandlerFact, unknown>(
              (fact, work) => this.observer.withinHandler?.(fact, work),
              this.fact,
              call.invoke,
            ),
      onStuck: () => {
        this.observer.onHandlerStuck?.(this.fact);
        call.onStuck?.();
      },
    };
  }

  over(outcome: CallOutcome): void {
    this.#duration = this.clock.monotonic() - this.#startedAt;
    if (outcome.kind === 'interrupted') this.#tell('aborted', { error: outcome.reason });
  }

  succeeded(): void {
    this.#tell('succeeded');
  }

  judged(verdict: FailureVerdict): void {
    const delay = verdict.kind === 'retry' ? verdict.delay : undefined;
    this.#tell(outcomes[verdict.kind], { error: verdict.error, delay });
  }

  aborted(error: unknown): void {
    this.#tell('aborted', { error });
  }

  #tell(outcome: HandlerOutcome, failure?: { readonly error: unknown; readonly delay?: number | undefined }): void {
    if (this.#told) return;
    this.#told = true;
    const end: HandlerEndFact = {
      outcome,
      duration: this.#duration ?? this.clock.monotonic() - this.#startedAt,
      error: failure === undefined ? undefined : errorFact(failure.error),
      delay: failure?.delay,
    };
    this.observer.onHandlerEnd?.(this.fact, end);
  }
}
