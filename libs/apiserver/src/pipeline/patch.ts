import type { Schema } from '../custom/schema.js';
import { goPlain } from '../schemas/go-format.js';
import { canonical, isObject, parseJson, type JsonObject, type KubeObject } from '../json.js';
import { JsonPatchError, jsonPatch, type JsonPatchOperation } from '../patch/json-patch.js';
import { mergePatch } from '../patch/merge-patch.js';
import { StrategicPatchError, strategicMergePatch } from '../patch/strategic-merge-patch.js';
import { groupVersion, type ResourceType } from '../resources/resource-type.js';
import { hasDuplicates } from '../schemas/json-members.js';
import { DecodingError, type DecodingSource } from '../schemas/typed-decoding.js';
import { errors, failure, type ApiError } from '../status.js';
import type { ObjectResult } from './api-request.js';
import { noObject } from './body-decoding.js';
import { issuesOf, jsonPatchIssues, reportIssues } from './field-issues.js';
import { invalidValue } from './metadata-validation.js';
import { decodeInto } from './object-decoding.js';
import type { ServerContext } from './server-context.js';
import type { Steps } from './steps.js';
import { goType, unknownInOtherVersion, whyOtherKind } from './type-meta.js';
import { changeObject, checkTarget } from './update.js';
import type { WriteRequest } from './write-request.js';

const jsonPatchType = 'application/json-patch+json';
const mergePatchType = 'application/merge-patch+json';
const strategicPatchType = 'application/strategic-merge-patch+json';
/** The media type of an apply; its body is YAML, and JSON thus too. */
export const applyPatchType = 'application/apply-patch+yaml';
const mostOperations = 10_000;

/** Refuses patch types that the resource does not take, and then patches of nothing that has a name. */
export function checkPatchTarget(type: ResourceType, contentType: string, name: string | undefined): void {
  const accepted = [jsonPatchType, mergePatchType, ...(type.custom === undefined ? [strategicPatchType] : [])];
  if (contentType !== applyPatchType && !accepted.includes(contentType)) {
    throw type.custom === undefined
      ? failure('UnsupportedMediaType', '415: Unsupported Media Type', {})
      : errors.unsupportedMediaType([...accepted, applyPatchType]);
  }
  if (name === undefined) throw errors.badRequest('name must be provided');
}

/** What a patch makes of an object, before anybody has looked whether that is an object of its type. */
export interface Patched {
  readonly result: unknown;
  /** What field validation finds in the text of the patch, or undefined when nothing stands there twice. */
  readonly doubled: string | undefined;
  readonly issues: readonly string[];
  readonly source: DecodingSource;
  /** What is unknown is told by its name. */
  readonly byName: boolean;
  /** What is quoted where the result is refused. */
  readonly shown: () => string;
}

/** Applies a patch of any supported type to a copy of an object. */
export function patched(schema: Schema, contentType: string, body: string, current: KubeObject): Patched {
  if (contentType === jsonPatchType) return jsonPatched(body, current);
  const strategic = contentType === strategicPatchType;
  const patch = decodePatch(body, strategic ? '' : 'error decoding patch: ');
  if (patch === null && !strategic) throw errors.badRequest('Invalid JSON Patch');
  if (!isObject(patch) && patch !== null) {
    throw errors.badRequest(
      `${strategic ? '' : 'error decoding patch: '}json: cannot unmarshal ${goType(patch)} into Go value of type map[string]interface {}`,
    );
  }
  const doubled = hasDuplicates(body, patch) ? body : undefined;
  if (!strategic) {
    const result = mergePatch(current, patch);
    return {
      result,
      doubled,
      issues: [],
      source: 'json',
      byName: true,
      shown: () => JSON.stringify(canonical(result)),
    };
  }
  const changes = patch ?? {};
  try {
    const result = strategicMergePatch(current, changes, schema);
    return { result, doubled, issues: [], source: 'unstructured', byName: true, shown: () => goPlain(changes) };
  } catch (error) {
    if (!(error instanceof StrategicPatchError)) throw error;
    throw error.format ? errors.badRequest(error.message) : errors.plain(error.message);
  }
}

function jsonPatched(body: string, current: KubeObject): Patched {
  const patch = decodePatch(body, 'error decoding patch: ') ?? [];
  const refuse = (found: unknown, wanted: string): never => {
    throw errors.badRequest(`error decoding patch: json: cannot unmarshal ${goType(found)} into Go ${wanted}`);
  };
  if (!Array.isArray(patch)) return refuse(patch, 'value of type []handlers.jsonPatchOp');
  for (const operation of patch as unknown[]) {
    if (operation === null) continue;
    if (!isObject(operation)) return refuse(operation, 'value of type handlers.jsonPatchOp');
    for (const field of ['op', 'path', 'from']) {
      const value = operation[field];
      if (value !== undefined && value !== null && typeof value !== 'string') {
        refuse(value, `struct field jsonPatchOp.${field} of type string`);
      }
    }
  }
  if (patch.length > mostOperations) {
    throw failure(
      'RequestEntityTooLarge',
      `Request entity too large: The allowed maximum operations in a JSON patch is ${mostOperations}, got ${patch.length}`,
    );
  }
  if (patch.includes(null)) throw errors.rejected();
  try {
    const result = jsonPatch(current, patch as JsonPatchOperation[]);
    const issues = jsonPatchIssues(body, patch as JsonObject[]);
    return {
      result,
      doubled: undefined,
      issues,
      source: 'json',
      byName: false,
      shown: () => JSON.stringify(canonical(result)),
    };
  } catch (error) {
    if (error instanceof JsonPatchError) throw errors.rejected();
    throw error;
  }
}

/** PATCH of an object or of its status. */
export function* patchObject(
  context: ServerContext,
  request: WriteRequest,
  contentType: string,
  body: string,
): Steps<ObjectResult> {
  return yield* changeObject(context, request, {
    next: (current) => patchedObject(request, patched(request.type.schema, contentType, body, current)),
  });
}

/** What a patch made of an object, once it is certain that it is still that object. */
function patchedObject(request: WriteRequest, patch: Patched): KubeObject {
  const { type, warnings, options } = request;
  const { result, doubled } = patch;
  if (!isObject(result)) {
    if (!Array.isArray(result)) throw errors.rejected();
    throw invalidPatch(patch, noObject(result));
  }
  const next = result as KubeObject;
  if (patch.source === 'json') checkKind(request, patch, next);
  const metadata: unknown = next.metadata;
  if (metadata === undefined || metadata === null) next.metadata = {};
  else if (!isObject(metadata) && type.custom !== undefined) {
    throw invalidPatch(patch, `json: cannot unmarshal ${goType(metadata)} into Go value of type v1.ObjectMeta`);
  }
  const unknown = decodePatched(next, type, patch);
  next.kind = type.kind;
  next.apiVersion = groupVersion(type);
  const issues = [...patch.issues, ...issuesOf(doubled, unknown, type.custom !== undefined, patch.source)];
  reportIssues(options.fieldValidation, warnings, issues, (message) => invalidPatch(patch, message));
  checkTarget(request, next);
  return next;
}

/** Decodes what a patch made of an object, in place; answers the paths of what is unknown. */
function decodePatched(next: KubeObject, type: ResourceType, patch: Patched): string[] {
  try {
    const unknown = decodeInto(next, type, patch.source);
    return patch.byName && type.custom === undefined ? unknown.toSorted() : unknown;
  } catch (error) {
    if (!(error instanceof DecodingError)) throw error;
    // The real server goes through the text that it has made of the result, where members stand by name.
    if (patch.byName && patch.source === 'json') throw invalidPatch(patch, firstByName(next, type) ?? error.message);
    throw invalidPatch(patch, error.message);
  }
}

function firstByName(object: KubeObject, type: ResourceType): string | undefined {
  try {
    decodeInto(canonical(object), type);
  } catch (error) {
    if (error instanceof DecodingError) return error.message;
    throw error;
  }
  return undefined;
}

/** Refuses what a patch made another kind of. */
function checkKind(request: WriteRequest, patch: Patched, next: KubeObject): void {
  const { type, name, warnings } = request;
  for (const field of ['apiVersion', 'kind']) {
    const value = next[field];
    if (value !== undefined && value !== null && typeof value !== 'string') {
      throw invalidPatch(
        patch,
        `couldn't get version/kind; json parse error: json: cannot unmarshal ${goType(value)} into Go struct field .${field} of type string`,
      );
    }
  }
  // Null is as good as absent, and absent as empty.
  const [apiVersion, kind] = [next['apiVersion'] ?? '', next['kind'] ?? ''] as [string, string];
  if (apiVersion.split('/').length > 2) throw invalidPatch(patch, `unexpected GroupVersion string: ${apiVersion}`);
  const wanted = groupVersion(type);
  if (type.custom === undefined) {
    if (apiVersion === '') {
      warnings.push(...unknownInOtherVersion(next, false));
      return checkTarget(request, { ...next, metadata: {} });
    }
    if ((kind === '' || kind === type.kind) && apiVersion === wanted) return;
    const why = whyOtherKind(type, { apiVersion, kind: kind === '' ? type.kind : kind });
    throw invalidPatch(patch, why ?? `the version of the object is ${apiVersion} and not ${wanted}`);
  }
  if (kind === '') throw invalidPatch(patch, `Object 'Kind' is missing in '${JSON.stringify(canonical(next))}'`);
  if (apiVersion === '') throw errors.internal("Object 'apiVersion' is missing in 'object has no apiVersion field'");
  const causes = [
    ...(kind === type.kind ? [] : [invalidValue('kind', kind, `must be ${type.kind}`)]),
    ...(apiVersion === wanted ? [] : [invalidValue('apiVersion', apiVersion, `must be ${wanted}`)]),
  ];
  if (causes.length === 0) return;
  const group = apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));
  if (apiVersion !== wanted && group === type.group) warnings.push(...unknownInOtherVersion(next, true));
  throw errors.invalid({ group, kind }, name, causes);
}

/** Refuses the result of a patch. */
export const invalidPatch = ({ shown }: Patched, why: string): ApiError => errors.invalidPatch(shown(), why);

function decodePatch(body: string, prefix: string): unknown {
  try {
    return parseJson(body);
  } catch (error) {
    throw errors.badRequest(`${prefix}${error instanceof Error ? error.message : String(error)}`);
  }
}
