import { applyDefaults, prune } from '../custom/pruning.js';
import { isObject, type KubeObject } from '../json.js';
import type { AdmissionAttributes } from '../pipeline/admission-control.js';
import type { Representations } from '../pipeline/representations.js';
import { decodeInto } from '../pipeline/object-decoding.js';
import { noSuchKind, whyOtherKind } from '../pipeline/type-meta.js';
import { groupVersion, type ResourceType } from '../resources/resource-type.js';
import { DecodingError } from '../schemas/typed-decoding.js';
import { errors } from '../status.js';
import { AnswerError } from './answer-decoding.js';
import { checkShape } from './go-shape.js';
import { objectMeta } from './object-meta-shape.js';

/**
 * Reads what a patch made of an object, as the server reads a body: with defaults, but without a word about what is
 * unknown. Throws 500 where it cannot be read.
 */
export function decodePatched(object: KubeObject, type: ResourceType, subresource: string | undefined): KubeObject {
  const metadata: unknown = object.metadata;
  object.metadata = isObject(metadata) ? metadata : {};
  if (subresource === 'scale') return object;
  if (type.custom === undefined) return decodeBuiltin(object, type);
  dropMalformedMetadata(object);
  if (object.kind === type.kind && object.apiVersion === groupVersion(type)) applyDefaults(object, type.custom.schema);
  return object;
}

function decodeBuiltin(object: KubeObject, type: ResourceType): KubeObject {
  object.kind ||= type.kind;
  object.apiVersion ||= groupVersion(type);
  if (object.apiVersion !== groupVersion(type) || object.kind !== type.kind) {
    throw errors.internal(whyOtherKind(type, object) ?? noSuchKind(object.apiVersion, object.kind));
  }
  try {
    decodeInto(object, type);
  } catch (error) {
    if (error instanceof DecodingError) throw errors.internal(error.message);
    throw error;
  }
  return object;
}

/** Metadata of custom resources that has no meaning is dropped, member by member. */
function dropMalformedMetadata({ metadata }: KubeObject): void {
  for (const key of Object.keys(metadata)) {
    try {
      checkShape({ [key]: metadata[key] }, objectMeta, '');
    } catch (error) {
      if (!(error instanceof AnswerError)) throw error;
      delete metadata[key];
    }
  }
  for (const key of Object.keys(metadata)) if (isEmpty(metadata[key])) delete metadata[key];
}

const isEmpty = (value: unknown): boolean =>
  value === null || (Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0);

/** The object that the webhooks left, in the version of the request. */
export async function finishMutated(
  object: KubeObject,
  type: ResourceType,
  attributes: AdmissionAttributes,
  representations: Representations,
): Promise<KubeObject> {
  const wanted = attributes.type;
  if (attributes.subresource === 'scale' || wanted.custom === undefined) {
    return wanted === type ? object : representations.convert(type, wanted, object);
  }
  // Which version it has is for the object to say, as a webhook may have changed that as well.
  const from = Object.keys(wanted.custom.schemas).find((version) => object.apiVersion === `${wanted.group}/${version}`);
  if (from === undefined) {
    throw errors.plain(`request to convert CR from an invalid group/version: ${String(object.apiVersion)}`);
  }
  const converted =
    from === wanted.version ? object : await representations.convert({ ...type, version: from }, wanted, object);
  if (converted.kind !== wanted.kind) {
    throw errors.invalid({ group: wanted.group, kind: String(converted.kind) }, converted.metadata.name ?? '', [
      {
        reason: 'FieldValueInvalid',
        message: `Invalid value: ${JSON.stringify(converted.kind)}: must be ${wanted.kind}`,
        field: 'kind',
      },
    ]);
  }
  prune(converted, wanted.custom.schema);
  return converted;
}
