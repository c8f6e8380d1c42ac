import { ApiError } from '../../errors/api.error.js';
import { objectPath, type ResourceAddress } from '../client/api-path.js';
import type { ApiClient, ApiRequest } from '../client/api-client.js';
import { applyPatch, type PatchRequest } from '../handling/object-patch-buffer.js';
import { combineMergePatches, createMergePatch, effectivePatch } from '../json/merge-patch.js';
import { jsonEqual } from '../json/json-equal.js';
import type { ObjectKey, StoredObject } from '../kube-object.js';
import { recordField, recordInStatus } from '../persistence/record-field.js';
import type { RecordWrite } from '../persistence/record-keeper.js';
import type { Logger } from '../ports/index.js';
import { apiVersionOf, type Resource } from '../resource.js';
import { lostFields } from './lost-fields.js';
import { statusOperations } from './status-operations.js';

type JsonObject = Record<string, unknown>;

/** `gone`: the object is no more, or another one has its name. `conflict`: others kept writing; try in a later cycle. */
export type WriteOutcome = 'written' | 'gone' | 'conflict';

/** What the writer needs of the store. */
export interface WriterStore {
  get(key: ObjectKey): StoredObject | undefined;
  writeThrough(response: StoredObject, options: { readonly base?: StoredObject; readonly written: unknown }): unknown;
  remove(key: ObjectKey, uid: string): void;
}

export interface ObjectWriterOptions {
  readonly client: ApiClient;
  readonly store: WriterStore;
  readonly fieldManager: string;
  readonly logger: Logger;
  readonly resource: () => Resource;
  /** Asks discovery again: the status subresource may have come or gone. */
  readonly refreshResource: () => Promise<void>;
}

/** `dropped`: what handlers want is written, but the server does not keep a record in the status. */
export type RecordOutcome = WriteOutcome | 'dropped';

/** `stale`: somebody else wrote between two requests, so that the rest has to be computed anew. */
type Sent = 'sent' | 'stale' | 'dropped';

const mostTries = 3;

/**
 * Writes to one object, bound to its uid. Answers go into the store at once, so that nothing acts on a state older than
 * the own last write. Throws what is neither a conflict nor the end of the object.
 */
export class ObjectWriter {
  readonly #options: ObjectWriterOptions;
  /** Fields that the server was seen to drop. */
  readonly #lost = new Set<string>();

  constructor(options: ObjectWriterOptions) {
    this.#options = options;
  }

  /**
   * Sends what handlers want changed, the status first and the record last; a record in the status goes with that, last.
   * What the object shows already is not sent.
   */
  async write(
    key: ObjectKey,
    uid: string,
    patch: PatchRequest,
    record: RecordWrite | undefined,
    signal: AbortSignal,
  ): Promise<RecordOutcome> {
    for (let tries = 1; ; tries += 1) {
      const object = this.#living(key, uid);
      if (object === undefined) return 'gone';
      try {
        const sent = await this.#send(key, object, patch, record, signal);
        if (sent !== 'stale') return sent === 'sent' ? 'written' : sent;
        if (tries === mostTries) return 'conflict';
      } catch (error) {
        const verdict = await this.#explain(error, object, key, signal);
        if (verdict === 'gone') return 'gone';
        if (tries === mostTries) return 'conflict';
      }
    }
  }

  /** Changes the finalizers, guarded by tests on the uid and on the list as it was. */
  async setFinalizers(
    key: ObjectKey,
    uid: string,
    change: (finalizers: readonly string[]) => readonly string[],
    signal: AbortSignal,
  ): Promise<WriteOutcome> {
    for (let tries = 1; ; tries += 1) {
      const object = this.#living(key, uid);
      if (object === undefined) return 'gone';
      const before = object.metadata.finalizers ?? [];
      const after = change(before);
      if (jsonEqual(before, after)) return 'written';
      // The deletion mark came meanwhile, and with it no finalizer can be added any more.
      if (object.metadata.deletionTimestamp !== undefined && after.length > before.length) return 'conflict';
      const operations = [
        { op: 'test', path: '/metadata/uid', value: uid },
        { op: 'test', path: '/metadata/finalizers', value: object.metadata.finalizers ?? null },
        {
          op: object.metadata.finalizers === undefined ? 'add' : 'replace',
          path: '/metadata/finalizers',
          value: after,
        },
      ];
      try {
        const response = await this.#patch(object, { patchType: 'json', body: operations }, undefined, signal);
        this.#options.store.writeThrough(response, { base: object, written: { metadata: { finalizers: after } } });
        return 'written';
      } catch (error) {
        if ((await this.#explain(error, object, key, signal)) === 'gone') return 'gone';
        if (tries === mostTries) return 'conflict';
      }
    }
  }

  async #send(
    key: ObjectKey,
    object: StoredObject,
    patch: PatchRequest,
    record: RecordWrite | undefined,
    signal: AbortSignal,
  ): Promise<Sent> {
    const wanted = this.#effective(object, patch);
    // A function saw this very version: somebody else's write must not slip in between.
    const guarded = patch.functions.length > 0;
    let base = object;
    let kept = true;
    let before: StoredObject | undefined;
    for (const { subresource, fields, ofRecord } of this.#steps(wanted, record)) {
      if (before !== undefined) {
        base = this.#options.store.get(key) ?? before;
        if (base.metadata.uid !== before.metadata.uid) return 'stale';
        if (guarded && base.metadata.resourceVersion !== before.metadata.resourceVersion) return 'stale';
      }
      const written = combineMergePatches(fields, effectivePatch(base, ofRecord) ?? {});
      if (Object.keys(written).length === 0) continue;
      const body =
        subresource === 'status'
          ? { patchType: 'json' as const, body: statusOperations(base, written['status'], guarded) }
          : { patchType: 'merge' as const, body: bound(written, base, guarded) };
      const response = await this.#patch(base, body, subresource, signal);
      this.#options.store.writeThrough(response, { base, written });
      const isTaken = !('status' in written) || !jsonEqual(base['status'], response['status']);
      if (subresource === undefined && !isTaken && (await this.#statusMoved())) return 'stale';
      this.#noteLost(fields, response);
      if ('status' in ofRecord) kept = isRecordKept(record, response);
      before = response;
    }
    return kept ? 'sent' : 'dropped';
  }

  /** The requests of one write, in order. One without content is not sent. */
  #steps({ status, ...rest }: JsonObject, record: RecordWrite | undefined): Step[] {
    const ofStatus = status === undefined ? {} : { status };
    const inStatus = Object.keys(record?.status ?? {}).length === 0 ? {} : { status: record?.status };
    const inMetadata =
      Object.keys(record?.annotations ?? {}).length === 0 ? {} : { metadata: { annotations: record?.annotations } };
    if (!this.#options.resource().subresources.status) {
      return [{ subresource: undefined, fields: { ...rest, ...ofStatus }, ofRecord: { ...inMetadata, ...inStatus } }];
    }
    const steps: Step[] = [
      { subresource: 'status', fields: ofStatus, ofRecord: inStatus },
      { subresource: undefined, fields: rest, ofRecord: inMetadata },
    ];
    return record?.statusLast === true ? steps.toReversed() : steps;
  }

  /** Where a status is not taken with the rest, it may have got a subresource of its own. */
  async #statusMoved(): Promise<boolean> {
    if (this.#options.resource().subresources.status) return false;
    await this.#options.refreshResource();
    return this.#options.resource().subresources.status;
  }

  /** Told once for each field: it is the same for every object. */
  #noteLost(written: JsonObject, answer: StoredObject): void {
    const lost = lostFields(written, answer).filter((field) => !this.#lost.has(field));
    if (lost.length === 0) return;
    for (const field of lost) this.#lost.add(field);
    const { group, plural } = this.#options.resource();
    this.#options.logger.log(
      'warn',
      'The server drops fields that handlers set; the schema of the resource lacks them',
      {
        definition: group === '' ? plural : `${plural}.${group}`,
        fields: lost,
      },
    );
  }

  #effective(object: StoredObject, patch: PatchRequest): JsonObject {
    const wanted =
      patch.functions.length === 0
        ? effectivePatch(object, patch.merge)
        : createMergePatch(object as JsonObject, applyPatch(object, patch) as JsonObject);
    return sparingRecords(object, wanted ?? {});
  }

  async #patch(
    object: StoredObject,
    request: Pick<ApiRequest, 'patchType' | 'body'>,
    subresource: 'status' | undefined,
    signal: AbortSignal,
  ): Promise<StoredObject> {
    const { name, namespace } = object.metadata;
    const response = await this.#options.client.request<StoredObject>({
      verb: 'patch',
      path: objectPath(this.#options.resource(), { namespace, name, subresource }),
      query: { fieldManager: this.#options.fieldManager },
      retry: 'write-once',
      signal,
      ...request,
    });
    return response.body;
  }

  #living(key: ObjectKey, uid: string): StoredObject | undefined {
    const object = this.#options.store.get(key);
    return object?.metadata.uid === uid ? object : undefined;
  }

  /**
   * Tells the end of the object and conflicts from errors, by a read: the answers alone do not tell a successor of the
   * same name, nor a failed test, from a refusal. Throws the error when it is one.
   */
  async #explain(
    error: unknown,
    object: StoredObject,
    key: ObjectKey,
    signal: AbortSignal,
  ): Promise<'gone' | 'conflict'> {
    if (!(error instanceof ApiError) || ![404, 409, 422].includes(error.status)) throw error;
    const { uid, resourceVersion } = object.metadata;
    const found = await this.read(key, signal);
    if (found?.metadata.uid !== uid) {
      this.#options.logger.log('debug', 'Object is gone; nothing more is written', { key, uid });
      this.#options.store.remove(key, uid);
      return 'gone';
    }
    this.#options.store.writeThrough(found, { written: {} });
    if (error.status === 404) {
      // The object is there, so the path is not: the resource changed.
      const before = this.#options.resource();
      await this.#options.refreshResource();
      const after = this.#options.resource();
      if (before.subresources.status === after.subresources.status && apiVersionOf(before) === apiVersionOf(after))
        throw error;
      return 'conflict';
    }
    // A refusal names its causes. A test that failed does not, and fails only where somebody else has written.
    const refused = (error.details?.causes.length ?? 0) > 0 || found.metadata.resourceVersion === resourceVersion;
    const marked = found.metadata.deletionTimestamp !== object.metadata.deletionTimestamp;
    if (error.status === 422 && refused && !marked) throw error;
    return 'conflict';
  }

  /** The object as the server has it; `undefined` when it is not there, or not in that version of the resource. */
  async read(key: ObjectKey, signal: AbortSignal, apiVersion?: string): Promise<StoredObject | undefined> {
    const slash = key.indexOf('/');
    const name = key.slice(slash + 1);
    const namespace = slash < 0 ? undefined : key.slice(0, slash);
    try {
      const resource = inVersion(this.#options.resource(), apiVersion);
      const path = objectPath(resource, { namespace, name });
      return (await this.#options.client.request<StoredObject>({ verb: 'get', path, retry: 'none', signal })).body;
    } catch (error) {
      if (error instanceof ApiError && error.isNotFound) return undefined;
      throw error;
    }
  }
}

function inVersion({ group, version, plural }: Resource, apiVersion: string | undefined): ResourceAddress {
  if (apiVersion === undefined) return { group, version, plural };
  const slash = apiVersion.lastIndexOf('/');
  return { group: apiVersion.slice(0, Math.max(0, slash)), version: apiVersion.slice(slash + 1), plural };
}

interface Step {
  readonly subresource: 'status' | undefined;
  /** What handlers want. */
  readonly fields: JsonObject;
  /** The record's part, of which only what the object does not show is sent. */
  readonly ofRecord: JsonObject;
}

/** A merge that holds for this object alone, and for this version of it if need be. */
function bound(
  fields: JsonObject,
  { metadata: { uid, resourceVersion } }: StoredObject,
  versioned: boolean,
): JsonObject {
  const metadata = { ...(fields['metadata'] as JsonObject | undefined), uid };
  return { ...fields, metadata: versioned ? { ...metadata, resourceVersion } : metadata };
}

function isRecordKept(record: RecordWrite | undefined, answer: StoredObject): boolean {
  const written = record?.inStatus;
  return written === undefined || recordInStatus(answer, written.operator) === written.text;
}

/** Whoever removes the whole status does not mean the records in it. */
function sparingRecords(object: StoredObject, wanted: JsonObject): JsonObject {
  const { status } = object;
  if (wanted['status'] !== null || typeof status !== 'object' || status === null || !(recordField in status)) {
    return wanted;
  }
  const others = Object.keys(status).filter((name) => name !== recordField);
  return { ...wanted, status: Object.fromEntries(others.map((name) => [name, null])) };
}
