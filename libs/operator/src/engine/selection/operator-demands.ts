import type { HandlerDefinition, Trigger } from '../handling/handler-definition.js';
import type { Mapping } from '../mapping/mapping-router.js';
import type { ResourceDemand } from './resource-demand.js';

/** A handler of the resource, or one of another resource that is called for its changes. */
export type OperatorDemand = ResourceDemand &
  (
    | { readonly handler: HandlerDefinition; readonly mapping?: never }
    | { readonly mapping: Mapping; readonly handler?: never }
  );

const toWatch = ['list', 'watch'];

/** What the handlers of an operator need of the server. */
export function operatorDemands(handlers: readonly HandlerDefinition[]): OperatorDemand[] {
  return handlers.flatMap((handler): OperatorDemand[] => {
    const { resource, origin, triggers } = handler;
    const verbs = triggers.some(writes) ? [...toWatch, 'patch'] : toWatch;
    const mapped = triggers.flatMap((trigger) => (trigger.on === 'reconcile' ? trigger.mapped : []));
    return [
      { resource, origin, id: handler.id, verbs, handler },
      ...mapped.map((one): OperatorDemand => ({
        resource: one.resource,
        origin,
        verbs: toWatch,
        mapping: { handler, mapped: one },
      })),
    ];
  });
}

/** Whether the engine writes to the object for it: a record, or a finalizer. */
export function writes(trigger: Trigger): boolean {
  switch (trigger.on) {
    case 'event':
    case 'index':
    case 'resume':
      return false;
    case 'reconcile':
    case 'timer':
    case 'daemon':
      return trigger.finalizer;
    default:
      return true;
  }
}
