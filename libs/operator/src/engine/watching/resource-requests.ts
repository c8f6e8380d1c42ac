import type { ApiRequest } from '../client/api-client.js';
import { collectionPath } from '../client/api-path.js';
import { apiVersionOf, type Resource } from '../resource.js';

/** What a watch covers. Lists, watches and probes are all built from it, so that they cannot differ. */
export interface WatchDescriptor {
  readonly resource: Resource;
  /** `undefined`: all namespaces, or a cluster-scoped resource. */
  readonly namespace: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Objects come without anything but their metadata. */
  readonly metadataOnly?: boolean | undefined;
}

/** What objects and lists of a watch call themselves. */
export interface WatchedType {
  readonly apiVersion: string;
  readonly kind: string;
}

/** `unset`: the most recent state; otherwise any state that is not older than the version given. */
export type ListVersion = { readonly notOlderThan: string } | 'unset';

type Query = NonNullable<ApiRequest['query']>;

/** Builds every request of one watch. */
export class ResourceRequests {
  readonly path: string;
  readonly type: WatchedType;
  private readonly selection: Query;
  private readonly metadataOnly: boolean;

  constructor(descriptor: WatchDescriptor) {
    this.path = collectionPath(descriptor.resource, descriptor.namespace);
    this.metadataOnly = descriptor.metadataOnly === true;
    this.type = this.metadataOnly
      ? { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' }
      : { apiVersion: apiVersionOf(descriptor.resource), kind: descriptor.resource.kind };
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
    const kind = `${this.type.kind}${verb === 'list' ? 'List' : ''}`;
    return {
      verb,
      path: this.path,
      query: { ...this.selection, ...query },
      ...(this.metadataOnly ? { accept: `application/json;as=${kind};g=meta.k8s.io;v=v1` } : {}),
    };
  }
}

function watchQuery(timeoutSeconds: number): Query {
  return { watch: true, allowWatchBookmarks: true, timeoutSeconds };
}

function notOlderThan(version: string): Query {
  return { resourceVersion: version, resourceVersionMatch: 'NotOlderThan' };
}
