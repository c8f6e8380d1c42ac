import type { HandlerDefinition, Trigger } from '../handling/handler-definition.js';
import { NamespacePatterns } from '../namespaces/namespace-patterns.js';
import type { OperatorConfig } from '../operator-config.js';
import { isBuiltInGroup, isNamed, type Resource } from '../resource.js';
import { writes } from '../selection/operator-demands.js';
import type { AccessRule, DeclaredAccess } from './access-rule.js';

/** A resource that the operator deals with, and why. */
export interface AccessedResource {
  readonly resource: Pick<Resource, 'group' | 'plural' | 'namespaced' | 'subresources'>;
  /** Its handlers; none where it is only watched for handlers of other resources. */
  readonly handlers: readonly Pick<HandlerDefinition, 'resource' | 'triggers' | 'store'>[];
}

/** What the required access follows from. */
export interface AccessDemand {
  readonly config: Pick<OperatorConfig, 'name' | 'namespaces'> & {
    readonly events: Pick<OperatorConfig['events'], 'enabled'>;
    readonly persistence: Pick<OperatorConfig['persistence'], 'store'>;
    readonly watching: Pick<OperatorConfig['watching'], 'missingKind'>;
  };
  readonly resources: readonly AccessedResource[];
  /**
   * Namespaces that `config.namespaces` leads to now, where it holds patterns.
   * @defaultValue unknown, so that what is needed in them is needed in all
   */
  readonly matching?: readonly string[];
  /** The lease of the leader election. @defaultValue there is none */
  readonly lease?: { readonly namespace: string; readonly name: string };
  /** What the application's own code needs. @defaultValue nothing */
  readonly declared?: readonly DeclaredAccess[];
}

/**
 * All that an operator's account has to be allowed: by its handlers, by what the engine does for them, and by what the
 * application declares for its own code. In a stable order: resources as given, then the operator's own needs.
 */
export function requiredAccess(demand: AccessDemand): readonly AccessRule[] {
  const { config, resources, lease, declared = [] } = demand;
  const patterns = config.namespaces === undefined ? undefined : new NamespacePatterns(config.namespaces);
  const follows = patterns !== undefined && patterns.names === undefined;
  const served = follows ? demand.matching : patterns?.names;
  return [
    ...resources.flatMap((one) => forResource(one, config, served)),
    ...(follows ? [namespaceRule] : []),
    ...(resources.some((one) => needsDefinitions(one, config)) ? [definitionRule] : []),
    ...(config.events.enabled ? eventRules(resources, served) : []),
    ...(lease === undefined ? [] : leaseRules(lease)),
    ...declared.flatMap((one) => forDeclared(one, served)),
  ];
}

const namespaceRule: AccessRule = {
  group: '',
  resource: 'namespaces',
  verbs: ['list', 'watch'],
  namespace: undefined,
  need: 'always',
  purpose: 'find the namespaces that the patterns mean',
};

const definitionRule: AccessRule = {
  group: 'apiextensions.k8s.io',
  resource: 'customresourcedefinitions',
  verbs: ['list', 'watch'],
  namespace: undefined,
  need: 'sometimes',
  purpose: 'see at once which kinds come and go',
};

function forResource(
  { resource, handlers }: AccessedResource,
  config: AccessDemand['config'],
  served: readonly string[] | undefined,
): AccessRule[] {
  const triggers = handlers.flatMap((handler) => handler.triggers);
  const written = triggers.some(writes);
  const places = handlers.map(({ store }) => store ?? config.persistence.store);
  const recordInStatus = written && places.some((place) => place === 'status' || place === 'both');
  const mayWrite = triggers.some(({ on }) => on !== 'index');
  const { group, plural, subresources } = resource;
  const about = (part: string, verbs: readonly string[], need: AccessRule['need'], purpose: string) =>
    scopes(resource.namespaced, served).map((namespace): AccessRule => {
      return { group, resource: `${plural}${part}`, verbs, namespace, need, purpose };
    });
  return [
    ...about('', ['list', 'watch'], 'always', 'watch it'),
    ...(written
      ? about('', ['get', 'patch'], 'always', 'keep records and finalizers on it, and write what handlers change')
      : mayWrite
        ? about('', ['get', 'patch'], 'sometimes', 'write what handlers change')
        : []),
    ...(mayWrite && subresources.status
      ? about('/status', ['patch'], recordInStatus ? 'always' : 'sometimes', 'write results and records to its status')
      : []),
    ...(triggers.some(ownsOthers)
      ? about('/finalizers', ['update'], 'sometimes', 'make it the owner of what blocks its deletion')
      : []),
  ];
}

function ownsOthers(trigger: Trigger): boolean {
  return trigger.on === 'reconcile' && trigger.mapped.some(({ owned }) => owned === true);
}

/** Whether a definition can change what is served. */
function needsDefinitions({ resource, handlers }: AccessedResource, { watching }: AccessDemand['config']): boolean {
  if (handlers.some((handler) => !isNamed(handler.resource))) return true;
  if (isBuiltInGroup(resource.group)) return false;
  return watching.missingKind === 'wait' || handlers.some((handler) => handler.resource.version === undefined);
}

/** Events about objects without a namespace lie in the namespace `default`. */
function eventRules(resources: readonly AccessedResource[], served: readonly string[] | undefined): AccessRule[] {
  const namespaces = new Set<string | undefined>(
    resources.flatMap(({ resource, handlers }) =>
      handlers.length === 0 ? [] : resource.namespaced ? scopes(true, served) : ['default'],
    ),
  );
  return (namespaces.has(undefined) ? [undefined] : [...namespaces]).map((namespace) => ({
    group: 'events.k8s.io',
    resource: 'events',
    verbs: ['create', 'patch'],
    namespace,
    need: 'sometimes',
    purpose: 'post events about it',
  }));
}

function leaseRules({ namespace, name }: { readonly namespace: string; readonly name: string }): AccessRule[] {
  const lease = { group: 'coordination.k8s.io', resource: 'leases', namespace, need: 'always' } as const;
  const purpose = 'elect a leader';
  // What is created has no name yet that a rule could ask for.
  return [
    { ...lease, verbs: ['create'], purpose },
    { ...lease, verbs: ['get', 'update'], names: [name], purpose },
  ];
}

function forDeclared(
  { group, resources, verbs, names, scope = 'served' }: DeclaredAccess,
  served: readonly string[] | undefined,
): AccessRule[] {
  return resources.flatMap((resource) =>
    scopes(scope === 'served', served).map((namespace) => ({
      group,
      resource,
      verbs: verbs.toSorted(),
      namespace,
      ...(names === undefined ? {} : { names }),
      need: 'always' as const,
      purpose: 'used by the application itself',
    })),
  );
}

function scopes(namespaced: boolean, served: readonly string[] | undefined): readonly (string | undefined)[] {
  return namespaced && served !== undefined ? served : [undefined];
}
