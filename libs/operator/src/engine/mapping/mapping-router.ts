import type { HandlerDefinition, MappedResource } from '../handling/handler-definition.js';
import type { ObjectKey, StoredObject } from '../kube-object.js';
import type { Logger } from '../ports/index.js';
import type { Resource } from '../resource.js';
import type { StoreChange } from '../watching/store-change.js';

/** A handler that is called for changes of another resource. */
export interface Mapping {
  readonly handler: HandlerDefinition;
  readonly mapped: MappedResource;
}

/** Whoever runs the cycles of a resource that a handler serves. */
export interface MappingTarget {
  readonly resource: Resource;
  wake(key: ObjectKey, priority: 'live' | 'background'): void;
}

export interface MappingRouterOptions {
  /** How records name the watched resource. */
  readonly resource: string;
  readonly mappings: readonly Mapping[];
  /** None until its resource is found; several where it serves several. */
  readonly targetsOf: (handler: HandlerDefinition) => Iterable<MappingTarget>;
  readonly logger: Logger;
}

/** Leads changes of one watched resource to the objects of others that depend on it, by the states before and after. */
export class MappingRouter {
  readonly #options: MappingRouterOptions;

  constructor(options: MappingRouterOptions) {
    this.#options = options;
  }

  readonly onChange = (change: StoreChange): void => {
    if (change.type === 'recognized' || change.type === 'doubted') return;
    if (change.type === 'removed') {
      this.#lead([change.previous], 'live');
      return;
    }
    if (!change.foreign) return;
    const { object, previous, initial, origin } = change;
    this.#lead(
      previous === undefined ? [object] : [previous, object],
      initial && origin === 'list' ? 'background' : 'live',
    );
  };

  #lead(states: readonly StoredObject[], priority: 'live' | 'background'): void {
    for (const { handler, mapped } of this.#options.mappings) {
      for (const target of this.#options.targetsOf(handler)) {
        const keys = new Set(states.flatMap((state) => this.#map(handler, mapped, state, target.resource)));
        for (const key of keys) target.wake(key, priority);
      }
    }
  }

  /** The mapping is user code: what it throws must not end the watch that calls it. */
  #map(
    { origin }: HandlerDefinition,
    { map }: MappedResource,
    object: StoredObject,
    served: Resource,
  ): readonly ObjectKey[] {
    try {
      return map(object, served);
    } catch (error) {
      const { name, namespace, uid } = object.metadata;
      const fields = { handler: origin, resource: this.#options.resource, namespace, name, uid };
      this.#options.logger.log('error', 'Mapping of a watched object failed; its change leads nowhere', fields, error);
      return [];
    }
  }
}
