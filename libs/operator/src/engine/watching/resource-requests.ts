import type { ApiRequest } from '../client/api-client.js';
import { collectionPath } from '../client/api-path.js';
import type { Resource } from '../resource.js';

/** What a watch covers. Lists, watches and probes are all built from it, so that they cannot differ. */
export interface WatchDescriptor {
  readonly resource: Resource;
  /** `undefined`: all namespaces, or a cluster-scoped resource. */
  readonly namespace: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** `unset`: the most recent state; otherwise any state that is not older than the version given. */
export type ListVersion = { readonly notOlderThan: string } | 'unset';

type Query = NonNullable<ApiRequest['query']>;

/** Builds every request of one watch. */
export class ResourceRequests {
  readonly path: string;
  private readonly selection: Query;

  constructor(descriptor: WatchDescriptor) {
    this.path = collectionPath(descriptor.resource, descriptor.namespace);
    this.selection = { labelSelector: descriptor.labelSelector, fieldSelector: descriptor.fieldSelector };
  }

  /** The first page of a list, or all of it without `limit`. */
  list(version: ListVersion, limit: number | undefined): ApiRequest {
    const match = version === 'unset' ? {} : notOlderThan(version.notOlderThan);
    return this.request('list', { limit, ...match });
  }

  nextPage(token: string, limit: number | undefined): ApiRequest {
    return this.request('list', { limit, continue: token });
  }

  watch(version: string, timeoutSeconds: number): ApiRequest {
    return this.request('watch', { ...watchQuery(timeoutSeconds), resourceVersion: version });
  }

  /** List and watch in one stream. */
  watchList(version: ListVersion, timeoutSeconds: number): ApiRequest {
    const match = version === 'unset' ? { resourceVersionMatch: 'NotOlderThan' } : notOlderThan(version.notOlderThan);
    return this.request('watch', { ...watchQuery(timeoutSeconds), sendInitialEvents: true, ...match });
  }

  private request(verb: 'list' | 'watch', query: Query): ApiRequest {
    return { verb, path: this.path, query: { ...this.selection, ...query } };
  }
}

function watchQuery(timeoutSeconds: number): Query {
  return { watch: true, allowWatchBookmarks: true, timeoutSeconds };
}

function notOlderThan(version: string): Query {
  return { resourceVersion: version, resourceVersionMatch: 'NotOlderThan' };
}
