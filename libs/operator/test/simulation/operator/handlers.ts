import type {
  ActivityDefinition,
  HandlerDefinition,
  HandlerPolicy,
  Trigger,
} from '../../../src/engine/handling/handler-definition.js';
import { ownerKeys } from '../../../src/engine/mapping/owner-keys.js';
import { gadgets, widgets } from './names.js';
import type { HandlerId, Scenario } from './scenario.js';

const nothing = {};
const oneOfEach: Readonly<Record<HandlerId, readonly Trigger[]>> = {
  byState: [{ on: 'index', filter: nothing, index: 'byState' }],
  seen: [{ on: 'event', filter: nothing }],
  ensure: [
    { on: 'create', filter: nothing },
    { on: 'update', filter: nothing },
  ],
  sized: [{ on: 'field', filter: { field: ['spec', 'size'] } }],
  append: [
    { on: 'create', filter: nothing },
    { on: 'update', filter: { field: ['spec', 'rev'] } },
  ],
  renew: [{ on: 'update', filter: { field: ['spec', 'rev'] } }],
  parts: [
    { on: 'create', filter: nothing },
    { on: 'update', filter: nothing },
  ],
  greet: [{ on: 'resume', filter: nothing, deleted: false }],
  remove: [{ on: 'delete', filter: nothing, optional: false, onGiveUp: 'release' }],
  level: [
    {
      on: 'reconcile',
      filter: nothing,
      finalizer: false,
      mapped: [{ resource: gadgets, map: (object, served) => ownerKeys(object, served, true) }],
    },
  ],
  tick: [
    {
      on: 'timer',
      filter: nothing,
      finalizer: false,
      schedule: { interval: 45_000, sharp: false, idle: undefined, initialDelay: 1_000, jitter: 5_000 },
    },
  ],
  guard: [
    {
      on: 'daemon',
      filter: nothing,
      initialDelay: 100,
      jitter: 1_000,
      restart: 'always',
      cancellation: { cancellationBackoff: 500, cancellationTimeout: 5_000, cancellationPolling: 1_000 },
      finalizer: true,
    },
  ],
};

/** Attempts in all, of handlers that give up. */
export const limits: Partial<Record<HandlerId, number>> = { sized: 3, remove: 4 };

const withTimeout: ReadonlySet<HandlerId> = new Set(['ensure', 'sized', 'append', 'renew', 'remove']);
const givingUp: ReadonlySet<HandlerId> = new Set(['ensure', 'append', 'renew']);
/** The back-off of handlers that give up, so that it can be told when they do. */
export const plainBackoff = 1_000;

/** How long a handler may fail in all. */
export function giveUpAfterOf(id: HandlerId, { giveUpAfter }: Scenario): number | undefined {
  return givingUp.has(id) ? giveUpAfter : undefined;
}

/** The handlers of a scenario, as the Nest side would hand them to the engine. */
export function definitions(scenario: Scenario): HandlerDefinition[] {
  const { handlers, timeout } = scenario;
  const ofWidgets = handlers.map((id): HandlerDefinition => {
    const retries = limits[id];
    const giveUpAfter = giveUpAfterOf(id, scenario);
    const policy: HandlerPolicy = {
      errors: 'temporary',
      abortOnChange: id === 'parts',
      result: 'merge',
      ...(retries === undefined ? {} : { retries }),
      ...(timeout === undefined || !withTimeout.has(id) ? {} : { timeout }),
      ...(giveUpAfter === undefined ? {} : { giveUpAfter, backoff: () => plainBackoff, jitter: 0 }),
    };
    return { id, origin: `Simulated.${id}`, resource: widgets, triggers: oneOfEach[id], policy };
  });
  return handlers.includes('level') ? [...ofWidgets, children] : ofWidgets;
}

export function activities(scenario: Scenario): ActivityDefinition[] {
  if (!scenario.activities) return [];
  return (['startup', 'cleanup'] as const).map((on) => ({ id: on, origin: `Simulated.${on}`, on, policy: {} }));
}

/** Shows which children the operator knows of. */
const children: HandlerDefinition = {
  id: 'children',
  origin: 'Simulated.children',
  resource: gadgets,
  triggers: [{ on: 'index', filter: nothing, index: 'children' }],
  policy: { errors: 'temporary', abortOnChange: false, result: 'merge' },
};
