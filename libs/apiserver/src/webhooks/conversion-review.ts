import { isObject, type JsonObject, type KubeObject } from '../json.js';
import { decodeReview, shownKind, type ReviewKind } from './answer-decoding.js';
import { checkShape, type GoMember, type GoStruct } from './go-shape.js';
import { status } from './status-shape.js';
import type { WebhookAnswer } from './webhook-transport.js';

export const conversionVersions = ['v1', 'v1beta1'] as const;
export type ConversionVersion = (typeof conversionVersions)[number];

const review: ReviewKind = { group: 'apiextensions.k8s.io', kind: 'ConversionReview', versions: conversionVersions };

/** The review that asks a webhook for objects in another version. */
export function conversionReview(
  objects: readonly KubeObject[],
  desiredAPIVersion: string,
  uid: string,
  version: ConversionVersion,
): JsonObject {
  return {
    kind: review.kind,
    apiVersion: `${review.group}/${version}`,
    request: { uid, desiredAPIVersion, objects },
    response: { uid: '', convertedObjects: null, result: { metadata: {} } },
  };
}

const anything: GoMember = { type: 'runtime.RawExtension', json: 'any' };

function shapeOf(version: ConversionVersion): GoStruct {
  const response: GoStruct = {
    name: 'ConversionResponse',
    members: {
      uid: { type: 'types.UID', json: 'string' },
      convertedObjects: { type: '[]runtime.RawExtension', items: anything },
      result: { type: 'v1.Status', struct: status },
    },
  };
  return { name: review.kind, members: { response: { type: `${version}.ConversionResponse`, struct: response } } };
}

const shapes: Record<ConversionVersion, GoStruct> = { v1: shapeOf('v1'), v1beta1: shapeOf('v1beta1') };

/** A review that says that the conversion failed, or means nothing. */
export class ConversionFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConversionFailure';
  }
}

/** What the webhook made of the objects. Throws AnswerError or ConversionFailure. */
export function convertedObjects(answer: WebhookAnswer, uid: string, version: ConversionVersion): unknown[] {
  const fail = (why: string): never => {
    throw new ConversionFailure(why);
  };
  const document = decodeReview(answer, review, version);
  checkShape(document, shapes[version], '');
  const wanted = `${review.group}/${version}, Kind=${review.kind}`;
  const found = shownKind(document);
  if (found !== wanted) fail(`expected webhook response of ${wanted}, got ${found}`);
  const response = document['response'];
  if (!isObject(response)) return fail('no response provided');
  const echoed = textOf(response['uid']);
  if (version === 'v1' && echoed !== uid) {
    fail(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(echoed)}`);
  }
  const result = isObject(response['result']) ? response['result'] : {};
  if (result['status'] !== 'Success') {
    fail(textOf(result['message']) || `response.result.status was '${textOf(result['status'])}', not 'Success'`);
  }
  return (response['convertedObjects'] ?? []) as unknown[];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
