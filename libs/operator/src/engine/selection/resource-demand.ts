import type { ResourceSelector } from '../resource.js';

/** Something of the operator that needs a resource. */
export interface ResourceDemand {
  readonly resource: ResourceSelector;
  /** The handler, for messages. */
  readonly origin: string;
  /** The handler's id, where it is a handler of the resource. Unique there. */
  readonly id?: string;
  /** What must be allowed on the resource by its kind. */
  readonly verbs: readonly string[];
}
