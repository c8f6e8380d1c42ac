import { timestamp } from '../clock.js';
import { isObject, type JsonObject, type KubeObject } from '../json.js';
import type { ObjectResult } from '../pipeline/api-request.js';
import type { ServerContext } from '../pipeline/server-context.js';
import type { Steps } from '../pipeline/steps.js';
import { trackFields } from '../pipeline/track-fields.js';
import type { WriteRequest } from '../pipeline/write-request.js';
import { errors } from '../status.js';
import { accessReviewCauses, localReviewCauses, selfReviewCauses, refuseReview } from './review-validation.js';
import { ownRules, reviewAccess, reviewToken, userInfo } from './verdicts.js';

/** Answers what a review asks. Nothing is stored. */
export function* answerReview(context: ServerContext, request: WriteRequest, object: KubeObject): Steps<ObjectResult> {
  placeInNamespace(request, object);
  const { kind, apiVersion } = object;
  let answered: JsonObject;
  switch (request.type.kind) {
    case 'SelfSubjectReview': {
      const status = { userInfo: userInfo(request.identity) };
      answered = { kind, apiVersion, metadata: { creationTimestamp: timestamp(context.clock) }, status };
      break;
    }
    case 'SelfSubjectRulesReview': {
      const namespace = specOf(object)['namespace'];
      if (typeof namespace !== 'string' || namespace === '') throw errors.badRequest('no namespace on request');
      answered = { kind, apiVersion, metadata: {}, spec: {}, status: ownRules(context, request.identity, namespace) };
      break;
    }
    default:
      yield* trackFields(context, request, request.type, undefined, object);
      answered = { ...object, status: verdict(context, request, object) };
  }
  return { code: 201, document: answered, warnings: request.warnings };
}

function verdict(context: ServerContext, { type, identity, namespace }: WriteRequest, object: KubeObject): JsonObject {
  const spec = specOf(object);
  switch (type.kind) {
    case 'SelfSubjectAccessReview':
      refuseReview(type, selfReviewCauses(object));
      return reviewAccess(context, identity, spec);
    case 'SubjectAccessReview':
      refuseReview(type, accessReviewCauses(object));
      return reviewAccess(context, undefined, spec);
    case 'LocalSubjectAccessReview':
      refuseReview(type, localReviewCauses(object, namespace ?? ''));
      return reviewAccess(context, undefined, spec);
    default: {
      const { token } = spec;
      if (typeof token !== 'string' || token === '') {
        throw errors.badRequest('token is required for TokenReview in authentication');
      }
      return reviewToken(context, token, Array.isArray(spec['audiences']) ? (spec['audiences'] as string[]) : []);
    }
  }
}

/** The namespace need not exist. */
function placeInNamespace({ type, namespace }: WriteRequest, { metadata }: KubeObject): void {
  if (type.namespaced && metadata.namespace !== undefined && metadata.namespace !== namespace) {
    throw errors.badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (type.namespaced && namespace !== undefined) metadata.namespace = namespace;
  else delete metadata.namespace;
}

const specOf = (object: KubeObject): JsonObject => (isObject(object['spec']) ? object['spec'] : {});
