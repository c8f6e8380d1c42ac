import { Discovery } from '../client/discovery/discovery.js';
import type { HandlerDefinition } from '../handling/handler-definition.js';
import type { OperatorConfig } from '../operator-config.js';
import { operatorDemands, type OperatorDemand } from '../operator-demands.js';
import type { Clock } from '../ports/index.js';
import { lookUpResources } from '../resource-lookup.js';
import type { Resource } from '../resource.js';
import { releaseObjects, type ReleasedResource, type ReleaseOptions } from './release-objects.js';

/** Releases the objects of every resource that handlers serve. A kind that is not served (any more) has none. */
export async function releaseResources(
  handlers: readonly HandlerDefinition[],
  options: ReleaseOptions & { readonly watching: OperatorConfig['watching']; readonly clock: Clock },
): Promise<readonly ReleasedResource[]> {
  const { client, signal, watching, clock, logger } = options;
  const found: Resource[] = [];
  const onFound = (resource: Resource, demands: readonly OperatorDemand[]): void => {
    if (demands.some(({ handler }) => handler !== undefined)) found.push(resource);
  };
  const discovery = new Discovery(client, { retry: 'reads', signal });
  const once = new AbortController();
  const lookUp = lookUpResources(
    { discovery, config: { ...watching, missingKind: 'wait' }, clock, logger },
    operatorDemands(handlers),
    onFound,
    AbortSignal.any([signal, once.signal]),
    // What the first round does not bring is not there.
    () => once.abort(new Error('The first look-up is over.')),
  );
  try {
    await lookUp;
  } catch (error) {
    signal.throwIfAborted();
    if (error !== once.signal.reason) throw error;
  }
  const released: ReleasedResource[] = [];
  for (const resource of found) released.push(await releaseObjects(resource, options));
  return released;
}
