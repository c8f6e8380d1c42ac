import type { KubeObject } from '../json.js';
import { keyOf, type ResourceType } from '../resources/resource-type.js';
import { errors } from '../status.js';
import type { ApiRequest, ObjectResult } from './api-request.js';
import { BodySyntaxError, decodeBody, decodeObject } from './body-decoding.js';
import { createObject } from './create.js';
import { deleteObject } from './delete.js';
import { listObjects, listOptions, parseWatchRevision, reachRevision, type ListResult } from './list.js';
import { checkPatchType, patchObject } from './patch.js';
import { readScale, writeScale } from './scale.js';
import type { ServerContext } from './server-context.js';
import { updateObject, type UpdateTarget } from './update.js';
import { deleteOptions, writeOptions, type DeleteOptions } from './write-options.js';

export type DispatchResult = { object: ObjectResult } | { list: ListResult };

/** Carries out a request other than a watch. `asOf` makes a read show an older revision. */
export function dispatch(
  context: ServerContext,
  request: ApiRequest,
  asOf?: number,
): DispatchResult | Promise<DispatchResult> {
  const { verb, type, namespace, query, contentType, body } = request;
  const name = request.name ?? '';
  const target: UpdateTarget = { type, namespace, name, subresource: request.subresource };
  const scale = request.subresource === 'scale';
  switch (verb) {
    case 'get':
      return get(context, request, target, asOf);
    case 'list': {
      const result = listObjects(context, type, namespace, listOptions(query, type, false), asOf);
      return result instanceof Promise ? result.then((list) => ({ list })) : { list: result };
    }
    case 'create': {
      const options = writeOptions(query, 'CreateOptions');
      return { object: createObject(context, type, namespace, decodeObject(type, contentType, body), options) };
    }
    case 'update': {
      const options = writeOptions(query, 'UpdateOptions');
      if (scale) return { object: writeScale(context, target, false, contentType, body, options) };
      return { object: updateObject(context, target, decodeObject(type, contentType, body), options) };
    }
    case 'patch': {
      checkPatchType(type, contentType);
      const options = writeOptions(query, 'PatchOptions');
      if (scale) return { object: writeScale(context, target, true, contentType, body, options) };
      return { object: patchObject(context, target, contentType, body, options) };
    }
    case 'delete':
      return { object: deleteObject(context, type, namespace, name, readDeleteOptions(request)) };
    case 'deletecollection':
      return deleteCollection(context, request);
    case 'watch':
      throw errors.internal('a watch is not dispatched');
  }
}

function readDeleteOptions({ query, contentType, body }: ApiRequest): DeleteOptions {
  try {
    return deleteOptions(query, decodeBody(contentType, body));
  } catch (error) {
    if (error instanceof BodySyntaxError)
      throw errors.badRequest(`couldn't get version/kind; json parse error: ${error.message}`);
    throw error;
  }
}

function get(
  context: ServerContext,
  request: ApiRequest,
  target: UpdateTarget,
  asOf: number | undefined,
): DispatchResult | Promise<DispatchResult> {
  const { type, namespace, name } = target;
  const version = request.query.get('resourceVersion') ?? '';
  const revision = version === '' ? 0 : parseWatchRevision(version);
  const read = (): DispatchResult => {
    if (request.subresource === 'scale') {
      return { object: { code: 200, document: readScale(context, target), warnings: [] } };
    }
    const key = keyOf(namespace, name);
    const stored =
      asOf === undefined
        ? context.store.get(type.storage, key)
        : context.store.list(type.storage, asOf).find((entry) => entry.key === key)?.object;
    if (stored === undefined) throw errors.notFound(type, name);
    const warnings = type.custom?.deprecation === undefined ? [] : [type.custom.deprecation];
    return { object: { code: 200, stored, warnings } };
  };
  return revision > context.store.revision ? reachRevision(context, revision).then(read) : read();
}

function deleteCollection(context: ServerContext, request: ApiRequest): DispatchResult | Promise<DispatchResult> {
  const { type, namespace, query } = request;
  const options = readDeleteOptions(request);
  const selected = listOptions(query, type, false);
  const list = listObjects(context, type, namespace, selected);
  const remove = (page: ListResult): DispatchResult => deleteAll(context, type, page, options);
  return list instanceof Promise ? list.then(remove) : remove(list);
}

function deleteAll(
  context: ServerContext,
  type: ResourceType,
  list: ListResult,
  options: DeleteOptions,
): DispatchResult {
  const items: KubeObject[] = [];
  for (const item of list.items) {
    const { metadata } = item;
    if (context.store.get(type.storage, keyOf(metadata.namespace, metadata.name ?? '')) === undefined) continue;
    const result = deleteObject(context, type, metadata.namespace, metadata.name ?? '', options);
    items.push(result.stored ?? item);
  }
  return { list: { ...list, items, revision: context.store.revision } };
}
