import { parse as parseYaml } from 'yaml';
import { isObject, parseJson, type KubeObject } from '../json.js';
import { groupVersion, type ResourceType } from '../resources/resource-type.js';
import { ApiError, errors } from '../status.js';
import { invalidValue } from './metadata-validation.js';

const acceptedBodies = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** Parses a JSON or YAML body; undefined for an empty one. */
export function decodeBody(contentType: string, text: string): unknown {
  if (contentType !== '' && contentType !== 'application/json' && contentType !== 'application/yaml') {
    throw errors.unsupportedMediaType(acceptedBodies);
  }
  if (text.trim() === '') return undefined;
  try {
    return contentType === 'application/yaml' ? parseYaml(text) : parseJson(text);
  } catch (error) {
    throw new BodySyntaxError(error instanceof Error ? error.message : String(error));
  }
}

/** The body is not JSON or YAML. The words of the JSON parser are Node's and not Go's. */
export class BodySyntaxError extends Error {}

/** Decodes a body that must be an object of `type`. */
export function decodeObject(type: ResourceType, contentType: string, text: string): KubeObject {
  const shown = text.length === 0 ? '<empty>' : text.length > 30 ? `${text.slice(0, 30)} ...` : text;
  const unrecognized = (why: string): never => {
    throw errors.badRequest(`the object provided is unrecognized (must be of type ${type.kind}): ${why} (${shown})`);
  };
  let value: unknown;
  try {
    value = decodeBody(contentType, text);
  } catch (error) {
    if (error instanceof BodySyntaxError)
      return unrecognized(`couldn't get version/kind; json parse error: ${error.message}`);
    throw error;
  }
  if (value === undefined)
    return unrecognized(`couldn't get version/kind; json parse error: unexpected end of JSON input`);
  if (!isObject(value)) return unrecognized("couldn't get version/kind; json parse error: the body is not an object");
  return checkTypeMeta(type, value as KubeObject, unrecognized, text);
}

/** A custom object of another version has no schema, so all of its content is unknown. */
export function unknownInOtherVersion(type: ResourceType, object: KubeObject): string[] {
  if (type.custom === undefined) return [];
  return Object.keys(object)
    .filter((key) => !['apiVersion', 'kind', 'metadata'].includes(key))
    .sort()
    .map((key) => `unknown field ${JSON.stringify(key)}`);
}

function checkTypeMeta(
  type: ResourceType,
  object: KubeObject,
  unrecognized: (why: string) => never,
  text: string,
): KubeObject {
  const { apiVersion, kind } = object as { apiVersion?: unknown; kind?: unknown };
  if (type.custom !== undefined) {
    if (typeof kind !== 'string' || kind === '') unrecognized(`Object 'Kind' is missing in '${text}'`);
    if (typeof apiVersion !== 'string' || apiVersion === '')
      unrecognized(`Object 'apiVersion' is missing in '${text}'`);
  }
  for (const [field, value] of Object.entries({ kind, apiVersion })) {
    if (value !== undefined && value !== null && typeof value !== 'string') {
      unrecognized(`couldn't get version/kind; json parse error: ${field} is not a string`);
    }
  }
  object.kind ??= type.kind;
  object.apiVersion ??= groupVersion(type);
  if (object.apiVersion !== groupVersion(type)) {
    const refused = errors.badRequest(
      `the API version in the data (${object.apiVersion}) does not match the expected API version (${groupVersion(type)})`,
    );
    throw new ApiError(refused.status, unknownInOtherVersion(type, object));
  }
  if (object.kind !== type.kind) {
    if (type.custom !== undefined) {
      const { metadata } = object as { metadata?: { name?: string } };
      throw errors.invalid({ group: type.group, kind: object.kind }, metadata?.name ?? '', [
        invalidValue('kind', object.kind, `must be ${type.kind}`),
      ]);
    }
    throw errors.badRequest(
      `${object.kind} in version "${type.version}" cannot be handled as a ${type.kind}: the kind of the body is not that of the resource`,
    );
  }
  const metadata: unknown = object.metadata;
  if (metadata === undefined || metadata === null) object.metadata = {};
  else if (!isObject(metadata)) {
    throw errors.badRequest(
      `${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: json: cannot unmarshal ${Array.isArray(metadata) ? 'array' : typeof metadata} into Go value of type v1.ObjectMeta`,
    );
  }
  return object;
}
