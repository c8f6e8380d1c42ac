import { ApiError } from '../../errors/api.error.js';
import type { ApiClient } from '../client/api-client.js';
import { collectionPath, objectPath } from '../client/api-path.js';
import { objectKey, type StoredObject } from '../kube-object.js';
import { NamespacePatterns } from '../namespaces/namespace-patterns.js';
import type { ExternalRecords } from '../persistence/external-records.js';
import { recordAnnotation } from '../persistence/record-annotation.js';
import { recordField, recordInStatus } from '../persistence/record-field.js';
import type { Logger } from '../ports/index.js';
import { OwnFinalizer } from '../processing/finalizer.js';
import { resourceName, type Resource } from '../resource.js';

/** What was done for one resource. */
export interface ReleasedResource {
  /** `plural.version.group` */
  readonly resource: string;
  /** Objects that were looked at. */
  readonly objects: number;
  /** Objects that carried something of the operator, and do so no more. */
  readonly released: number;
  /** Keys of objects that could not be released; the log says why. */
  readonly failed: readonly string[];
}

export interface ReleaseOptions {
  readonly client: ApiClient;
  readonly name: string;
  readonly formerNames: readonly string[];
  readonly namespaces: readonly string[] | undefined;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Where the records of a resource are, besides annotations. */
export interface RecordsElsewhere {
  readonly inStatus: boolean;
  readonly external: ExternalRecords | undefined;
}

interface Page {
  readonly items?: readonly StoredObject[];
  readonly metadata?: { readonly continue?: string };
}

type Operation = { readonly op: string; readonly path: string; readonly value?: unknown };

const pageSize = 500;
const mostTries = 3;
const metadataOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

/** Takes finalizer and record of an operator from every object of a resource, under its present and former names. */
export async function releaseObjects(
  resource: Resource,
  options: ReleaseOptions,
  elsewhere: RecordsElsewhere,
): Promise<ReleasedResource> {
  const { client, signal, logger, namespaces } = options;
  const name = resourceName(resource);
  let objects = 0;
  let released = 0;
  const failed: string[] = [];
  const patterns = resource.namespaced && namespaces !== undefined ? new NamespacePatterns(namespaces) : undefined;
  for (const namespace of patterns?.names ?? [undefined]) {
    let next: string | undefined;
    do {
      const page = await client.request<Page>({
        verb: 'list',
        path: collectionPath(resource, namespace),
        query: { limit: pageSize, continue: next },
        ...(elsewhere.inStatus ? {} : { accept: metadataOnly }),
        signal,
      });
      for (const object of page.body.items ?? []) {
        if (patterns?.matches(object.metadata.namespace ?? '') === false) continue;
        objects += 1;
        try {
          if (await releaseObject(resource, object, options, elsewhere)) released += 1;
        } catch (error) {
          signal.throwIfAborted();
          failed.push(objectKey(object));
          const fields = { resource: name, key: objectKey(object), uid: object.metadata.uid };
          logger.log('error', 'An object could not be released', fields, error);
        }
      }
      next = page.body.metadata?.continue;
    } while (next !== undefined && next !== '');
  }
  return { resource: name, objects, released, failed };
}

/** False when there was nothing to take away. */
async function releaseObject(
  resource: Resource,
  object: StoredObject,
  options: ReleaseOptions,
  { inStatus, external }: RecordsElsewhere,
): Promise<boolean> {
  const { signal } = options;
  const subresource = resource.subresources.status ? 'status' : undefined;
  // The status first: without its finalizer the object may be gone.
  const status = inStatus && (await takeAway(resource, object, subresource, options, releasingStatus));
  const metadata = await takeAway(resource, object, undefined, options, releasing);
  const kept = external !== undefined && (await external.load(object, signal)) !== undefined;
  if (kept) await external.remove(external.ownerOf(object), signal);
  return status || metadata || kept;
}

/** Sends what takes something from the object, as often as somebody else is quicker. False when there is nothing. */
async function takeAway(
  resource: Resource,
  found: StoredObject,
  subresource: 'status' | undefined,
  options: ReleaseOptions,
  operationsFor: (object: StoredObject, resource: Resource, options: ReleaseOptions) => Operation[] | undefined,
): Promise<boolean> {
  const { client, signal, name } = options;
  const { name: of, namespace } = found.metadata;
  let object: StoredObject | undefined = found;
  for (let tries = 1; object !== undefined; tries += 1) {
    const operations = operationsFor(object, resource, options);
    if (operations === undefined) return false;
    try {
      await client.request({
        verb: 'patch',
        path: objectPath(resource, { namespace, name: of, subresource }),
        patchType: 'json',
        body: operations,
        query: { fieldManager: name },
        retry: 'write-once',
        signal,
      });
      return true;
    } catch (error) {
      // Somebody wrote meanwhile, or the object is gone: a look at it tells.
      if (!(error instanceof ApiError && [404, 409, 422].includes(error.status)) || tries === mostTries) throw error;
      object = await read(client, objectPath(resource, found.metadata), signal);
      if (object?.metadata.uid !== found.metadata.uid) return false;
    }
  }
  return false;
}

/** What takes our records out of the status. */
function releasingStatus(
  object: StoredObject,
  _resource: Resource,
  { name, formerNames }: ReleaseOptions,
): Operation[] | undefined {
  const operators = [name, ...formerNames].filter((operator) => recordInStatus(object, operator) !== undefined);
  if (operators.length === 0) return undefined;
  return [
    { op: 'test', path: '/metadata/uid', value: object.metadata.uid },
    ...operators.map((operator) => ({ op: 'remove', path: `/status/${recordField}/${pointer(operator)}` })),
  ];
}

async function read(client: ApiClient, path: string, signal: AbortSignal): Promise<StoredObject | undefined> {
  try {
    return (await client.request<StoredObject>({ verb: 'get', path, signal })).body;
  } catch (error) {
    if (error instanceof ApiError && error.isNotFound) return undefined;
    throw error;
  }
}

/** What takes our things away, bound to the object and to its list of finalizers; `undefined` when there are none. */
function releasing(
  { metadata }: StoredObject,
  resource: Resource,
  { name, formerNames }: ReleaseOptions,
): Operation[] | undefined {
  const { annotations = {}, finalizers = [], uid } = metadata;
  const records = [name, ...formerNames]
    .map((operator) => recordAnnotation(operator, resource.plural))
    .filter((annotation) => annotations[annotation] !== undefined);
  const kept = new OwnFinalizer({ name, formerNames }).adjust(finalizers, false);
  if (records.length === 0 && kept === finalizers) return undefined;
  return [
    { op: 'test', path: '/metadata/uid', value: uid },
    ...records.map((annotation) => ({ op: 'remove', path: `/metadata/annotations/${pointer(annotation)}` })),
    ...(kept === finalizers
      ? []
      : [
          { op: 'test', path: '/metadata/finalizers', value: finalizers },
          { op: 'replace', path: '/metadata/finalizers', value: kept },
        ]),
  ];
}

function pointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
