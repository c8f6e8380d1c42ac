import type { PatchRequest } from '../handling/object-patch-buffer.js';
import type { Stopped } from '../handling/stopped.js';
import { reportCall } from '../observing/call-report.js';
import type { StoredObject } from '../kube-object.js';
import {
  callContext,
  callFact,
  callSubject,
  closePatch,
  scopeFacts,
  type ContextRequest,
} from '../processing/call-context.js';
import type { CallResult } from '../processing/handler-calls.js';
import type { ProcessingEnvironment } from '../processing/processing-environment.js';

export interface DaemonCallRequest extends ContextRequest {
  /** The newest state of the object. */
  readonly live: () => StoredObject;
  readonly stopped: Stopped;
  /** Aborted when the call must end. */
  readonly cancel: AbortSignal;
  /** Sends what the call wants changed, while it goes on. */
  readonly send: (patch: PatchRequest) => void;
}

/** Calls a daemon once. Never rejects. */
export async function callDaemon(environment: ProcessingEnvironment, request: DaemonCallRequest): Promise<CallResult> {
  const { handler, object, cancel, live, stopped, send } = request;
  const { definition } = handler;
  const controller = new AbortController();
  const abort = (): void => controller.abort(cancel.reason);
  if (cancel.aborted) abort();
  cancel.addEventListener('abort', abort, { once: true });
  let sending = false;
  const onPatch = (): void => {
    if (sending) return;
    sending = true;
    // With all that the same turn brings.
    queueMicrotask(() => {
      sending = false;
      send(context.patch.take());
    });
  };
  const context = callContext(environment, request, { signal: controller.signal, stopped, live, onPatch });
  const report = reportCall(environment.observer, environment.clock, () => callFact(environment, request));
  try {
    const outcome = await environment.runner.run(
      report.observed({
        origin: definition.origin,
        subject: callSubject(environment, object),
        facts: scopeFacts(environment, object, request.retry),
        timeout: definition.policy.timeout,
        controller,
        endless: true,
        invoke: async () => environment.invoker.invoke(definition, context),
      }),
    );
    report.over(outcome);
    return { outcome, patch: context.patch.take(), parts: [], report };
  } finally {
    cancel.removeEventListener('abort', abort);
    closePatch(environment, request, context);
  }
}
