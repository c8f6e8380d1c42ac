import { isObject, type JsonObject } from '../json.js';
import { decodeProtobuf, ProtobufObjectError, protobufType } from '../protobuf/protobuf-body.js';
import { WireError } from '../protobuf/wire-reader.js';
import { errors } from '../status.js';
import { BodySyntaxError, checkContentType, noObject, parseBody, protobufBytes } from './body-decoding.js';
import { goType, noSuchKind } from './type-meta.js';

/** Types of the fields of DeleteOptions, as refusals name them. */
const optionTypes: Readonly<Record<string, string>> = {
  dryRun: '[]string',
  gracePeriodSeconds: 'int64',
  orphanDependents: 'bool',
  preconditions: 'v1.Preconditions',
  propagationPolicy: 'v1.DeletionPropagation',
};

const jsonTypes: Readonly<Record<string, string>> = {
  '[]string': 'array',
  bool: 'bool',
  int64: 'number',
  'v1.Preconditions': 'object',
};

/** Decodes the options of a DELETE; undefined for an empty body. */
export function decodeDeleteOptions(contentType: string, body: string): JsonObject | undefined {
  if (body === '') return undefined;
  checkContentType(contentType);
  try {
    if (contentType !== protobufType) return optionsOf(parseBody(contentType, body));
    const { apiVersion, kind, object } = decodeProtobuf(protobufBytes(body), {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
    });
    if (kind !== 'DeleteOptions') throw errors.badRequest(noSuchKind(apiVersion, kind));
    return object;
  } catch (error) {
    if (error instanceof BodySyntaxError || error instanceof WireError || error instanceof ProtobufObjectError) {
      throw errors.badRequest(error.message);
    }
    throw error;
  }
}

function optionsOf(value: unknown): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) throw errors.badRequest(noObject(value));
  const { kind, apiVersion } = value;
  for (const [field, found] of Object.entries(value)) {
    if (field !== 'kind' && field !== 'apiVersion') continue;
    if (found === undefined || found === null || typeof found === 'string') continue;
    throw errors.badRequest(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${goType(found)} into Go struct field .${field} of type string`,
    );
  }
  if (typeof kind === 'string' && kind !== '' && kind !== 'DeleteOptions') {
    throw errors.badRequest(
      noSuchKind(typeof apiVersion === 'string' && apiVersion !== '' ? apiVersion : 'meta.k8s.io/v1', kind),
    );
  }
  // The first one in the text is told.
  for (const [field, found] of Object.entries(value)) {
    const type = Object.hasOwn(optionTypes, field) ? optionTypes[field] : undefined;
    if (type === undefined || found === undefined || found === null) continue;
    if (goType(found) !== (jsonTypes[type] ?? 'string')) throw wrongOption(`DeleteOptions.${field}`, found, type);
    if (Array.isArray(found)) {
      for (const item of found)
        if (typeof item !== 'string') throw wrongOption(`DeleteOptions.${field}`, item, 'string');
    } else if (isObject(found)) {
      for (const [name, text] of [
        ['uid', 'types.UID'],
        ['resourceVersion', 'string'],
      ] as const) {
        const part = found[name];
        if (part !== undefined && part !== null && typeof part !== 'string') {
          throw wrongOption(`Preconditions.${field}.${name}`, part, text);
        }
      }
    }
  }
  return value;
}

const wrongOption = (field: string, found: unknown, type: string): Error =>
  errors.badRequest(`json: cannot unmarshal ${goType(found)} into Go struct field ${field} of type ${type}`);
