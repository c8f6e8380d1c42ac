import type { SupersededBecause } from '../../errors/object-superseded.error.js';
import type { HandlerCause, HandlerContext } from '../handling/handler-context.js';
import type { CallOutcome } from '../handling/handler-runner.js';
import type { PatchRequest } from '../handling/object-patch-buffer.js';
import { reportCall, type CallReport } from '../observing/call-report.js';
import { SubHandlerPlan, type PlannedPart } from '../handling/sub-handler-plan.js';
import type { StoredObject } from '../kube-object.js';
import { isUnchangedAt } from '../persistence/handled-state.js';
import type { KeyRun } from '../queueing/work-queue.js';
import { callContext, callFact, callSubject, closePatch, scopeFacts, type ContextRequest } from './call-context.js';
import type { Essence } from './essence.js';
import type { ProcessingEnvironment } from './processing-environment.js';

export interface CallRequest extends ContextRequest {
  readonly run: KeyRun;
  /** Why the call is to end, given a newer state of its object. */
  readonly endsFor?: (newer: StoredObject) => SupersededBecause | undefined;
  /** The part of a handler that is called, in place of the handler itself. */
  readonly invoke?: (context: HandlerContext) => unknown;
}

export interface CallResult {
  readonly outcome: CallOutcome;
  readonly patch: PatchRequest;
  /** Parts of its work that the call has planned. */
  readonly parts: readonly PlannedPart[];
  /** Whoever judges the outcome tells it here. */
  readonly report: CallReport;
}

const causesWithParts: ReadonlySet<HandlerCause> = new Set(['create', 'update', 'delete', 'resume']);

/** Calls one handler for one object, within its cycle. Never rejects. */
export async function callHandler(environment: ProcessingEnvironment, request: CallRequest): Promise<CallResult> {
  const { handler, object, memory, cause } = request;
  const { definition } = handler;
  const controller = new AbortController();
  const plan = causesWithParts.has(cause) ? new SubHandlerPlan() : undefined;
  const parts = plan === undefined ? {} : { parts: plan };
  const context = callContext(environment, request, { signal: controller.signal, ...parts });
  memory.running = {
    handler: definition,
    endsOnDeletion: object.metadata.deletionTimestamp === undefined && cause !== 'event' && cause !== 'reconcile',
    abort: (reason) => controller.abort(reason),
    endsFor:
      request.endsFor ??
      (definition.policy.abortOnChange
        ? (newer) => (isChanged(request, environment.essence(newer)) ? 'changed' : undefined)
        : undefined),
  };
  const report = reportCall(environment.observer, environment.clock, () => callFact(environment, request));
  try {
    const outcome = await environment.runner.run(
      report.observed({
        origin: definition.origin,
        subject: callSubject(environment, object),
        facts: scopeFacts(environment, object, request.retry),
        timeout: definition.policy.timeout,
        controller,
        invoke: async () =>
          request.invoke === undefined ? environment.invoker.invoke(definition, context) : request.invoke(context),
        onStuck: () => request.run.freeSlot(),
      }),
    );
    report.over(outcome);
    return { outcome, patch: context.patch.request, parts: plan?.parts ?? [], report };
  } finally {
    memory.running = undefined;
    closePatch(environment, request, context);
  }
}

/** Whether what the call is about has changed. */
function isChanged({ handler, cause, essence, memory }: CallRequest, after: Essence): boolean {
  const before = { kind: 'essence', essence } as const;
  return handler.watchedBy(cause).some((path) => !isUnchangedAt(before, after, path, memory.uid));
}
