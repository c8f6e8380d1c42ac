import { internalPackage } from '../pipeline/type-meta.js';
import { groupVersion, type ResourceType } from '../resources/resource-type.js';
import { errors, failure, type ApiError } from '../status.js';

/** A list was asked for as the metadata of one object. */
export function notOneObject(type: ResourceType): ApiError {
  const found = type.custom === undefined ? `${nameInside(type)}List` : 'unstructured.UnstructuredList';
  const why = `you requested PartialObjectMetadata, but the requested object is a list (*${found})`;
  return failure('NotAcceptable', why);
}

/** One object was asked for as the metadata of a list. */
export function notAList(type: ResourceType): ApiError {
  return type.custom === undefined ? isOne(nameInside(type)) : errors.plain('content is not a list');
}

/** The same of a Scale. */
export const scaleIsNoList = (type: ResourceType): ApiError =>
  isOne(type.custom === undefined ? 'autoscaling.Scale' : 'v1.Scale');

const isOne = (found: string): ApiError =>
  failure(
    'NotAcceptable',
    `you requested PartialObjectMetadataList, but the requested object is not a list (*${found})`,
  );

/** The name of a built-in type in the real server's code. */
const nameInside = (type: ResourceType): string => `${internalPackage(groupVersion(type))}.${type.kind}`;
