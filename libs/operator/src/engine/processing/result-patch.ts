import { emptyPatch, type PatchRequest } from '../handling/object-patch-buffer.js';
import type { ResourceHandler } from '../handling/resource-handler.js';
import { jsonCopy } from '../json/json-copy.js';
import type { LogFields, Logger } from '../ports/index.js';

/** What a returned value does to the object: an object is merged into the status, or kept under the handler's id. */
export function resultPatch(handler: ResourceHandler, value: unknown, logger: Logger, fields: LogFields): PatchRequest {
  const result = jsonCopy(value);
  if (result === undefined || result === null) return emptyPatch;
  if (handler.definition.policy.result === 'byHandler') {
    return { merge: { status: { [handler.id]: result } }, functions: [] };
  }
  if (typeof result !== 'object' || Array.isArray(result)) {
    const type = Array.isArray(result) ? 'array' : typeof result;
    const message =
      "Handler returned no object, which is ignored; return fields of the status, or set result: 'byHandler'";
    logger.log('warn', message, { ...fields, handler: handler.definition.origin, type });
    return emptyPatch;
  }
  return { merge: { status: result }, functions: [] };
}
