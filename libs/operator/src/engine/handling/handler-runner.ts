import { HandlerTimeoutError } from '../../errors/handler-timeout.error.js';
import { LeadershipLostError } from '../../errors/leadership-lost.error.js';
import { ObjectSupersededError } from '../../errors/object-superseded.error.js';
import { OperatorStoppingError } from '../../errors/operator-stopping.error.js';
import type { WritePermit } from '../leaderelection/write-permit.js';
import type { Clock, Logger, Timer } from '../ports/index.js';
import { runInHandlerScope, type CallFacts, type HandlerScope } from '../supervision/handler-scope.js';

/** `interrupted`: ended by an error after the operator or the object's own change had asked it to; not a failure. */
export type CallOutcome =
  | { readonly kind: 'success'; readonly value: unknown }
  | { readonly kind: 'failure'; readonly error: unknown }
  | { readonly kind: 'interrupted'; readonly reason: Error };

export interface HandlerCall {
  /** `Class.method`. */
  readonly origin: string;
  /** What it works on, for records: a resource and key, or an activity. */
  readonly subject: string;
  readonly facts?: CallFacts;
  readonly timeout: number | undefined;
  /** The call's own controller: whoever may end the call aborts it. */
  readonly controller: AbortController;
  readonly invoke: () => Promise<unknown>;
  /** May run for as long as it likes. */
  readonly endless?: boolean;
  /** Part of the stop: the abort of all that ran before it does not count for it. */
  readonly duringStop?: boolean;
  /** Called once when the call is stuck: over its time, or deaf to its abort. */
  readonly onStuck?: () => void;
}

interface Running {
  readonly call: HandlerCall;
  stuck: boolean;
}

/** A handler that does not end this long after its abort is stuck. */
const deafAfter = 30_000;

/** Runs user code: timeouts, stuck calls, attribution, and the list of what runs. */
export class HandlerRunner {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #stuckAfter: number;
  readonly #running = new Set<Running>();
  readonly #permit: WritePermit | undefined;
  #stopping: OperatorStoppingError | LeadershipLostError | undefined;

  constructor(options: {
    readonly clock: Clock;
    readonly logger: Logger;
    readonly stuckAfter: number;
    /** What writes of the handlers need. */
    readonly permit?: WritePermit | undefined;
  }) {
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#stuckAfter = options.stuckAfter;
    this.#permit = options.permit;
  }

  get running(): number {
    return this.#running.size;
  }

  /** Calls that are over their time, or deaf to their abort. */
  get stuck(): number {
    return [...this.#running].filter(({ stuck }) => stuck).length;
  }

  names(): string[] {
    return [...this.#running].map(({ call }) => `handler ${call.origin} of ${call.subject}`);
  }

  /** Aborts everything that runs; what starts later is aborted from its start. */
  abortAll(reason: Error): void {
    const known = reason instanceof OperatorStoppingError || reason instanceof LeadershipLostError;
    this.#stopping = known ? reason : new OperatorStoppingError(reason.message);
    for (const { call } of this.#running) call.controller.abort(this.#stopping);
  }

  /** Runs one call to its end. Never rejects. */
  async run(call: HandlerCall): Promise<CallOutcome> {
    const { controller, timeout } = call;
    const entry: Running = { call, stuck: false };
    const timers: Timer[] = [];
    const after = (delay: number, action: () => void): void => {
      timers.push(this.#clock.setTimer(delay, action, { background: true }));
    };
    const stuck = (): void => {
      if (entry.stuck) return;
      entry.stuck = true;
      this.#logger.log('warn', 'Handler is stuck', { handler: call.origin, subject: call.subject });
      call.onStuck?.();
    };
    const listen = (): void => after(deafAfter, stuck);
    controller.signal.addEventListener('abort', listen, { once: true });
    if (timeout === undefined) {
      if (call.endless !== true) after(this.#stuckAfter, stuck);
    } else after(timeout, () => controller.abort(new HandlerTimeoutError(call.origin, timeout)));
    this.#running.add(entry);
    if (this.#stopping !== undefined && call.duringStop !== true) controller.abort(this.#stopping);
    try {
      const value = await runInHandlerScope(this.#scopeOf(call), call.invoke);
      return { kind: 'success', value };
    } catch (error) {
      const outcome = afterError(error, call);
      if (outcome.kind === 'interrupted' && !isAbort(error, outcome.reason)) {
        const fields = { handler: call.origin, subject: call.subject };
        this.#logger.log('warn', 'Handler failed after it was told to end', fields, error);
      }
      return outcome;
    } finally {
      controller.signal.removeEventListener('abort', listen);
      for (const timer of timers) timer.cancel();
      this.#running.delete(entry);
    }
  }

  #scopeOf({ origin, subject, facts }: HandlerCall): HandlerScope {
    const permit = this.#permit;
    return { handler: origin, key: subject, facts, ...(permit === undefined ? {} : { permit }) };
  }
}

/** Whether an error only says that the call obeyed, and not that something went wrong on the way out. */
function isAbort(error: unknown, reason: Error): boolean {
  for (let link = error; link instanceof Error; link = link.cause) {
    if (link === reason || link.name === 'AbortError') return true;
  }
  return false;
}

function afterError(error: unknown, { controller, origin, timeout }: HandlerCall): CallOutcome {
  const reason: unknown = controller.signal.aborted ? controller.signal.reason : undefined;
  if (
    reason instanceof OperatorStoppingError ||
    reason instanceof ObjectSupersededError ||
    reason instanceof LeadershipLostError
  ) {
    return { kind: 'interrupted', reason };
  }
  if (reason instanceof HandlerTimeoutError) {
    return {
      kind: 'failure',
      error: error === reason ? reason : new HandlerTimeoutError(origin, timeout ?? 0, { cause: error }),
    };
  }
  return { kind: 'failure', error };
}
