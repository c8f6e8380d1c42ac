import { goQuote } from '../cel/library/go-quote.js';
import { keyOf } from '../resources/resource-type.js';
import { answerReview } from '../reviews/answer-review.js';
import { ApiError, errors } from '../status.js';
import type { ApiRequest, ObjectResult } from './api-request.js';
import { applyObject } from './apply.js';
import { checkContentType, decodeObject } from './body-decoding.js';
import { createObject } from './create.js';
import { decodeDeleteOptions } from './delete-options-body.js';
import { deleteObject } from './delete.js';
import { flag, listObjects, listOptions, parseWatchRevision, reachRevision, type ListResult } from './list.js';
import { applyPatchType, checkPatchTarget, patchObject } from './patch.js';
import { represented } from './representations.js';
import { scaleOf, writeScale } from './scale.js';
import type { ServerContext } from './server-context.js';
import { run, wait, type Steps } from './steps.js';
import { updateObject } from './update.js';
import { deleteOptions, writeOptions, type DeleteOptions, type WriteOptions } from './write-options.js';
import { writeDeadline, type WriteRequest } from './write-request.js';

export type DispatchResult = { object: ObjectResult } | { list: ListResult; warnings: readonly string[] };

/**
 * Carries out a request other than a watch. `asOf` makes a read show an older revision. The answer comes at once
 * unless somebody else has to be asked or a revision has to be waited for.
 */
export function dispatch(
  context: ServerContext,
  request: ApiRequest,
  asOf?: number,
): DispatchResult | Promise<DispatchResult> {
  const { deprecation } = request.type;
  const warnings = deprecation === undefined ? [] : [deprecation];
  return run(warned(steps(context, request, warnings, asOf), warnings));
}

/** Gives a refusal the warnings that were collected before it. */
function* warned<T>(work: Steps<T>, warnings: readonly string[]): Steps<T> {
  try {
    return yield* work;
  } catch (error) {
    if (!(error instanceof ApiError) || warnings.length === 0) throw error;
    throw new ApiError(error.status, [...warnings, ...error.warnings]);
  }
}

function* steps(
  context: ServerContext,
  request: ApiRequest,
  warnings: string[],
  asOf: number | undefined,
): Steps<DispatchResult> {
  const { verb, type, query, contentType, body, name = '' } = request;
  if (name.includes('%') && (verb === 'get' || verb === 'delete')) throw unusableName(name);
  switch (verb) {
    case 'get':
      return { object: yield* get(context, request, warnings, asOf) };
    case 'list': {
      const options = listOptions(query, type, false);
      return { list: yield* listObjects(context, type, request.namespace, options, asOf), warnings };
    }
    case 'create': {
      checkContentType(contentType);
      const write = writeRequest(context, request, 'CreateOptions', warnings);
      const object = decodeObject(type, contentType, body, write.options.fieldValidation, warnings);
      if (type.virtual === true) return { object: yield* answerReview(context, write, object) };
      return { object: yield* createObject(context, write, object) };
    }
    case 'update': {
      const write = writeRequest(context, request, 'UpdateOptions', warnings);
      return {
        object:
          request.subresource === 'scale'
            ? yield* writeScale(context, write, false, contentType, body)
            : yield* updateObject(context, write, () =>
                decodeObject(type, contentType, body, write.options.fieldValidation, warnings),
              ),
      };
    }
    case 'patch': {
      checkPatchTarget(type, contentType, request.name);
      if (name.includes('%')) throw unusableName(name);
      const apply = contentType === applyPatchType;
      const write = writeRequest(context, request, 'PatchOptions', warnings, apply);
      if (apply) return { object: yield* applyObject(context, write, body) };
      return {
        object:
          request.subresource === 'scale'
            ? yield* writeScale(context, write, true, contentType, body)
            : yield* patchObject(context, write, contentType, body),
      };
    }
    case 'delete': {
      const options = readDeleteOptions(request);
      return {
        object: yield* deleteObject(context, {
          ...target(request),
          deadline: writeDeadline(context.clock),
          warnings,
          options,
        }),
      };
    }
    case 'deletecollection':
      return { list: yield* deleteCollection(context, request, warnings), warnings };
    case 'watch':
      throw errors.internal('a watch is not dispatched');
  }
}

const unusableName = (name: string): Error =>
  errors.badRequest(`Name parameter invalid: ${goQuote(name)}: may not contain '%'`);

function target({
  type,
  namespace,
  name = '',
  subresource,
  identity,
  userAgent,
}: ApiRequest): Omit<WriteRequest, 'options' | 'warnings' | 'deadline'> {
  return { type, namespace, name, subresource, identity, userAgent };
}

function writeRequest(
  { clock }: ServerContext,
  request: ApiRequest,
  kind: WriteOptions['kind'],
  warnings: string[],
  apply = false,
): WriteRequest {
  const options = writeOptions(request.query, kind, apply);
  return { ...target(request), deadline: writeDeadline(clock), warnings, options };
}

function readDeleteOptions({ query, contentType, body }: ApiRequest): DeleteOptions {
  return deleteOptions(query, decodeDeleteOptions(contentType, body));
}

function* get(
  context: ServerContext,
  request: ApiRequest,
  warnings: readonly string[],
  asOf: number | undefined,
): Steps<ObjectResult> {
  const { type, namespace, name = '', query, subresource } = request;
  const version = query.get('resourceVersion') ?? '';
  const revision = version === '' ? 0 : parseWatchRevision(version);
  if (revision > context.store.revision) yield* wait(reachRevision(context, revision));
  const key = keyOf(namespace, name);
  const stored =
    asOf === undefined || subresource === 'scale'
      ? context.store.get(type.storage, key)
      : context.store.list(type.storage, asOf).find((entry) => entry.key === key)?.object;
  if (stored === undefined) throw errors.notFound(type, name);
  const { representations } = context;
  // What may be old may be shown as it was converted once.
  const pending = version === '0' ? representations.fetch(type, [stored]) : representations.refetch(type, stored);
  if (pending !== undefined) yield* wait(pending);
  if (subresource === 'scale') {
    return { code: 200, document: scaleOf(type, context.representations.object(type, stored)), warnings };
  }
  return { code: 200, stored, warnings };
}

function* deleteCollection(context: ServerContext, request: ApiRequest, warnings: string[]): Steps<ListResult> {
  const { type, query } = request;
  // The parameters are those of a watch where they say so, though nothing is watched.
  const selection = listOptions(query, type, flag(query, 'watch') === true);
  const options = readDeleteOptions(request);
  const list = yield* listObjects(context, type, request.namespace, selection);
  const common = { ...target(request), deadline: writeDeadline(context.clock), ofCollection: true, warnings, options };
  for (const item of list.items) {
    const { namespace, name = '' } = item.metadata;
    if (context.store.get(type.storage, keyOf(namespace, name)) === undefined) continue;
    yield* deleteObject(context, { ...common, namespace, name });
  }
  yield* represented(context, type, list.items);
  return list;
}
