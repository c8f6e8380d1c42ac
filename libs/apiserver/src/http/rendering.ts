import type { JsonObject, KubeObject } from '../json.js';
import type { ListResult } from '../pipeline/list.js';
import type { ServerContext } from '../pipeline/server-context.js';
import { groupVersion, type ResourceType, type TableColumn } from '../resources/resource-type.js';
import type { WatchForm } from '../watching/watch-frames.js';

/** Turns stored objects into the bytes of answers. */
export class Rendering {
  constructor(private readonly context: ServerContext) {}

  list(type: ResourceType, result: ListResult): string {
    const { representations } = this.context;
    const metadata = this.#listMeta(result, type.custom !== undefined);
    const items = result.items.map((item) => representations.item(type, item)).join(',');
    const apiVersion = JSON.stringify(groupVersion(type));
    return `{"kind":${JSON.stringify(type.listKind)},"apiVersion":${apiVersion},"metadata":${JSON.stringify(metadata)},"items":[${items}]}`;
  }

  metadataList(type: ResourceType, result: ListResult): string {
    return JSON.stringify({
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      metadata: this.#listMeta(result, false),
      items: result.items.map((item) => partial(this.context.representations.object(type, item))),
    });
  }

  metadata(type: ResourceType, stored: KubeObject): string {
    return JSON.stringify(partial(this.context.representations.object(type, stored)));
  }

  /** A Table of one object or of a list; `include` is the includeObject parameter. */
  table(type: ResourceType, objects: readonly KubeObject[], include: string, list: JsonObject): string {
    return JSON.stringify({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: list,
      columnDefinitions: definitions(type.columns),
      rows: objects.map((stored) => this.#row(type, stored, include)),
    });
  }

  tableOfList(type: ResourceType, result: ListResult, include: string): string {
    return this.table(type, result.items, include, this.#listMeta(result, false));
  }

  /** The form of a watch that shows objects whole. */
  objectForm(): WatchForm {
    const { representations } = this.context;
    return {
      key: 'object',
      render: (type, stored) => representations.json(type, stored),
      bookmark: (object) => JSON.stringify(object),
    };
  }

  metadataForm(): WatchForm {
    return {
      key: 'metadata',
      render: (type, stored) => this.metadata(type, stored),
      bookmark: (object) => JSON.stringify(partial(object)),
    };
  }

  /** The form of one Table watch; only its first event carries the column definitions. */
  tableForm(include: string, unique: number): WatchForm {
    let first = true;
    const table = (rows: unknown[], metadata: JsonObject, columns: readonly TableColumn[]): string => {
      const columnDefinitions = first ? definitions(columns) : null;
      first = false;
      return JSON.stringify({ kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata, columnDefinitions, rows });
    };
    return {
      key: `table ${unique}`,
      render: (type, stored) =>
        table([this.#row(type, stored, include)], { resourceVersion: stored.metadata.resourceVersion }, type.columns),
      bookmark: (object) =>
        table([{ cells: [], object: partial(object) }], { resourceVersion: object.metadata.resourceVersion }, []),
    };
  }

  #row(type: ResourceType, stored: KubeObject, include: string): JsonObject {
    const object = this.context.representations.object(type, stored);
    const now = this.context.clock.now();
    return {
      cells: type.columns.map((column) => column.cell(object, now)),
      ...(include === 'None' ? {} : { object: include === 'Object' ? object : partial(object) }),
    };
  }

  #listMeta(result: ListResult, always: boolean): JsonObject {
    return {
      resourceVersion: String(result.revision),
      ...(result.continue === '' && !always ? {} : { continue: result.continue }),
      ...(result.remaining === undefined ? {} : { remainingItemCount: result.remaining }),
    };
  }
}

const definitions = (columns: readonly TableColumn[]): JsonObject[] =>
  columns.map(({ cell: _cell, ...column }) => ({ format: '', description: '', priority: 0, ...column }));

const partial = (object: KubeObject): JsonObject => ({
  kind: 'PartialObjectMetadata',
  apiVersion: 'meta.k8s.io/v1',
  metadata: object.metadata,
});
