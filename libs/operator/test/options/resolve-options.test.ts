import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../../src/engine/defaults.js';
import { InvalidOptionsError } from '../../src/errors/invalid-options.error.js';
import type { OperatorModuleOptions } from '../../src/operator.options.js';
import { resolveOptions } from '../../src/options/resolve-options.js';

const name = 'volumes.example.com';

function gapsOf(options: unknown): readonly string[] {
  try {
    resolveOptions(options as OperatorModuleOptions);
  } catch (error) {
    if (error instanceof InvalidOptionsError) return error.gaps;
    throw error;
  }
  return [];
}

describe('resolveOptions', () => {
  it('fills in every default', () => {
    expect(resolveOptions({ name })).toEqual({
      ...defaultConfig,
      name,
      kubeConfig: undefined,
      autoStart: true,
      globalEnhancers: false,
      logger: undefined,
    });
  });

  it('takes durations in both forms at every place', () => {
    const resolved = resolveOptions({
      name,
      client: { retries: ['1s', 250], timeout: '5s' },
      watching: {
        backoff: { initial: '100ms', factor: 3, cap: '1m', reset: '3m' },
        timeout: { min: '1m', max: 120_000 },
        silence: '2m',
        syncTimeout: '30s',
        failAfter: 0,
      },
      queue: { throttle: [], resync: '1h', stuckAfter: '1m' },
      retry: { initial: '2s', cap: '30d' },
      shutdown: { drain: '5s', crashDrain: 0, deadline: '10s', grace: '1s' },
    });
    expect(resolved.client).toEqual({ retries: [1_000, 250], timeout: 5_000 });
    expect(resolved.watching.backoff).toEqual({ initial: 100, factor: 3, cap: 60_000, reset: 180_000 });
    expect(resolved.watching.timeout).toEqual({ min: 60_000, max: 120_000 });
    expect(resolved.watching).toMatchObject({ silence: 120_000, syncTimeout: 30_000, failAfter: 0 });
    expect(resolved.queue).toMatchObject({ throttle: [], resync: 3_600_000, stuckAfter: 60_000 });
    expect(resolved.retry).toMatchObject({ initial: 2_000, cap: 2_592_000_000, jitter: 0.2 });
    expect(resolved.shutdown).toEqual({ drain: 5_000, crashDrain: 0, deadline: 10_000, grace: 1_000 });
  });

  it('keeps the default drain within a shorter deadline', () => {
    const { shutdown } = resolveOptions({ name, shutdown: { deadline: '10s' } });
    expect(shutdown).toEqual({ drain: 10_000, crashDrain: 2_000, deadline: 10_000, grace: 5_000 });
  });

  it('translates what is kept of objects', () => {
    const transform: Exclude<NonNullable<OperatorModuleOptions['watching']>['keep'], string | undefined> = (object) =>
      object;
    const keep = (value: NonNullable<OperatorModuleOptions['watching']>['keep']) => {
      const { watching } = resolveOptions({ name, watching: value === undefined ? {} : { keep: value } });
      return { keepManagedFields: watching.keepManagedFields, transform: watching.transform };
    };
    expect(keep(undefined)).toEqual({ keepManagedFields: false, transform: undefined });
    expect(keep('everything')).toEqual({ keepManagedFields: true, transform: undefined });
    expect(keep(transform)).toEqual({ keepManagedFields: false, transform });
  });

  it('names namespaces once each', () => {
    expect(resolveOptions({ name, namespaces: ['a', 'b', 'a'] }).namespaces).toEqual(['a', 'b']);
    expect(resolveOptions({ name, namespaces: ['a, b', 'a'] }).namespaces).toEqual(['a', 'b']);
  });

  it('keeps patterns of namespaces as they are written, and refuses what is none', () => {
    const namespaces = ['team-*', '!*-test, team-a?', 'team-*'];
    expect(resolveOptions({ name, namespaces }).namespaces).toEqual(namespaces);
    const wrong = ['Team', 'a_b', 'a,,b', '!', 'team-*,B', '', 5] as string[];
    expect(gapsOf({ name, namespaces: wrong })).toEqual(
      wrong.map((_, index) =>
        expect.stringMatching(`^namespaces\\[${index}\\] must be the name of a namespace, or globs`),
      ),
    );
  });

  it('cannot be changed afterwards', () => {
    const resolved = resolveOptions({ name });
    expect(Object.isFrozen(resolved) && Object.isFrozen(resolved.watching.backoff)).toBe(true);
  });

  it('takes stores of records and the names of Kopf', () => {
    const call = (): Promise<undefined> => Promise.resolve(undefined);
    const table = { load: call, save: call, remove: call };
    const { persistence } = resolveOptions({ name, persistence: { store: 'table', stores: { table }, kopf: true } });
    expect(persistence.store).toBe('table');
    expect(persistence.stores['table']).toBe(table);
    expect(persistence.kopf?.finalizer).toBe('kopf.zalando.org/KopfFinalizerMarker');
    const own = resolveOptions({ name, persistence: { kopf: { prefix: 'team.example' } } }).persistence.kopf;
    expect(own).toEqual({
      prefix: 'team.example',
      finalizer: 'kopf.zalando.org/KopfFinalizerMarker',
      statusField: 'kopf',
    });
    expect(resolveOptions({ name }).persistence).toEqual({ store: 'annotations', stores: {}, kopf: undefined });
    const wrong = { store: 'annotation', stores: { status: table, half: { load: call } }, kopf: { prefix: '' } };
    expect(gapsOf({ name, persistence: wrong })).toEqual([
      'persistence.stores.status has the name of a place on the object',
      'persistence.stores.half is no record store: it lacks save, remove',
      'persistence.kopf.prefix must be a text, not ""',
      expect.stringMatching(/^persistence\.store must be one of 'annotations', 'status', 'both'/),
    ]);
    expect(gapsOf({ name, persistence: { stores: [], kopf: 'yes' } })).toEqual([
      'persistence.stores must be an object of stores by name, not a list',
      'persistence.kopf must be an object, not "yes"',
    ]);
  });

  it('lists every gap in one error', () => {
    const gaps = gapsOf({
      name: 'Not A Domain',
      formerNames: ['x'],
      namespaces: [],
      client: { timeout: -1, retries: ['1s', 'soon'] },
      watching: { pageSize: 0, onForbidden: 'ignore', keep: 7, backof: {}, timeout: { min: '10m', max: '5m' } },
      queue: { concurrency: { total: 1.5 } },
      retry: { jitter: 2, factor: 0.5, initial: '10m', cap: '1m' },
      shutdown: { drain: '1m' },
      events: false,
      crash: 'panic',
      autoStart: 'yes',
      kubeConfig: '',
      logger: { log: () => undefined },
      leaderElection: { namespace: 'A', name: 'no name', renewDeadline: '15s', onLost: 'panic' },
      election: true,
    });
    const expected = [
      /^name must be a domain/,
      /^formerNames\[0\] must be a domain/,
      /^namespaces must be a list of at least one/,
      /^client\.timeout: -1 is not a duration/,
      /^client\.retries\[1\]: "soon" is not a duration/,
      /^watching\.pageSize must be a whole number from 1 on, not 0/,
      /^watching\.onForbidden must be one of 'retry', 'exit', not "ignore"/,
      /^watching\.keep must be/,
      /^watching\.backof is not an option/,
      /^watching\.timeout\.max must not be below min/,
      /^queue\.concurrency\.total must be a whole number/,
      /^retry\.jitter must be a fraction/,
      /^retry\.factor must be a number from 1 on/,
      /^retry\.cap must not be below initial/,
      /^shutdown\.drain must not exceed deadline/,
      /^events must be an object, not false/,
      /^crash must be one of 'exit', 'reject', not "panic"/,
      /^autoStart must be true or false/,
      /^kubeConfig must be/,
      /^logger must be a LoggerService/,
      /^leaderElection\.namespace must be the name of a namespace, not "A"/,
      /^leaderElection\.name must be a DNS subdomain/,
      /^leaderElection\.renewDeadline must be shorter than leaseDuration \(15000 ms\), not 15000 ms/,
      /^leaderElection\.onLost must be one of/,
      /^election is not an option; the options are name, /,
    ];
    for (const pattern of expected) expect(gaps).toContainEqual(expect.stringMatching(pattern));
    expect(gaps).toHaveLength(expected.length);
    expect(new InvalidOptionsError(gaps).message.split('\n')).toHaveLength(expected.length + 1);
  });

  it.each([
    [undefined, /^name is missing/],
    [{}, /^name is missing/],
    [{ name: 'single' }, /must be a domain/],
    [{ name: 'a..b' }, /must be a domain/],
    [{ name: `${'a'.repeat(64)}.example.com` }, /must be a domain/],
    [{ name: 'x.k8s.io' }, /Kubernetes' own/],
    [{ name: 'kubernetes.io' }, /Kubernetes' own/],
  ])('refuses %j as a name', (options, expected) => {
    expect(gapsOf(options)).toEqual([expect.stringMatching(expected)]);
  });

  it('shows neither a kubeconfig nor long texts in its message', () => {
    const gaps = gapsOf({ name: 'token: secret '.repeat(20), kubeConfig: 5, logger: 'secret' });
    expect(gaps.join()).not.toContain('secret');
  });
});
