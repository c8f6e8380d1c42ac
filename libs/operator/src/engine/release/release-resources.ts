import { Discovery } from '../client/discovery/discovery.js';
import type { HandlerDefinition } from '../handling/handler-definition.js';
import { operatorDemands } from '../selection/operator-demands.js';
import { refuseAmbiguous } from '../selection/resource-finder.js';
import { ResourceSurvey } from '../selection/resource-survey.js';
import { ExternalRecords } from '../persistence/external-records.js';
import type { OperatorConfig } from '../operator-config.js';
import type { Clock } from '../ports/index.js';
import { releaseObjects, type ReleasedResource, type ReleaseOptions } from './release-objects.js';

/** Releases the objects of every resource that handlers serve. A kind that is not served (any more) has none. */
export async function releaseResources(
  handlers: readonly HandlerDefinition[],
  options: ReleaseOptions & {
    readonly persistence: OperatorConfig['persistence'];
    readonly clock: Clock;
    /** Milliseconds that a call of a record store may take. */
    readonly timeout: number;
  },
): Promise<readonly ReleasedResource[]> {
  const { client, signal, logger } = options;
  const discovery = new Discovery(client, { retry: 'reads', signal });
  // What one look does not bring is not there.
  const { assignments, open } = await new ResourceSurvey({ discovery, logger }, operatorDemands(handlers)).look(signal);
  refuseAmbiguous(open);
  const released: ReleasedResource[] = [];
  for (const { resource, demands } of assignments) {
    const served = demands.flatMap(({ handler }) => handler ?? []);
    if (served.length === 0) continue;
    const { persistence, name: operator, clock, timeout } = options;
    const home = served.find(({ store }) => store !== undefined)?.store ?? persistence.store;
    const store = persistence.stores[home];
    const external = store && new ExternalRecords({ store, operator, resource, clock, timeout });
    const inStatus = home === 'status' || home === 'both';
    released.push(await releaseObjects(resource, options, { inStatus, external }));
  }
  return released;
}
