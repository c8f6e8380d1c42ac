import {
  applyPatch,
  combinePatches,
  emptyPatch,
  isEmptyPatch,
  type PatchRequest,
} from '../handling/object-patch-buffer.js';
import type { StoredObject } from '../kube-object.js';
import type { HandledState } from '../persistence/handled-state.js';
import type { ObjectMemory } from './object-memory.js';
import type { ProcessingEnvironment } from './processing-environment.js';

/** A call of a handler, or of a part of one, that has ended. */
export interface EndedCall {
  readonly id: string;
  readonly object: StoredObject;
  readonly found: HandledState;
  /** What calls before it wanted changed, not written when it began. */
  readonly earlier: PatchRequest | undefined;
  readonly wanted: PatchRequest;
}

/** What a handler, or a part of one, wants changed and the server has not taken. */
export function unwrittenPatch(memory: ObjectMemory, id: string): PatchRequest | undefined {
  return memory.pending?.calls?.get(id)?.patch;
}

/** What a call has dealt with: what it found, with what its handler changes itself. Known beside what is pending until that is written. */
export function sawOf(environment: ProcessingEnvironment, memory: ObjectMemory, call: EndedCall): HandledState {
  const { id, object, found, earlier = emptyPatch, wanted } = call;
  const patch = combinePatches(earlier, wanted);
  if (isEmptyPatch(patch)) return found;
  const saw: HandledState = { kind: 'essence', essence: environment.essence(changedBy(object, patch, wanted)) };
  const { pending } = memory;
  if (pending !== undefined && !isEmptyPatch(pending.patch)) {
    memory.pending = { ...pending, calls: new Map([...(pending.calls ?? []), [id, { patch, found, saw }]]) };
  }
  return saw;
}

function changedBy(object: StoredObject, patch: PatchRequest, wanted: PatchRequest): StoredObject {
  try {
    return applyPatch(object, patch);
  } catch {
    // A function of an earlier call does not go with the object any more. The write reports that, and drops it.
    return applyPatch(object, wanted);
  }
}
