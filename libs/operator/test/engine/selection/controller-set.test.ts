import { describe, expect, it } from 'vitest';
import type { Resource } from '../../../src/engine/resource.js';
import { ControllerSet, type Served } from '../../../src/engine/selection/controller-set.js';
import type { ResourceDemand } from '../../../src/engine/selection/resource-demand.js';

const demand: ResourceDemand = { resource: { everything: true }, origin: 'Handlers.all', verbs: [] };

function resource(plural: string, version = 'v1', change: Partial<Resource> = {}): Resource {
  return {
    group: 'demo.example',
    version,
    plural,
    kind: plural,
    singular: plural,
    shortNames: [],
    categories: [],
    namespaced: true,
    verbs: [],
    subresources: { status: false, scale: false },
    ...change,
  };
}

function setUp() {
  const log: string[] = [];
  const ends: Array<() => void> = [];
  const failures: unknown[] = [];
  const set = new ControllerSet<ResourceDemand, Served & { readonly name: string }>({
    open: ({ resource: { plural, version } }) => {
      const name = `${plural}.${version}`;
      log.push(`open ${name}`);
      return {
        name,
        update: ({ subresources }) => void log.push(`update ${name} ${String(subresources.status)}`),
        close: (how) => {
          log.push(`close ${name}: ${how}`);
          const { promise, resolve } = Promise.withResolvers<void>();
          ends.push(() => {
            log.push(`closed ${name}`);
            resolve();
          });
          return promise;
        },
      };
    },
    fatal: (error) => failures.push(error),
  });
  const want = (...resources: readonly Resource[]): void =>
    set.want(resources.map((one) => ({ resource: one, demands: [demand] })));
  const end = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { set, log, failures, want, end };
}

describe('the set of what runs for each kind', () => {
  it('begins what comes, ends what goes, and leaves the rest alone', async () => {
    const { set, log, want, end } = setUp();
    want(resource('a'), resource('b'));
    want(resource('b'), resource('c'));
    expect(log).toEqual(['open a.v1', 'open b.v1', 'close a.v1: gone', 'update b.v1 false', 'open c.v1']);
    expect(set.controllers.map(({ name }) => name)).toEqual(['a.v1', 'b.v1', 'c.v1']);
    await end();
    expect(set.controllers.map(({ name }) => name)).toEqual(['b.v1', 'c.v1']);
  });

  it.each<[string, Resource]>([
    ['version', resource('a', 'v2')],
    ['scope', resource('a', 'v1', { namespaced: false })],
    ['kind', resource('a', 'v1', { kind: 'Other' })],
  ])('begins another one only when the former has ended, for another %s', async (_, changed) => {
    const { set, log, want, end } = setUp();
    want(resource('a'));
    want(changed);
    want(changed);
    expect(log).toEqual(['open a.v1', 'close a.v1: replaced']);
    await end();
    expect(log.slice(2)).toEqual(['closed a.v1', `open a.${changed.version}`]);
    expect(set.controllers).toHaveLength(1);
  });

  it('hands on what else changes', () => {
    const { log, want } = setUp();
    want(resource('a'));
    want(resource('a', 'v1', { subresources: { status: true, scale: false } }));
    expect(log).toEqual(['open a.v1', 'update a.v1 true']);
  });

  it('does in the end what was wanted last, whatever came meanwhile', async () => {
    const { set, log, want, end } = setUp();
    want(resource('a'));
    want();
    want(resource('a', 'v2'));
    want(resource('a', 'v3'));
    await end();
    expect(log).toEqual(['open a.v1', 'close a.v1: gone', 'closed a.v1', 'open a.v3']);
    want(resource('a', 'v4'));
    want();
    await end();
    expect(set.controllers).toEqual([]);
  });

  it('reports an end that fails', async () => {
    const failures: unknown[] = [];
    const set = new ControllerSet<ResourceDemand, Served>({
      open: () => ({ update: () => undefined, close: () => Promise.reject(new Error('stuck')) }),
      fatal: (error) => failures.push(error),
    });
    set.want([{ resource: resource('a'), demands: [demand] }]);
    set.want([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(failures).toMatchObject([{ message: 'stuck' }]);
  });
});
