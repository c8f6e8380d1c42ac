import { createLogger } from '../../../src/engine/ports/index.js';
import type { Logger, LogRecord } from '../../../src/engine/ports/index.js';
import { defaultConfig } from '../../../src/engine/defaults.js';
import type { StoredObject } from '../../../src/engine/kube-object.js';
import { ObjectStore } from '../../../src/engine/watching/object-store.js';
import type { ObjectStoreOptions } from '../../../src/engine/watching/object-store.js';
import type { StoreChange } from '../../../src/engine/watching/store-change.js';
import type { Resource } from '../../../src/engine/resource.js';

export const widgets: Resource = {
  group: 'demo.example',
  version: 'v1',
  plural: 'widgets',
  kind: 'Widget',
  singular: 'widget',
  shortNames: [],
  categories: [],
  namespaced: true,
  verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
  subresources: { status: true, scale: false },
};

export interface WidgetFields {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly version: number | string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

export function widget({
  name = 'a',
  namespace = 'ns',
  uid = 'u1',
  version,
  metadata,
  ...rest
}: WidgetFields): StoredObject {
  return {
    apiVersion: 'demo.example/v1',
    kind: 'Widget',
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion: String(version),
      creationTimestamp: '2030-01-01T00:00:00Z',
      ...metadata,
    },
    ...rest,
  };
}

export function recordedLogs(): { logger: Logger; records: LogRecord[]; messages: (level?: string) => string[] } {
  const records: LogRecord[] = [];
  return {
    records,
    logger: createLogger((record) => records.push(record)),
    messages: (level) =>
      records.filter((record) => level === undefined || record.level === level).map(({ message }) => message),
  };
}

export interface StoreRig {
  readonly store: ObjectStore;
  readonly changes: StoreChange[];
  readonly logs: ReturnType<typeof recordedLogs>;
  /** The changes since the last call, in short: `added ns/a@5`, `removed ns/a@5`. */
  news(): string[];
  /** The whole content, in short and sorted. */
  content(): string[];
  list(items: readonly StoredObject[], version: number | string, options?: { repeated?: boolean }): string;
}

export function storeRig(options: Partial<ObjectStoreOptions> = {}): StoreRig {
  const changes: StoreChange[] = [];
  const logs = recordedLogs();
  let seen = 0;
  const store = new ObjectStore({
    resource: widgets,
    config: { keepManagedFields: false, transform: undefined },
    logger: logs.logger,
    onChange: (change) => changes.push(change),
    ...options,
  });
  return {
    store,
    changes,
    logs,
    news() {
      const fresh = changes.slice(seen);
      seen = changes.length;
      return fresh.map(short);
    },
    content: () => [...store.values()].map((object) => `${brief(object)} ${object.metadata.uid}`).toSorted(),
    list: (items, version, how) => store.beginList(undefined, how).finish(items, String(version)),
  };
}

function short(change: StoreChange): string {
  return `${change.type} ${brief(change.type === 'removed' ? change.previous : change.object)}`;
}

function brief({ metadata }: StoredObject): string {
  return `${metadata.namespace}/${metadata.name}@${metadata.resourceVersion}`;
}

export const watchingConfig = defaultConfig.watching;
