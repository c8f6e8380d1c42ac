import type { JsonObject } from '../../json.js';
import type { Defaults } from './given.js';
import { otherDefaults } from './other-defaults.js';
import { podDefaults } from './pod-defaults.js';
import { workloadDefaults } from './workload-defaults.js';

const defaults: Defaults = { ...podDefaults, ...workloadDefaults, ...otherDefaults };

/** Fills in what an object of a definition has where nothing is said, in place. Its members have theirs already. */
export function applyBuiltinDefaults(definition: string, object: JsonObject): void {
  if (Object.hasOwn(defaults, definition)) defaults[definition]!(object);
}
