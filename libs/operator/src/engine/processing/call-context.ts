import { parseDuration } from '../../duration.js';
import type { HandlerFact } from '../engine-observer.js';
import { ChangeView } from '../handling/change-view.js';
import type { HandlerCause, HandlerLogger } from '../handling/handler-context.js';
import { ObjectHandlerContext, type HandlerCallInput } from '../handling/object-handler-context.js';
import { noSubHandlers } from '../handling/sub-handler-plan.js';
import type { ResourceHandler } from '../handling/resource-handler.js';
import type { FieldPath } from '../json/field-path.js';
import { objectKey, type StoredObject } from '../kube-object.js';
import type { HandledState } from '../persistence/handled-state.js';
import type { Logger } from '../ports/index.js';
import type { CallFacts } from '../supervision/handler-scope.js';
import type { Essence } from './essence.js';
import type { ObjectMemory } from './object-memory.js';
import type { ProcessingEnvironment } from './processing-environment.js';

/** What the context of a call is made of. */
export interface ContextRequest {
  readonly handler: ResourceHandler;
  readonly object: StoredObject;
  readonly essence: Essence;
  readonly memory: ObjectMemory;
  readonly cause: HandlerCause;
  readonly eventType?: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly handled?: HandledState | undefined;
  readonly field?: FieldPath | undefined;
  readonly retry: number;
  readonly startedAt: number;
}

/** The context of one call. */
export function callContext(
  environment: ProcessingEnvironment,
  request: ContextRequest,
  more: Pick<HandlerCallInput, 'signal' | 'stopped' | 'live' | 'onPatch'> & Partial<Pick<HandlerCallInput, 'parts'>>,
): ObjectHandlerContext {
  const { handler, object, memory, essence } = request;
  const { definition } = handler;
  const key = objectKey(object);
  return new ObjectHandlerContext({
    object,
    resource: environment.resource(),
    cause: request.cause,
    eventType: request.eventType,
    change: new ChangeView(request.handled, essence, request.field),
    logger: () =>
      handlerLogger(environment.logger, {
        handler: definition.origin,
        resource: environment.name,
        key,
        uid: memory.uid,
      }),
    memo: () => memory.memo,
    indexes: environment.indexes,
    param: definition.param,
    retry: request.retry,
    startedAt: request.startedAt,
    clock: environment.clock,
    event: (event) => environment.events.post(object, event),
    enqueue: (other, delay) => environment.enqueue(other, parseDuration(delay)),
    fatal: (error) => environment.fatal(error, `handler ${definition.origin} of ${environment.name} ${key}`),
    parts: noSubHandlers,
    ...more,
  });
}

/** What observers are told of a call. */
export function callFact(
  environment: ProcessingEnvironment,
  { handler, object, cause, retry }: ContextRequest,
): HandlerFact {
  const { id, origin } = handler.definition;
  return { handler: id, origin, resource: environment.name, key: objectKey(object), cause, attempt: retry + 1 };
}

/** What records call the object of a call. */
export function callSubject(environment: ProcessingEnvironment, object: StoredObject): string {
  return `${environment.name} ${objectKey(object)}`;
}

/** What the asynchronous context of a call knows of it. */
export function scopeFacts(
  { name: resource }: ProcessingEnvironment,
  { metadata }: StoredObject,
  retry: number,
): CallFacts {
  const { namespace, name } = metadata;
  return { resource, ...(namespace === undefined ? {} : { namespace }), name, attempt: retry + 1 };
}

/** The call has ended: wishes that come later are not sent, and are told. */
export function closePatch(
  environment: ProcessingEnvironment,
  { handler, object, memory }: ContextRequest,
  context: ObjectHandlerContext,
): void {
  context.patch.close(() => {
    const { origin } = handler.definition;
    const fields = { handler: origin, resource: environment.name, key: objectKey(object), uid: memory.uid };
    environment.logger.log('error', 'Patch after the end of the handler is not sent; is an await missing?', fields);
  });
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
