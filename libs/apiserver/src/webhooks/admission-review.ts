import { canonical, isObject, type JsonObject, type KubeObject } from '../json.js';
import type { AdmissionAttributes } from '../pipeline/admission-control.js';
import { optionsDocument } from '../pipeline/write-options.js';
import type { ResourceType } from '../resources/resource-type.js';
import type { ReviewVersion } from './admission-webhook.js';
import { decodeReview, shownKind, type ReviewKind } from './answer-decoding.js';
import { checkShape, type GoMember, type GoStruct } from './go-shape.js';
import { status } from './status-shape.js';
import { namespaceOf } from './webhook-matching.js';
import type { WebhookAnswer } from './webhook-transport.js';

/** A write in the version in which a webhook sees it. */
export interface VersionedWrite {
  readonly attributes: AdmissionAttributes;
  readonly type: ResourceType;
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
}

/** What a webhook decided. */
export interface AdmissionResponse {
  readonly allowed: boolean;
  readonly status: JsonObject | undefined;
  /** JSON in base64; empty where there is none. */
  readonly patch: string;
  readonly patchType: string;
  readonly warnings: readonly string[];
}

const review: ReviewKind = { group: 'admission.k8s.io', kind: 'AdmissionReview', versions: ['v1', 'v1beta1'] };

/** The review that asks a webhook about a write. */
export function admissionReview(write: VersionedWrite, uid: string, version: ReviewVersion): JsonObject {
  const { type, object = null, oldObject = null } = write;
  const { dryRun, options, ...about } = admissionRequest(write);
  return {
    kind: review.kind,
    apiVersion: `${review.group}/${version}`,
    request: {
      uid,
      ...about,
      // Custom resources come with sorted members.
      object: type.custom === undefined ? object : canonical(object),
      oldObject,
      dryRun,
      options,
    },
  };
}

/** What there is to say of the request for a write, beside its objects. */
export function admissionRequest({ attributes, type }: VersionedWrite): JsonObject {
  const { identity, operation, name, subresource } = attributes;
  const namespace = namespaceOf(attributes) ?? '';
  const { name: username, uid: userId = '', groups, extra } = identity;
  return {
    kind: kindOf(type, subresource),
    resource: resourceOf(type),
    ...(subresource === undefined ? {} : { subResource: subresource }),
    requestKind: kindOf(attributes.type, subresource),
    requestResource: resourceOf(attributes.type),
    ...(subresource === undefined ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: {
      username,
      ...(userId === '' ? {} : { uid: userId }),
      ...(groups.length === 0 ? {} : { groups }),
      ...(extra === undefined ? {} : { extra }),
    },
    dryRun: attributes.options.dryRun,
    options: optionsDocument(attributes.options, operation),
  };
}

function kindOf(type: ResourceType, subresource: string | undefined): JsonObject {
  return subresource === 'scale'
    ? { group: 'autoscaling', version: 'v1', kind: 'Scale' }
    : { group: type.group, version: type.version, kind: type.kind };
}

const resourceOf = ({ group, version, plural }: ResourceType): JsonObject => ({ group, version, resource: plural });

const text: GoMember = { type: 'string', json: 'string' };

function shapeOf(version: ReviewVersion): GoStruct {
  const response: GoStruct = {
    name: 'AdmissionResponse',
    members: {
      uid: { type: 'types.UID', json: 'string' },
      allowed: { type: 'bool', json: 'boolean' },
      status: { type: 'v1.Status', struct: status },
      patch: { type: '[]uint8', json: 'bytes' },
      patchType: { type: `${version}.PatchType`, json: 'string' },
      auditAnnotations: { type: 'map[string]string', values: text },
      warnings: { type: '[]string', items: text },
    },
  };
  return { name: review.kind, members: { response: { type: `${version}.AdmissionResponse`, struct: response } } };
}

const shapes: Record<ReviewVersion, GoStruct> = { v1: shapeOf('v1'), v1beta1: shapeOf('v1beta1') };

/** An answer that is a review, but not one that means something. */
export class InvalidResponseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidResponseError';
  }
}

/** Reads the answer of a webhook. Throws AnswerError or InvalidResponseError. */
export function admissionResponse(
  answer: WebhookAnswer,
  uid: string,
  version: ReviewVersion,
  mutating: boolean,
): AdmissionResponse {
  const document = decodeReview(answer, review, version);
  checkShape(document, shapes[version], '');
  const response = document['response'];
  if (!isObject(response)) throw new InvalidResponseError('webhook response was absent');
  const patch = textOf(response['patch']);
  const given = response['patchType'];
  if (version === 'v1') checkResponse(document, response, uid, mutating);
  return {
    allowed: response['allowed'] === true,
    status: isObject(response['status']) ? response['status'] : undefined,
    patch,
    // The older form needs no type.
    patchType: version === 'v1beta1' && patch !== '' ? 'JSONPatch' : textOf(given),
    warnings: (response['warnings'] ?? []) as readonly string[],
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function checkResponse(document: JsonObject, response: JsonObject, uid: string, mutating: boolean): void {
  const fail = (why: string): never => {
    throw new InvalidResponseError(why);
  };
  const wanted = `${review.group}/v1, Kind=${review.kind}`;
  const found = shownKind(document);
  if (found !== wanted) fail(`expected webhook response of ${wanted}, got ${found}`);
  const echoed = textOf(response['uid']);
  if (echoed !== uid) fail(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(echoed)}`);
  const hasPatch = textOf(response['patch']) !== '';
  const type = response['patchType'] ?? undefined;
  if (!mutating) {
    if (hasPatch) fail('validating webhook may not return response.patch');
    if (type !== undefined) fail('validating webhook may not return response.patchType');
  } else if (hasPatch) {
    if (type === undefined) fail('webhook returned response.patch but not response.patchType');
    if (type === '') fail('webhook returned invalid response.patchType of ""');
  } else if (type !== undefined) {
    fail('webhook returned response.patchType but not response.patch');
  }
}
