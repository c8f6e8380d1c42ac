import { ApiError } from '../../../errors/api.error.js';
import { DiscoveryError } from '../../../errors/discovery.error.js';
import { NetworkError } from '../../../errors/network.error.js';
import { RequestTimeoutError } from '../../../errors/request-timeout.error.js';
import type { Resource } from '../../resource.js';
import type { ApiClient } from '../api-client.js';
import { groupVersionPath } from '../api-path.js';
import type { DiscoveredGroup, DiscoveredVersion } from './discovered-group.js';

/** Answer to `/api` in the older form. */
export interface CoreVersions {
  readonly versions?: readonly string[] | null;
}

/** Answer to `/apis` in the older form. */
export interface GroupList {
  readonly groups?: readonly GroupDocument[] | null;
}

/** Answer to `/apis/<group>`. */
export interface GroupDocument {
  readonly name: string;
  readonly versions?: readonly { readonly version: string }[] | null;
  readonly preferredVersion?: { readonly version?: string } | null;
}

interface ResourceList {
  readonly resources?: readonly ResourceRow[] | null;
}

interface ResourceRow {
  readonly name: string;
  readonly kind?: string;
  readonly singularName?: string;
  readonly namespaced?: boolean;
  readonly verbs?: readonly string[] | null;
  readonly shortNames?: readonly string[] | null;
  readonly categories?: readonly string[] | null;
}

/** One document for each version; one that cannot be had leaves the others alone. */
export async function readLegacyGroup(
  client: Pick<ApiClient, 'request'>,
  document: GroupDocument,
): Promise<DiscoveredGroup> {
  const preferred = document.preferredVersion?.version;
  const names = (document.versions ?? []).map(({ version }) => version);
  const ordered = names.toSorted((a, b) => Number(b === preferred) - Number(a === preferred));
  const versions = await Promise.all(ordered.map((version) => readVersion(client, document.name, version)));
  return { group: document.name, versions: versions.filter((version) => version !== undefined) };
}

/** `undefined`: the version is gone since the group's document was written. */
async function readVersion(
  client: Pick<ApiClient, 'request'>,
  group: string,
  version: string,
): Promise<DiscoveredVersion | undefined> {
  try {
    const path = groupVersionPath({ group, version });
    const { body } = await client.request({
      verb: 'get',
      path,
      // A group whose server is down would hold up the others for the whole list of delays.
      retry: 'none',
    });
    return {
      version,
      resources: readRows(group, version, checked<ResourceList>(body, 'APIResourceList', path).resources ?? []),
    };
  } catch (error) {
    if (!isUnavailability(error)) throw error;
    return error instanceof ApiError && error.isNotFound ? undefined : { version, unavailable: error };
  }
}

function readRows(group: string, version: string, rows: readonly ResourceRow[]): readonly Resource[] {
  const names = new Set(rows.map((row) => row.name));
  return rows
    .filter((row) => !row.name.includes('/'))
    .map((row) => ({
      group,
      version,
      plural: row.name,
      kind: row.kind ?? '',
      singular: row.singularName ?? '',
      shortNames: row.shortNames ?? [],
      categories: row.categories ?? [],
      namespaced: row.namespaced === true,
      verbs: row.verbs ?? [],
      subresources: { status: names.has(`${row.name}/status`), scale: names.has(`${row.name}/scale`) },
    }));
}

/** Whether the error only says that discovery cannot be had now. Others (no credentials, closed, aborted) are not its own. */
export function isUnavailability(error: unknown): boolean {
  return (
    error instanceof ApiError ||
    error instanceof NetworkError ||
    error instanceof RequestTimeoutError ||
    error instanceof DiscoveryError
  );
}

/** A login page of some gateway in place of a document must not read as a server that serves nothing. */
export function checked<T>(document: unknown, kind: string, path: string): T {
  if (typeof document === 'object' && document !== null && 'kind' in document && document.kind === kind) {
    return document as T;
  }
  throw new DiscoveryError(`${path} was answered, but not with an ${kind}. Check that the server is a Kubernetes API.`);
}
