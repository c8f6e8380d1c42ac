import { DiscoveryFailedError } from '../errors/discovery-failed.error.js';
import { ResourceAmbiguousError } from '../errors/resource-ambiguous.error.js';
import { ResourceMissingError } from '../errors/resource-missing.error.js';
import { ResourceUnsuitableError } from '../errors/resource-unsuitable.error.js';
import type { Discovery } from './client/discovery/discovery.js';
import { wait } from './client/wait.js';
import type { HandlerDefinition } from './handling/handler-definition.js';
import type { OperatorConfig } from './operator-config.js';
import type { Clock, Logger } from './ports/index.js';
import { resourceName, selectorName, type Resource, type ResourceSelector } from './resource.js';

export interface ResourceLookupOptions {
  readonly discovery: Discovery;
  readonly config: Pick<OperatorConfig['watching'], 'syncTimeout' | 'missingKind'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const firstPause = 500;
const longestPause = 5_000;

/** Finds the resource that a handler was written for; waits for it within `syncTimeout`, or for as long as it takes. */
export async function lookUpResource(
  options: ResourceLookupOptions,
  selector: ResourceSelector,
  handlers: readonly HandlerDefinition[],
  signal: AbortSignal,
): Promise<Resource> {
  const { discovery, config, clock, logger } = options;
  const name = selectorName(selector);
  const origins = handlers.map(({ origin }) => origin);
  const begun = clock.monotonic();
  for (let pause = firstPause, told = false; ; pause = Math.min(longestPause, pause * 2)) {
    const resolution = await discovery.resolve(selector, signal);
    if ('found' in resolution) {
      checkVerbs(resolution.found, handlers);
      return resolution.found;
    }
    if ('ambiguous' in resolution) {
      throw new ResourceAmbiguousError(name, { found: resolution.ambiguous.map(resourceName), handlers: origins });
    }
    const waited = Math.round(clock.monotonic() - begun);
    const missing = 'missing' in resolution;
    if (waited >= config.syncTimeout && !(missing && config.missingKind === 'wait')) {
      if (!missing) throw new DiscoveryFailedError(name, waited, { cause: resolution.unavailable });
      throw new ResourceMissingError(name, { waited, served: resolution.served, handlers: origins });
    }
    if (!told) {
      const message = missing
        ? 'Waiting for a resource that the server does not serve'
        : 'Waiting for the discovery of a resource';
      logger.log('warn', message, { resource: name }, missing ? undefined : resolution.unavailable);
      told = true;
    }
    await wait(clock, pause, signal);
  }
}

function checkVerbs(resource: Resource, handlers: readonly HandlerDefinition[]): void {
  const writing = handlers.filter(({ triggers }) =>
    triggers.some(({ on }) => on !== 'event' && on !== 'resume' && on !== 'reconcile'),
  );
  const lacking = (verbs: readonly string[]): string[] => verbs.filter((verb) => !resource.verbs.includes(verb));
  const missing = lacking(['list', 'watch']);
  if (missing.length > 0) {
    throw new ResourceUnsuitableError(resourceName(resource), {
      missingVerbs: missing,
      handlers: handlers.map(({ origin }) => origin),
    });
  }
  const unpatchable = writing.length === 0 ? [] : lacking(['patch']);
  if (unpatchable.length > 0) {
    throw new ResourceUnsuitableError(resourceName(resource), {
      missingVerbs: unpatchable,
      handlers: writing.map(({ origin }) => origin),
    });
  }
}
