import type { JsonObject, KubeObject } from '../json.js';
import type { ListResult } from '../pipeline/list.js';
import type { ServerContext } from '../pipeline/server-context.js';
import { groupVersion, type ResourceType, type TableColumn } from '../resources/resource-type.js';
import type { MetaVersion } from './negotiation.js';
import type { WatchForm } from '../watching/watch-frames.js';

/** How a Table is asked for. */
export interface TableOptions {
  /** The parameter includeObject. */
  readonly include: string;
  readonly version: MetaVersion;
}

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

  metadataList(type: ResourceType, result: ListResult, version: MetaVersion): string {
    const items = result.items.map((item) => partial(this.context.representations.object(type, item), version));
    return JSON.stringify({
      kind: 'PartialObjectMetadataList',
      apiVersion: `meta.k8s.io/${version}`,
      metadata: this.#listMeta(result, false),
      // An empty list is none, other than for lists of whole objects.
      items: items.length === 0 ? null : items,
    });
  }

  metadata(type: ResourceType, stored: KubeObject, version: MetaVersion): string {
    return JSON.stringify(partial(this.context.representations.object(type, stored), version));
  }

  /** A Table of one object or of a list. */
  table(
    type: ResourceType,
    objects: readonly KubeObject[],
    { include, version }: TableOptions,
    list: JsonObject,
  ): string {
    return JSON.stringify({
      kind: 'Table',
      apiVersion: `meta.k8s.io/${version}`,
      metadata: list,
      columnDefinitions: definitions(type.columns),
      rows: objects.map((stored) => this.#row(type, stored, { include, version })),
    });
  }

  tableOfList(type: ResourceType, result: ListResult, options: TableOptions): string {
    return this.table(type, result.items, options, this.#listMeta(result, false));
  }

  /** The form of a watch that shows objects whole. */
  objectForm(): WatchForm {
    const { representations } = this.context;
    return {
      key: 'object',
      render: (type, stored) => representations.json(type, stored),
      bookmark: (_, object) => JSON.stringify(object),
    };
  }

  metadataForm(version: MetaVersion): WatchForm {
    return {
      key: `metadata ${version}`,
      render: (type, stored) => this.metadata(type, stored, version),
      bookmark: (_, object) => JSON.stringify(partial(object, version)),
    };
  }

  /** The form of one Table watch; only its first event carries the column definitions. */
  tableForm(options: TableOptions, unique: number): WatchForm {
    const { version } = options;
    let first = true;
    const table = (rows: unknown[], metadata: JsonObject, columns: readonly TableColumn[]): string => {
      const columnDefinitions = first ? definitions(columns) : null;
      first = false;
      return JSON.stringify({ kind: 'Table', apiVersion: `meta.k8s.io/${version}`, metadata, columnDefinitions, rows });
    };
    return {
      key: `table ${unique}`,
      render: (type, stored) =>
        table([this.#row(type, stored, options)], { resourceVersion: stored.metadata.resourceVersion }, type.columns),
      // A bookmark is an object of which only the version is known.
      bookmark: (type, object) => {
        const cells = this.#cells(type, object);
        const metadata = { resourceVersion: object.metadata.resourceVersion };
        return table([{ cells, object: partial(object, version) }], metadata, type.columns);
      },
    };
  }

  #row(type: ResourceType, stored: KubeObject, { include, version }: TableOptions): JsonObject {
    const object = this.context.representations.object(type, stored);
    const shown = include === 'None' ? null : include === 'Object' ? object : partial(object, version);
    const conditions = type.rowConditions?.(object);
    return { cells: this.#cells(type, object), ...(conditions === undefined ? {} : { conditions }), object: shown };
  }

  #cells(type: ResourceType, object: KubeObject): unknown[] {
    const now = this.context.clock.now();
    return type.columns.map((column) => column.cell(object, now));
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

/** The metadata of an object, as an object of its own. */
export const partial = ({ metadata }: Pick<KubeObject, 'metadata'>, version: MetaVersion): JsonObject => ({
  kind: 'PartialObjectMetadata',
  apiVersion: `meta.k8s.io/${version}`,
  metadata,
});
