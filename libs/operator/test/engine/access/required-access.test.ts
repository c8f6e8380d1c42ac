import { describe, expect, it } from 'vitest';
import type { AccessRule } from '../../../src/engine/access/access-rule.js';
import { policyRulesYaml, roleRules } from '../../../src/engine/access/policy-rule.js';
import {
  requiredAccess,
  type AccessDemand,
  type AccessedResource,
} from '../../../src/engine/access/required-access.js';
import type { Trigger } from '../../../src/engine/handling/handler-definition.js';
import type { ResourceSelector } from '../../../src/engine/resource.js';

const create: Trigger = { on: 'create', filter: {} };
const event: Trigger = { on: 'event', filter: {} };
const index: Trigger = { on: 'index', filter: {}, index: 'byNode' };

function reconcile({ finalizer = false, owned = false } = {}): Trigger {
  const mapped = { resource: { plural: 'pods', group: '', version: 'v1' }, map: () => [], owned };
  return { on: 'reconcile', filter: {}, finalizer, mapped: [mapped] };
}

const named: ResourceSelector = { plural: 'widgets', group: 'demo.example', version: 'v1' };

interface Shape {
  readonly group?: string;
  readonly plural?: string;
  readonly namespaced?: boolean;
  readonly status?: boolean;
  readonly selector?: ResourceSelector;
  readonly store?: string;
}

function widgets(triggers: readonly Trigger[], shape: Shape = {}): AccessedResource {
  const { group = 'demo.example', plural = 'widgets', namespaced = true, status = false, selector = named } = shape;
  return {
    resource: { group, plural, namespaced, subresources: { status, scale: false } },
    handlers: triggers.map((trigger) => ({
      resource: selector,
      triggers: [trigger],
      ...(shape.store === undefined ? {} : { store: shape.store }),
    })),
  };
}

function demand(resources: readonly AccessedResource[], more: Partial<AccessDemand['config']> = {}): AccessDemand {
  return {
    config: {
      name: 'demo.example',
      namespaces: undefined,
      events: { enabled: false },
      persistence: { store: 'annotations' },
      watching: { missingKind: 'fail' },
      ...more,
    },
    resources,
  };
}

/** `verbs group/resource in namespace (need)`. */
function lines(rules: readonly AccessRule[]): string[] {
  return rules.map(({ verbs, group, resource, namespace = '*', names, need }) => {
    const which = names === undefined ? '' : ` named ${names.join()}`;
    return `${verbs.join()} ${group}/${resource}${which} in ${namespace}${need === 'always' ? '' : ', sometimes'}`;
  });
}

describe('requiredAccess', () => {
  it('is list, watch, get and patch where records are kept', () => {
    expect(lines(requiredAccess(demand([widgets([create])])))).toEqual([
      'list,watch demo.example/widgets in *',
      'get,patch demo.example/widgets in *',
    ]);
  });

  it('leaves out writing where nothing can write', () => {
    expect(lines(requiredAccess(demand([widgets([index], { status: true })])))).toEqual([
      'list,watch demo.example/widgets in *',
    ]);
    expect(lines(requiredAccess(demand([widgets([], { status: true })])))).toEqual([
      'list,watch demo.example/widgets in *',
    ]);
  });

  it.each([event, reconcile()])('knows that what keeps no record may still write: $on', (trigger) => {
    expect(lines(requiredAccess(demand([widgets([trigger])])))).toEqual([
      'list,watch demo.example/widgets in *',
      'get,patch demo.example/widgets in *, sometimes',
    ]);
  });

  it('writes for sure where reconciling takes a finalizer', () => {
    expect(lines(requiredAccess(demand([widgets([reconcile({ finalizer: true })])])))).toContain(
      'get,patch demo.example/widgets in *',
    );
  });

  it('asks for the status where it is a subresource, and cannot do without where records are kept in it', () => {
    const status = (shape: Shape, store = 'annotations') =>
      lines(requiredAccess(demand([widgets([create], { status: true, ...shape })], { persistence: { store } }))).at(-1);
    expect(status({})).toBe('patch demo.example/widgets/status in *, sometimes');
    expect(status({}, 'status')).toBe('patch demo.example/widgets/status in *');
    expect(status({ store: 'both' })).toBe('patch demo.example/widgets/status in *');
    expect(status({ store: 'annotations' }, 'status')).toBe('patch demo.example/widgets/status in *, sometimes');
  });

  it('asks for the finalizers of an owner', () => {
    expect(lines(requiredAccess(demand([widgets([reconcile({ owned: true })])])))).toContain(
      'update demo.example/widgets/finalizers in *, sometimes',
    );
  });

  it('is asked for in each namespace that is served, once for what is in none', () => {
    const nodes = widgets([event], { group: '', plural: 'nodes', namespaced: false });
    expect(lines(requiredAccess(demand([widgets([create]), nodes], { namespaces: ['a', 'b'] })))).toEqual([
      'list,watch demo.example/widgets in a',
      'list,watch demo.example/widgets in b',
      'get,patch demo.example/widgets in a',
      'get,patch demo.example/widgets in b',
      'list,watch /nodes in *',
      'get,patch /nodes in *, sometimes',
    ]);
  });

  it('needs namespaces for patterns, and all of them as long as it is unknown which ones fit', () => {
    const patterns = demand([widgets([index])], { namespaces: ['team-*'] });
    expect(lines(requiredAccess(patterns))).toEqual([
      'list,watch demo.example/widgets in *',
      'list,watch /namespaces in *',
    ]);
    expect(lines(requiredAccess({ ...patterns, matching: ['team-a'] }))).toEqual([
      'list,watch demo.example/widgets in team-a',
      'list,watch /namespaces in *',
    ]);
  });

  it.each<[string, AccessedResource, Partial<AccessDemand['config']>, boolean]>([
    ['a selection', widgets([index], { group: '', selector: { category: 'all' } }), {}, true],
    ['a custom kind in whatever version', widgets([index], { selector: { name: 'widgets' } }), {}, true],
    ['a custom kind that is waited for', widgets([index]), { watching: { missingKind: 'wait' } }, true],
    ['a custom kind in a version', widgets([index]), {}, false],
    ['a built-in kind', widgets([index], { group: 'apps', selector: { name: 'deployments' } }), {}, false],
  ])('watches definitions for %s, or does not', (_, resource, config, expected) => {
    const rule = 'list,watch apiextensions.k8s.io/customresourcedefinitions in *, sometimes';
    expect(lines(requiredAccess(demand([resource], config))).includes(rule)).toBe(expected);
  });

  it('posts events where the objects are, and in default about what is in no namespace', () => {
    const nodes = widgets([event], { group: '', plural: 'nodes', namespaced: false });
    const of = (resources: readonly AccessedResource[], namespaces?: readonly string[]) =>
      lines(requiredAccess(demand(resources, { namespaces, events: { enabled: true } }))).filter((line) =>
        line.includes('events.k8s.io'),
      );
    expect(of([widgets([create])], ['a'])).toEqual(['create,patch events.k8s.io/events in a, sometimes']);
    expect(of([widgets([create]), nodes])).toEqual(['create,patch events.k8s.io/events in *, sometimes']);
    expect(of([nodes], ['a'])).toEqual(['create,patch events.k8s.io/events in default, sometimes']);
    expect(of([widgets([])])).toEqual([]);
  });

  it('restricts the lease to its name, where there is one', () => {
    const lease = { namespace: 'ops', name: 'demo.example' };
    expect(lines(requiredAccess({ ...demand([]), lease }))).toEqual([
      'create coordination.k8s.io/leases in ops',
      'get,update coordination.k8s.io/leases named demo.example in ops',
    ]);
  });

  it('adds what the application declares', () => {
    const declared = [
      { group: '', resources: ['secrets', 'pods/exec'], verbs: ['get', 'create'] },
      { group: 'storage.k8s.io', resources: ['storageclasses'], verbs: ['get'], scope: 'cluster', names: ['fast'] },
    ] as const;
    expect(lines(requiredAccess({ ...demand([], { namespaces: ['a'] }), declared }))).toEqual([
      'create,get /secrets in a',
      'create,get /pods/exec in a',
      'get storage.k8s.io/storageclasses named fast in *',
    ]);
  });
});

describe('roleRules', () => {
  it('are few, by namespace, and can be pasted', () => {
    const lease = { namespace: 'ops', name: 'demo.example' };
    const resources = [widgets([create], { status: true }), widgets([create], { plural: 'gadgets' })];
    const roles = roleRules(requiredAccess({ ...demand(resources), lease }));
    expect(roles.map(({ namespace }) => namespace)).toEqual([undefined, 'ops']);
    expect(policyRulesYaml(roles.flatMap(({ rules }) => rules)).split('\n')).toEqual([
      '- apiGroups: ["demo.example"]',
      '  resources: ["widgets", "gadgets"]',
      '  verbs: ["get", "list", "patch", "watch"]',
      '- apiGroups: ["demo.example"]',
      '  resources: ["widgets/status"]',
      '  verbs: ["patch"]',
      '- apiGroups: ["coordination.k8s.io"]',
      '  resources: ["leases"]',
      '  verbs: ["create"]',
      '- apiGroups: ["coordination.k8s.io"]',
      '  resources: ["leases"]',
      '  resourceNames: ["demo.example"]',
      '  verbs: ["get", "update"]',
    ]);
  });
});
