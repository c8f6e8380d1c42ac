import type { LeadershipLostError } from '../../errors/leadership-lost.error.js';
import { ObjectSupersededError, type SupersededBecause } from '../../errors/object-superseded.error.js';
import type { OperatorStoppingError } from '../../errors/operator-stopping.error.js';
import { isEmptyPatch, type PatchRequest } from '../handling/object-patch-buffer.js';
import type { DaemonTrigger, ResourceHandler } from '../handling/resource-handler.js';
import { StopNotice } from '../handling/stop-notice.js';
import { objectKey, type StoredObject } from '../kube-object.js';
import type { Timer } from '../ports/index.js';
import { reportFailure } from '../processing/failure-report.js';
import type { DaemonState, LivingDaemon, ObjectMemory } from '../processing/object-memory.js';
import type { ProcessingEnvironment } from '../processing/processing-environment.js';
import { weighResult, type CallFailure } from '../processing/weigh-result.js';
import { callDaemon } from './daemon-call.js';

/** Why it ended: by itself (well, or for good), or because it was told to. */
export type DaemonEnd = 'done' | 'stopped';

export interface DaemonOptions {
  readonly environment: ProcessingEnvironment;
  readonly handler: ResourceHandler;
  readonly trigger: DaemonTrigger;
  readonly memory: ObjectMemory;
  readonly object: StoredObject;
  /** Sends what it wants changed. */
  readonly send: (object: StoredObject, patch: PatchRequest) => Promise<void> | undefined;
  readonly onAbandoned: () => void;
}

/**
 * A long call beside the cycles of one object, with its repetitions. Told to stop, it first has the time of
 * `cancellationBackoff` to end by itself; then its signal is aborted; and after `cancellationTimeout` it does not hold its
 * object any more.
 */
export class Daemon implements LivingDaemon {
  readonly handler: ResourceHandler;
  #state: DaemonState = 'waiting';
  #failures = 0;
  #failingSince = 0;
  /** Soft: it should end. */
  readonly #stop = new AbortController();
  /** Hard: it must end. */
  readonly #cancel = new AbortController();
  readonly #timers = new Set<Timer>();
  readonly #notice: StopNotice;
  #sends: Promise<void> = Promise.resolve();
  readonly #options: DaemonOptions;

  constructor(options: DaemonOptions) {
    this.#options = options;
    this.handler = options.handler;
    this.#notice = new StopNotice(this.#stop.signal, options.environment.clock);
  }

  get state(): DaemonState {
    return this.#state;
  }

  get #object(): StoredObject {
    const { environment, memory, object } = this.#options;
    const newest = environment.store.get(objectKey(object));
    return newest?.metadata.uid === memory.uid ? newest : object;
  }

  /** Tells it to end. The first reason counts. */
  stop(reason: SupersededBecause | OperatorStoppingError | LeadershipLostError): void {
    if (this.#stop.signal.aborted) return;
    const error = typeof reason === 'string' ? new ObjectSupersededError(reason) : reason;
    const { cancellationBackoff } = this.#options.trigger.cancellation;
    this.#stop.abort(error);
    if (this.#state === 'ended') return;
    if (cancellationBackoff === 0) this.#abort(error);
    else this.#after(cancellationBackoff, () => this.#abort(error));
  }

  /** Runs it to its end. A rejection is unrecoverable: it is none of the handler's. */
  async live(): Promise<DaemonEnd> {
    try {
      let pause: number | undefined = this.#initialDelay();
      while (pause !== undefined) {
        this.#state = 'waiting';
        if ((pause > 0 && (await this.#notice.wait(pause))) || this.#notice.requested) return 'stopped';
        pause = await this.#attempt();
      }
      return this.#notice.requested ? 'stopped' : 'done';
    } finally {
      for (const timer of this.#timers) timer.cancel();
      this.#timers.clear();
      this.#state = 'ended';
    }
  }

  #initialDelay(): number {
    const { environment, trigger, memory } = this.#options;
    const { initialDelay, jitter } = trigger;
    return initialDelay + (memory.initial ? jitter * environment.random.next() : 0);
  }

  /** One call. Milliseconds before the next one; `undefined` when there is none. */
  async #attempt(): Promise<number | undefined> {
    const { environment, handler, trigger, memory } = this.#options;
    const { clock } = environment;
    this.#state = 'running';
    const object = this.#object;
    if (this.#failures === 0) this.#failingSince = clock.now();
    const result = await callDaemon(environment, {
      handler,
      object,
      essence: environment.essence(object),
      memory,
      cause: 'daemon',
      retry: this.#failures,
      startedAt: this.#failingSince,
      live: () => this.#object,
      stopped: this.#notice,
      cancel: this.#cancel.signal,
      send: (patch) => this.#send(patch),
    });
    const { wanted, failure } = weighResult(environment, handler, this.#object, result);
    this.#send(wanted);
    await this.#sends;
    if (result.outcome.kind === 'interrupted') return undefined;
    if (failure !== undefined) return this.#afterFailure(failure);
    this.#failures = 0;
    return trigger.restart === 'always' ? this.#restartDelay() : undefined;
  }

  #afterFailure(failure: CallFailure): number | undefined {
    const { environment, handler, trigger } = this.#options;
    if (this.#notice.requested) {
      const fields = { handler: handler.definition.origin, resource: environment.name, key: objectKey(this.#object) };
      environment.logger.log('warn', 'Daemon failed while it was told to stop', fields, failure.error);
      failure.report.aborted(failure.error);
      return undefined;
    }
    this.#failures += 1;
    const verdict = reportFailure(environment, {
      handler,
      cause: 'daemon',
      object: this.#object,
      failure,
      failures: this.#failures,
      runtime: environment.clock.now() - this.#failingSince,
    });
    if (verdict.kind === 'retry') return verdict.delay;
    if (verdict.kind !== 'ignored') return undefined;
    this.#failures = 0;
    return trigger.restart === 'always' ? this.#restartDelay() : undefined;
  }

  #restartDelay(): number {
    const { environment, handler } = this.#options;
    return handler.definition.policy.backoff?.(1) ?? environment.config.retry.initial;
  }

  #send(patch: PatchRequest): void {
    if (isEmptyPatch(patch)) return;
    const sent = this.#options.send(this.#object, patch);
    if (sent !== undefined) this.#sends = Promise.all([this.#sends, sent]).then(() => undefined);
  }

  #abort(error: Error): void {
    this.#cancel.abort(error);
    const { environment, handler, trigger, object } = this.#options;
    const { cancellationTimeout, cancellationPolling } = trigger.cancellation;
    const fields = { handler: handler.definition.origin, resource: environment.name, key: objectKey(object) };
    if (cancellationTimeout !== undefined) {
      this.#after(cancellationTimeout, () => {
        this.#state = 'abandoned';
        environment.logger.log('warn', 'Daemon does not end; it holds its object no longer', fields);
        this.#options.onAbandoned();
      });
      return;
    }
    const poll = (): void =>
      this.#after(cancellationPolling, () => {
        environment.logger.log('warn', 'Daemon does not end; its object waits for it', fields);
        poll();
      });
    poll();
  }

  #after(delay: number, action: () => void): void {
    const timer = this.#options.environment.clock.setTimer(
      delay,
      () => {
        this.#timers.delete(timer);
        action();
      },
      { background: true },
    );
    this.#timers.add(timer);
  }
}
