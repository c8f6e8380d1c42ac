import { DiscoveryError } from '../../../errors/discovery.error.js';
import { InvalidRequestError } from '../../../errors/invalid-request.error.js';
import { ResourceNotServedError } from '../../../errors/resource-not-served.error.js';
import { apiVersionOf, resourceName, partialName } from '../../resource.js';
import type { ResourceAddress } from '../api-path.js';
import type { Discovery } from '../discovery/discovery.js';
import type { Resolution } from '../discovery/find-resource.js';
import type { ResourceRef } from './resource-ref.js';
import { classInfo } from './resource-ref.js';

/** What requests need to know of a resource. */
export interface KnownResource extends ResourceAddress {
  readonly namespaced: boolean;
  /** Unknown where the caller gave everything but the kind. */
  readonly kind: string | undefined;
}

/** Finds the resource that a reference means; asks the server only for what the reference leaves open. */
export async function lookUpResource(
  discovery: Discovery,
  ref: ResourceRef,
  signal: AbortSignal | undefined,
): Promise<KnownResource> {
  if (typeof ref === 'function') {
    const info = classInfo(ref);
    if (info !== undefined) return { ...info, namespaced: info.scope === 'Namespaced' };
    throw new InvalidRequestError(
      `Class ${ref.name || '(without a name)'} does not say which resource it is. Give it @CustomResource().`,
    );
  }
  if ('plural' in ref) {
    const { group, version, plural, namespaced } = ref;
    if (group !== undefined && version !== undefined && namespaced !== undefined) {
      return { group, version, plural, namespaced, kind: undefined };
    }
    return found(await discovery.resolve(ref, signal), partialName(ref));
  }
  if (typeof ref.apiVersion !== 'string' || typeof ref.kind !== 'string') {
    throw new InvalidRequestError('A resource is named by a class, by a plural, or by apiVersion and kind.');
  }
  return found(await discovery.resolveKind(ref.apiVersion, ref.kind, signal), `${ref.kind} of ${ref.apiVersion}`);
}

function found(resolution: Resolution, name: string): KnownResource {
  if ('found' in resolution) return resolution.found;
  if ('ambiguous' in resolution) {
    const all = resolution.ambiguous.map(resourceName).join(', ');
    throw new ResourceNotServedError(`Several groups serve ${name}: ${all}. Name the group.`);
  }
  if ('unavailable' in resolution) {
    throw new DiscoveryError(`Whether the server has ${name} cannot be found out now. Try again.`, {
      cause: resolution.unavailable,
    });
  }
  const served = resolution.served.length === 0 ? '' : ` It is served as ${resolution.served.join(', ')}.`;
  throw new ResourceNotServedError(
    `The server has no ${name}.${served} Check the name, and that its CustomResourceDefinition is installed.`,
  );
}

/** The object with the apiVersion and kind of its resource, which the server insists on. */
export function withType<T extends object>(object: T, resource: KnownResource): T {
  const { apiVersion, kind } = object as { readonly apiVersion?: unknown; readonly kind?: unknown };
  if (kind === undefined && resource.kind === undefined) {
    throw new InvalidRequestError(
      `An object for ${resourceName(resource)} has no kind. Add apiVersion and kind to it.`,
    );
  }
  return { ...object, apiVersion: apiVersion ?? apiVersionOf(resource), kind: kind ?? resource.kind };
}
