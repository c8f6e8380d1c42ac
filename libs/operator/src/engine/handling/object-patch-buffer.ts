import { jsonCopy } from '../json/json-copy.js';
import { applyMergePatch, combineMergePatches } from '../json/merge-patch.js';
import type { StoredObject } from '../kube-object.js';
import type { DeepPartial, DeepWriteable, ObjectPatch } from './handler-context.js';

export type PatchFunction = (object: Record<string, unknown>) => void;

/** What handlers want changed on their object: fields to merge, then functions to apply. */
export interface PatchRequest {
  readonly merge: Record<string, unknown>;
  readonly functions: readonly PatchFunction[];
}

export const emptyPatch: PatchRequest = { merge: {}, functions: [] };

export function isEmptyPatch(patch: PatchRequest): boolean {
  return patch.functions.length === 0 && Object.keys(patch.merge).length === 0;
}

export function combinePatches(earlier: PatchRequest, later: PatchRequest): PatchRequest {
  return {
    merge: combineMergePatches(earlier.merge, later.merge),
    functions: [...earlier.functions, ...later.functions],
  };
}

/** The object as the request would make it; `object` itself is not touched. */
export function applyPatch(object: StoredObject, patch: PatchRequest): StoredObject {
  const merged = applyMergePatch(object, patch.merge) as StoredObject;
  if (patch.functions.length === 0) return merged;
  const copy = structuredClone(merged);
  for (const change of patch.functions) change(copy as unknown as Record<string, unknown>);
  return copy;
}

/** Collects one call's wishes. */
export class ObjectPatchBuffer<T> implements ObjectPatch<T> {
  #request: PatchRequest = emptyPatch;
  #onLate: (() => void) | undefined;

  /** @param onRequest - called after each wish */
  constructor(private readonly onRequest?: () => void) {}

  /** The call has ended: what comes now is not sent. */
  close(onLate: () => void): void {
    this.#onLate = onLate;
  }

  get request(): PatchRequest {
    return this.#request;
  }

  /** What was collected so far; nothing of it is left. */
  take(): PatchRequest {
    const request = this.#request;
    this.#request = emptyPatch;
    return request;
  }

  merge(fields: DeepPartial<T>): void {
    this.#onLate?.();
    this.#request = combinePatches(this.#request, {
      // A copy: what the handler does to its own value later must not change the patch.
      merge: jsonCopy(fields) as Record<string, unknown>,
      functions: [],
    });
    this.onRequest?.();
  }

  update(change: (object: DeepWriteable<T>) => void): void {
    this.#onLate?.();
    this.#request = { ...this.#request, functions: [...this.#request.functions, change as unknown as PatchFunction] };
    this.onRequest?.();
  }
}
