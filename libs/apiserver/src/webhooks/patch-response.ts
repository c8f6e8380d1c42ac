import { isObject, parseJson, type KubeObject } from '../json.js';
import { jsonSyntaxError } from '../json-syntax.js';
import { JsonPatchError, jsonPatch, type JsonPatchOperation } from '../patch/json-patch.js';
import { goType } from '../pipeline/type-meta.js';
import { errors } from '../status.js';
import { AnswerError } from './answer-decoding.js';

/** Reads the patch of a mutating webhook. Throws AnswerError for what is none. */
export function decodeResponsePatch(patch: string): JsonPatchOperation[] {
  const fail = (why: string): never => {
    throw new AnswerError(`received undecodable patch in webhook response: ${why}`);
  };
  const text = Buffer.from(patch, 'base64').toString();
  let operations: unknown;
  try {
    operations = parseJson(text);
  } catch (error) {
    return fail(jsonSyntaxError(text) ?? (error instanceof Error ? error.message : String(error)));
  }
  if (operations === null) return [];
  if (!Array.isArray(operations)) {
    return fail(`json: cannot unmarshal ${goType(operations)} into Go value of type jsonpatch.Patch`);
  }
  for (const operation of operations as unknown[]) {
    if (!isObject(operation))
      fail(`json: cannot unmarshal ${goType(operation)} into Go value of type jsonpatch.Operation`);
  }
  return operations as JsonPatchOperation[];
}

/** Applies the patch of a mutating webhook. Throws 500 where it does not apply, whatever the webhook's failure policy. */
export function applyResponsePatch(object: KubeObject, operations: readonly JsonPatchOperation[]): KubeObject {
  let patched: unknown;
  try {
    patched = jsonPatch(object, operations);
  } catch (error) {
    if (error instanceof JsonPatchError) throw errors.internal(error.message);
    throw error;
  }
  if (!isObject(patched)) throw errors.internal('the patch of the webhook left no object');
  return patched as KubeObject;
}
