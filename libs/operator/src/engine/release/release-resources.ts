import { Discovery } from '../client/discovery/discovery.js';
import type { HandlerDefinition } from '../handling/handler-definition.js';
import { operatorDemands } from '../selection/operator-demands.js';
import { refuseAmbiguous } from '../selection/resource-finder.js';
import { ResourceSurvey } from '../selection/resource-survey.js';
import { releaseObjects, type ReleasedResource, type ReleaseOptions } from './release-objects.js';

/** Releases the objects of every resource that handlers serve. A kind that is not served (any more) has none. */
export async function releaseResources(
  handlers: readonly HandlerDefinition[],
  options: ReleaseOptions,
): Promise<readonly ReleasedResource[]> {
  const { client, signal, logger } = options;
  const discovery = new Discovery(client, { retry: 'reads', signal });
  // What one look does not bring is not there.
  const { assignments, open } = await new ResourceSurvey({ discovery, logger }, operatorDemands(handlers)).look(signal);
  refuseAmbiguous(open);
  const found = assignments
    .filter(({ demands }) => demands.some(({ handler }) => handler !== undefined))
    .map(({ resource }) => resource);
  const released: ReleasedResource[] = [];
  for (const resource of found) released.push(await releaseObjects(resource, options));
  return released;
}
