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
  if (type.custom !== undefined) return errors.plain('content is not a list');
  const why = `you requested PartialObjectMetadataList, but the requested object is not a list (*${nameInside(type)})`;
  return failure('NotAcceptable', why);
}

/** The name of a built-in type in the real server's code. */
const nameInside = (type: ResourceType): string => `${internalPackage(groupVersion(type))}.${type.kind}`;
