import { isObject, type JsonObject } from '../json.js';
import { ApiError, type Status } from '../status.js';

/** Codes that HTTP can carry. */
const highestCode = 999;

/** The refusal of a webhook, as the client is told of it. */
export function rejection(webhook: string, given: JsonObject = {}): ApiError {
  const text = (key: string): string => (typeof given[key] === 'string' ? given[key] : '');
  const code = typeof given['code'] === 'number' ? given['code'] : 0;
  const why = text('message') || text('reason');
  const denied = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const status: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: isObject(given['metadata']) ? given['metadata'] : {},
    status: 'Failure',
    message: why === '' ? `${denied} without explanation` : `${denied}: ${why}`,
    ...(text('reason') === '' ? {} : { reason: text('reason') }),
    ...(isObject(given['details']) ? { details: given['details'] } : {}),
    // Whatever is no refusal is made one.
    code: code >= 400 && code <= highestCode ? code : code > highestCode ? 500 : 400,
  };
  return new ApiError(status);
}
