import { parse as parseYaml } from 'yaml';
import { isObject, parseJson, valueAt, type JsonObject, type KubeObject } from '../json.js';
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
    if (contentType !== 'application/yaml') return parseJson(text);
    // Through JSON, as on the real server: refuses what refers to itself, and knows no other types.
    return parseJson(JSON.stringify(parseYaml(text, { logLevel: 'error' })));
  } catch (error) {
    throw new BodySyntaxError(error instanceof Error ? error.message : String(error));
  }
}

/** The body is not JSON or YAML. */
export class BodySyntaxError extends Error {}

/** Decodes a body that must be an object of `type`. */
export function decodeObject(type: ResourceType, contentType: string, text: string): KubeObject {
  const value = decodeDocument(type.kind, contentType, text);
  return checkTypeMeta(type, value as KubeObject, (why) => unrecognized(type.kind, text, why), text);
}

/** Decodes a body that must be a JSON object; `kind` is what the refusal names. */
export function decodeDocument(kind: string, contentType: string, text: string): JsonObject {
  let value: unknown;
  try {
    value = decodeBody(contentType, text);
  } catch (error) {
    if (error instanceof BodySyntaxError)
      return unrecognized(kind, text, `couldn't get version/kind; json parse error: ${error.message}`);
    throw error;
  }
  if (value === undefined)
    return unrecognized(kind, text, `couldn't get version/kind; json parse error: unexpected end of JSON input`);
  if (!isObject(value))
    return unrecognized(kind, text, "couldn't get version/kind; json parse error: the body is not an object");
  return value;
}

function unrecognized(kind: string, text: string, why: string): never {
  const shown = text.length === 0 ? '<empty>' : text.length > 30 ? `${text.slice(0, 30)} ...` : text;
  throw errors.badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${shown})`);
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
  refuse: (why: string) => never,
  text: string,
): KubeObject {
  const { apiVersion, kind } = object as { apiVersion?: unknown; kind?: unknown };
  if (type.custom !== undefined) {
    if (typeof kind !== 'string' || kind === '') refuse(`Object 'Kind' is missing in '${text}'`);
    if (typeof apiVersion !== 'string' || apiVersion === '') refuse(`Object 'apiVersion' is missing in '${text}'`);
  }
  for (const [field, value] of Object.entries({ kind, apiVersion })) {
    if (value !== undefined && value !== null && typeof value !== 'string') {
      refuse(`couldn't get version/kind; json parse error: ${field} is not a string`);
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
      const name = valueAt(object, ['metadata', 'name']);
      throw errors.invalid({ group: type.group, kind: object.kind }, typeof name === 'string' ? name : '', [
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
