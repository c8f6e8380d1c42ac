import type { AccessDescription } from '../access/access-rule.js';
import type { ActivityDefinition, HandlerDefinition, Trigger, TriggerKind } from '../handling/handler-definition.js';
import type { OperatorConfig } from '../operator-config.js';
import { resourceName, selectorName, type Resource } from '../resource.js';
import { writes } from '../selection/operator-demands.js';

/** One handler, as far as it is declared. */
export interface HandlerDescription {
  readonly id: string;
  /** `Class.method`. */
  readonly origin: string;
  /** In the order of its decorators, each once. */
  readonly on: readonly TriggerKind[];
  /** Fields that it is restricted to, as dotted paths. */
  readonly fields: readonly string[];
  /** Keys of labels and annotations that it asks for. */
  readonly labels: readonly string[];
  readonly annotations: readonly string[];
  /** A function of its own decides, too. */
  readonly when: boolean;
  /** Its objects carry the operator's finalizer. */
  readonly finalizer: boolean;
  /** Something is kept on its objects. */
  readonly writes: boolean;
  /** Other resources whose changes lead to it. */
  readonly watches: readonly string[];
}

/** What handlers name in the same way. */
export interface ResourceDescription {
  /** As it is written in the decorators. */
  readonly resource: string;
  /** What it leads to on this server now, as `plural.version.group`. */
  readonly found: readonly string[];
  readonly handlers: readonly HandlerDescription[];
}

/** What an operator watches, handles and may do. Plain JSON, in the order of the declarations. */
export interface OperatorDescription {
  readonly name: string;
  /** As configured. `undefined`: all. */
  readonly namespaces: readonly string[] | undefined;
  readonly resources: readonly ResourceDescription[];
  /** `Class.method` of each step, in the order of the calls. */
  readonly startup: readonly string[];
  readonly cleanup: readonly string[];
  readonly probes: ReadonlyArray<{
    readonly id: string;
    readonly origin: string;
    readonly fails: 'liveness' | 'readiness' | 'none';
  }>;
  /** For the resources that have been found, and for the operator itself. */
  readonly access: readonly AccessDescription[];
}

export interface DescribedParts {
  readonly config: Pick<OperatorConfig, 'name' | 'namespaces'>;
  readonly handlers: readonly HandlerDefinition[];
  readonly activities: readonly ActivityDefinition[];
  /** What is served now. */
  readonly served: ReadonlyArray<{ readonly resource: Resource; readonly handlers: readonly HandlerDefinition[] }>;
  readonly access: readonly AccessDescription[];
}

/** Pure. */
export function describeOperator({
  config,
  handlers,
  activities,
  served,
  access,
}: DescribedParts): OperatorDescription {
  const steps = (on: ActivityDefinition['on']): readonly string[] =>
    activities.filter((activity) => activity.on === on).map(({ origin }) => origin);
  return {
    name: config.name,
    namespaces: config.namespaces,
    resources: [...Map.groupBy(handlers, ({ resource }) => selectorName(resource))].map(([resource, own]) => ({
      resource,
      found: served
        .filter((one) => one.handlers.some((handler) => own.includes(handler)))
        .map((one) => resourceName(one.resource)),
      handlers: own.map(describeHandler),
    })),
    startup: steps('startup'),
    cleanup: steps('cleanup'),
    probes: activities.flatMap(({ id, origin, probe }) => (probe ? [{ id, origin, fails: probe.fails }] : [])),
    access,
  };
}

function describeHandler({ id, origin, triggers }: HandlerDefinition): HandlerDescription {
  const filters = triggers.map(({ filter }) => filter);
  const unique = (names: readonly string[]): readonly string[] => [...new Set(names)];
  return {
    id,
    origin,
    on: [...new Set(triggers.map(({ on }) => on))],
    fields: unique(filters.flatMap(({ field }) => (field === undefined ? [] : [field.join('.')]))),
    labels: unique(filters.flatMap(({ labels = {} }) => Object.keys(labels))),
    annotations: unique(filters.flatMap(({ annotations = {} }) => Object.keys(annotations))),
    when: filters.some(({ when }) => when !== undefined),
    finalizer: triggers.some(takesFinalizer),
    writes: triggers.some(writes),
    watches: unique(
      triggers.flatMap((trigger) =>
        trigger.on === 'reconcile' ? trigger.mapped.map(({ resource }) => selectorName(resource)) : [],
      ),
    ),
  };
}

function takesFinalizer(trigger: Trigger): boolean {
  switch (trigger.on) {
    case 'delete':
      return !trigger.optional;
    case 'reconcile':
    case 'timer':
    case 'daemon':
      return trigger.finalizer;
    default:
      return false;
  }
}
