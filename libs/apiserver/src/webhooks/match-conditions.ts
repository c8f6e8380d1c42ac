import type { Authorizer } from '../access/authorizer.js';
import { errors } from '../status.js';
import { admissionRequest, type VersionedWrite } from './admission-review.js';
import type { AdmissionWebhook } from './admission-webhook.js';
import { loadConditions } from './condition-library.js';

/**
 * Whether a write, in the version that its webhook sees, meets the conditions of the webhook. Rejects with 403 where
 * that cannot be told and the webhook must not be left out.
 */
export async function meetsConditions(
  { matchConditions, failurePolicy }: AdmissionWebhook,
  write: VersionedWrite,
  authorizer: Authorizer,
): Promise<boolean> {
  if (matchConditions.length === 0) return true;
  const { evaluateMatchConditions } = await loadConditions();
  const { attributes, object = null, oldObject = null } = write;
  const result = evaluateMatchConditions(
    matchConditions.map(({ expression }) => expression),
    { object, oldObject, request: admissionRequest(write), authorizer: { authorizer, identity: attributes.identity } },
  );
  if (!('error' in result)) return result.matches;
  if (failurePolicy === 'Ignore') return false;
  throw errors.forbidden(attributes.type, attributes.name, result.error);
}
