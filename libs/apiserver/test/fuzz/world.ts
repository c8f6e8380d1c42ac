import type { JsonObject } from '../../src/index.js';
import { configMap, widget, widgetDefinition } from '../support/fixtures.js';
import { samples } from './bodies.js';

export const token = 'fuzz-token';

/** An administrator by what roles grant, so that everything goes through the authorizer. */
export const users = [{ name: 'fuzzer', token, groups: ['system:masters'] }];

/** What is there when a run begins. */
export const objects: readonly JsonObject[] = [
  configMap('a', { x: 'y' }),
  widget('a'),
  ...samples
    .map(({ body }) => body as JsonObject)
    .filter(({ kind }) => ['Secret', 'Pod', 'Service', 'Deployment', 'Lease', 'ClusterRole'].includes(String(kind))),
];

export const crds: readonly JsonObject[] = [widgetDefinition];
