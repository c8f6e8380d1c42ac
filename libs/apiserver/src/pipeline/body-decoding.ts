import { goQuote } from '../cel/library/go-quote.js';
import { canonical, isObject, parseJson, type JsonObject, type KubeObject } from '../json.js';
import { decodeProtobuf, ProtobufObjectError, protobufType } from '../protobuf/protobuf-body.js';
import { WireError } from '../protobuf/wire-reader.js';
import { groupVersion, type ResourceType } from '../resources/resource-type.js';
import { hasDuplicates } from '../schemas/json-members.js';
import { DecodingError } from '../schemas/typed-decoding.js';
import { errors, type ApiError } from '../status.js';
import { issuesOf, reportIssues, yamlDuplicates } from './field-issues.js';
import { decodeInto } from './object-decoding.js';
import { checkTypeMeta, goType } from './type-meta.js';
import type { FieldValidation } from './write-options.js';
import { parseYamlBody } from './yaml-body.js';
import { yamlProblem } from './yaml-problem.js';

const acceptedBodies = ['application/json', 'application/yaml', protobufType];

/** The body is nothing that can be read. */
export class BodySyntaxError extends Error {}

/** Parses a JSON or YAML body; undefined for an empty one. Throws BodySyntaxError. */
export function parseBody(contentType: string, text: string): unknown {
  if (text.trim() === '') return undefined;
  const yaml = contentType === 'application/yaml';
  try {
    return yaml ? parseYamlBody(text) : parseJson(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new BodySyntaxError(
      yaml ? `yaml: ${yamlProblem(error, text)}` : `couldn't get version/kind; json parse error: ${message}`,
    );
  }
}

/** Refuses media types that nothing is read from. */
export function checkContentType(contentType: string): void {
  if (contentType !== '' && !acceptedBodies.includes(contentType)) throw errors.unsupportedMediaType(acceptedBodies);
}

/**
 * Decodes a body that must be an object of `type`, and leaves nothing in it that the type does not know. What field
 * validation finds goes to the warnings, or refuses the body.
 */
export function decodeObject(
  type: ResourceType,
  contentType: string,
  body: string,
  validation: FieldValidation,
  warnings: string[],
): KubeObject {
  const refuse = (why: string): never => unrecognized(type.kind, contentType, body, why);
  // The real server breaks off the connection here, which is of no use to anybody.
  if (contentType === protobufType && type.custom !== undefined) {
    throw errors.unsupportedMediaType(acceptedBodies.filter((accepted) => accepted !== protobufType));
  }
  const value = decodeDocument(type, contentType, body);
  const yaml = contentType === 'application/yaml';
  const checked = validation !== 'Ignore' && contentType !== protobufType;
  const doubled = checked && !yaml && hasDuplicates(body, value);
  // The real server makes JSON of YAML first, with sorted names.
  const object = checkTypeMeta(type, yaml ? canonical(value) : value, refuse, body);
  let unknown: string[];
  try {
    unknown = decodeInto(object, type);
  } catch (error) {
    if (error instanceof DecodingError) throw cannotBeHandled(type, error.message);
    throw error;
  }
  if (checked) {
    const issues = issuesOf(doubled ? body : undefined, unknown, type.custom !== undefined);
    const keys = yaml ? yamlDuplicates(body) : [];
    reportIssues(validation, warnings, issues, (message) => cannotBeHandled(type, message), keys);
  }
  return object;
}

const cannotBeHandled = ({ kind, version }: ResourceType, why: string): ApiError =>
  errors.badRequest(`${kind} in version ${goQuote(version)} cannot be handled as a ${kind}: ${why}`);

/** Decodes a body that must be a JSON object; `expected` is what it is taken for where it does not say so. */
export function decodeDocument(
  expected: Pick<ResourceType, 'group' | 'version' | 'kind'>,
  contentType: string,
  body: string,
): JsonObject {
  checkContentType(contentType);
  const { kind } = expected;
  const refuse = (why: string): never => unrecognized(kind, contentType, body, why);
  if (contentType === protobufType) return decodeMessage(expected, body, refuse);
  let value: unknown;
  try {
    value = parseBody(contentType, body);
  } catch (error) {
    if (error instanceof BodySyntaxError) return refuse(error.message);
    throw error;
  }
  if (value === undefined && contentType !== 'application/yaml') {
    return refuse(`couldn't get version/kind; json parse error: unexpected end of JSON input`);
  }
  if (value === undefined || value === null) return {};
  return isObject(value) ? value : refuse(noObject(value));
}

/** What is said of JSON that is no object. */
export const noObject = (value: unknown): string =>
  `couldn't get version/kind; json parse error: json: cannot unmarshal ${goType(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;

function decodeMessage(
  expected: Pick<ResourceType, 'group' | 'version' | 'kind'>,
  body: string,
  refuse: (why: string) => never,
): JsonObject {
  try {
    const decoded = decodeProtobuf(protobufBytes(body), { apiVersion: groupVersion(expected), kind: expected.kind });
    if (decoded.object !== undefined) return decoded.object;
    if (decoded.kind === expected.kind && decoded.apiVersion === groupVersion(expected)) {
      throw errors.unsupportedMediaType(acceptedBodies.filter((accepted) => accepted !== protobufType));
    }
    return { apiVersion: decoded.apiVersion, kind: decoded.kind };
  } catch (error) {
    if (error instanceof WireError) return refuse(error.message);
    if (!(error instanceof ProtobufObjectError)) throw error;
    const version = error.apiVersion.slice(error.apiVersion.indexOf('/') + 1);
    throw errors.badRequest(
      `${error.kind} in version ${goQuote(version)} cannot be handled as a ${expected.kind}: ${error.message}`,
    );
  }
}

/** Bodies in protobuf travel through the pipeline with one character per byte. */
export const protobufBytes = (body: string): Buffer => Buffer.from(body, 'latin1');

function unrecognized(kind: string, contentType: string, body: string, why: string): never {
  const bytes = contentType === protobufType ? protobufBytes(body) : Buffer.from(body);
  throw errors.badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${summary(bytes)})`);
}

/** The beginning of a body as refusals show it: text where it looks like JSON, digits otherwise. */
function summary(bytes: Buffer): string {
  if (bytes.length === 0) return '<empty>';
  const shown = bytes.subarray(0, 30);
  const text = bytes[0] === 0x7b ? shown.toString() : shown.toString('hex');
  return bytes.length > 30 ? `${text} ...` : text;
}
