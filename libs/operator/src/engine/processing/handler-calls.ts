import { parseDuration } from '../../duration.js';
import type { SupersededBecause } from '../../errors/object-superseded.error.js';
import { ChangeView } from '../handling/change-view.js';
import type { HandlerCause, HandlerLogger } from '../handling/handler-context.js';
import type { CallOutcome } from '../handling/handler-runner.js';
import { ObjectHandlerContext } from '../handling/object-handler-context.js';
import type { PatchRequest } from '../handling/object-patch-buffer.js';
import type { ResourceHandler } from '../handling/resource-handler.js';
import type { FieldPath } from '../json/field-path.js';
import { objectKey, type StoredObject } from '../kube-object.js';
import { isUnchangedAt, type HandledState } from '../persistence/handled-state.js';
import type { Logger } from '../ports/index.js';
import type { KeyRun } from '../queueing/work-queue.js';
import type { Essence } from './essence.js';
import type { ObjectMemory } from './object-memory.js';
import type { ProcessingEnvironment } from './processing-environment.js';

export interface CallRequest {
  readonly handler: ResourceHandler;
  readonly object: StoredObject;
  readonly essence: Essence;
  readonly memory: ObjectMemory;
  readonly run: KeyRun;
  readonly cause: HandlerCause;
  readonly eventType?: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly handled?: HandledState | undefined;
  readonly field?: FieldPath | undefined;
  readonly retry: number;
  readonly startedAt: number;
  /** Why the call is to end, given a newer state of its object. */
  readonly endsFor?: (newer: StoredObject) => SupersededBecause | undefined;
}

export interface CallResult {
  readonly outcome: CallOutcome;
  readonly patch: PatchRequest;
}

/** Calls one handler for one object. Never rejects. */
export async function callHandler(environment: ProcessingEnvironment, request: CallRequest): Promise<CallResult> {
  const { handler, object, memory, cause, essence } = request;
  const { definition } = handler;
  const controller = new AbortController();
  const key = objectKey(object);
  const context = new ObjectHandlerContext({
    object,
    resource: environment.resource(),
    cause,
    eventType: request.eventType,
    change: new ChangeView(request.handled, essence, request.field),
    signal: controller.signal,
    logger: () =>
      handlerLogger(environment.logger, {
        handler: definition.origin,
        resource: environment.name,
        key,
        uid: memory.uid,
      }),
    memo: () => memory.memo,
    retry: request.retry,
    startedAt: request.startedAt,
    clock: environment.clock,
    event: (event) => environment.events.post(object, event),
    enqueue: (other, delay) => environment.enqueue(other, parseDuration(delay)),
    fatal: (error) => environment.fatal(error, `handler ${definition.origin} of ${environment.name} ${key}`),
  });
  memory.running = {
    handler: definition,
    endsOnDeletion: object.metadata.deletionTimestamp === undefined && cause !== 'event' && cause !== 'reconcile',
    abort: (reason) => controller.abort(reason),
    endsFor:
      request.endsFor ??
      (definition.policy.abortOnChange
        ? (newer) => (watchesChange(handler, essence, environment.essence(newer), memory.uid) ? 'changed' : undefined)
        : undefined),
  };
  try {
    const outcome = await environment.runner.run({
      origin: definition.origin,
      subject: `${environment.name} ${key}`,
      timeout: definition.policy.timeout,
      controller,
      invoke: async () => environment.invoker.invoke(definition, context),
      onStuck: () => request.run.freeSlot(),
    });
    return { outcome, patch: context.patch.request };
  } finally {
    memory.running = undefined;
    context.patch.close(() => {
      const fields = { handler: definition.origin, resource: environment.name, key, uid: memory.uid };
      environment.logger.log('error', 'Patch after the end of the handler is not sent; is an await missing?', fields);
    });
  }
}

function watchesChange(handler: ResourceHandler, before: Essence, after: Essence, uid: string): boolean {
  return handler.watched.some((path) => !isUnchangedAt({ kind: 'essence', essence: before }, after, path, uid));
}

function handlerLogger(logger: Logger, fields: Readonly<Record<string, unknown>>): HandlerLogger {
  const bound = logger.child('Handler', fields);
  return {
    debug: (message, more) => bound.log('debug', message, more),
    info: (message, more) => bound.log('info', message, more),
    warn: (message, more) => bound.log('warn', message, more),
    error: (message, error, more) => bound.log('error', message, more, error),
  };
}
