import { confirmMayCreate } from '../access/create-permission.js';
import { isObject, parseJson, type KubeObject } from '../json.js';
import { errors } from '../status.js';
import type { ObjectResult } from './api-request.js';
import { createObject } from './create.js';
import { yamlDuplicates } from './field-issues.js';
import type { AppliedWrite } from './field-management.js';
import { changeScale, scaleKind } from './scale.js';
import type { ServerContext } from './server-context.js';
import type { Steps } from './steps.js';
import { goType } from './type-meta.js';
import { changeObject, checkTarget, type Applied } from './update.js';
import type { WriteRequest } from './write-request.js';
import { checkEscapes, parseYamlBody } from './yaml-body.js';
import { yamlProblem } from './yaml-problem.js';

/** Server-side apply: PATCH with what a manager wants an object to have. */
export function* applyObject(context: ServerContext, request: WriteRequest, body: string): Steps<ObjectResult> {
  const { type, subresource, name, options } = request;
  const { fieldManagement } = context;
  const write = (live: KubeObject | undefined): AppliedWrite => ({
    type: subresource === 'scale' ? scaleKind : type,
    subresource,
    live,
    // Read anew each time, since it is taken over.
    applied: decodeApplied(body),
    manager: options.fieldManager!,
    force: options.force === true,
  });
  if (subresource === 'scale') {
    return yield* changeScale(context, request, {
      *apply(current) {
        const scale = type.custom === undefined ? write(current) : { ...write(current), unconvertible };
        const object = yield* fieldManagement.apply(scale);
        reportDuplicates(request, body);
        return { object, always: false };
      },
    });
  }
  return yield* changeObject(context, request, {
    *apply(current) {
      const object = yield* fieldManagement.apply(write(current));
      reportDuplicates(request, body);
      return completed(request, object);
    },
    *absent() {
      // What may be created by an update is looked for last, even where it is about a status.
      if (subresource !== undefined && !type.createOnUpdate) throw errors.notFound(type, name);
      const created = yield* fieldManagement.apply(write(undefined));
      reportDuplicates(request, body);
      const { object } = completed(request, created);
      if (subresource !== undefined) throw errors.notFound(type, name);
      const { uid = '' } = object.metadata;
      if (uid !== '') {
        const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
        throw errors.conflict(type, name, why);
      }
      delete object.metadata.resourceVersion;
      confirmMayCreate(context, request);
      return yield* createObject(context, request, object, true);
    },
  });
}

/** The scale of a custom resource cannot be changed by an apply, as the real server takes the Scale for one of it. */
const unconvertible = 'request to convert CR to an invalid group/version: autoscaling/v1';

/** Keys that stand twice are told after everything else. */
function reportDuplicates({ options, warnings }: WriteRequest, body: string): void {
  if (options.fieldValidation === 'Ignore') return;
  const duplicates = yamlDuplicates(body);
  if (duplicates.length === 0) return;
  if (options.fieldValidation === 'Warn') warnings.push(...duplicates);
  else {
    const why = `yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`;
    throw errors.badRequest(`error strict decoding YAML: error converting YAML to JSON: ${why}`);
  }
}

function completed(request: WriteRequest, object: KubeObject): Applied {
  const always = request.type.custom !== undefined && request.subresource === undefined && hasBlanks(object);
  checkTarget(request, object);
  return { object, always };
}

/**
 * Whether metadata has members without content, which are dropped when the object is read again: the real server
 * compares what it writes with what it has read, and finds them different each time.
 */
const hasBlanks = ({ metadata }: KubeObject): boolean =>
  [metadata.labels, metadata.annotations, metadata.finalizers, metadata.ownerReferences].some(
    (value: unknown) => value === null || (typeof value === 'object' && Object.keys(value).length === 0),
  );

function decodeApplied(body: string): KubeObject {
  let value: unknown;
  try {
    value = body.trimStart().startsWith('{') ? jsonOrYaml(body) : parseYamlBody(body);
  } catch (error) {
    throw errors.badRequest(`error decoding YAML: error converting YAML to JSON: yaml: ${yamlProblem(error, body)}`);
  }
  if (value === null || value === undefined) return {} as KubeObject;
  if (!isObject(value)) {
    throw errors.badRequest(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${goType(value)} into Go value of type map[string]interface {}`,
    );
  }
  return value as KubeObject;
}

function jsonOrYaml(body: string): unknown {
  let value: unknown;
  try {
    value = parseJson(body);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return parseYamlBody(body);
  }
  checkEscapes(body);
  return value;
}
