import { describe, expect, test } from 'vitest';
import { InvalidOptionsError } from '../../src/errors/invalid-options.error.js';
import { electionOf } from '../../src/lifecycle/election-of.js';
import type { LeaderElectionOptions } from '../../src/operator.options.js';
import { resolveOptions } from '../../src/options/resolve-options.js';

const resolve = (leaderElection?: boolean | LeaderElectionOptions) =>
  resolveOptions({ name: 'op.example', ...(leaderElection === undefined ? {} : { leaderElection }) });

function gapsOf(leaderElection: unknown): readonly string[] {
  try {
    resolve(leaderElection as LeaderElectionOptions);
    return [];
  } catch (error) {
    return (error as InvalidOptionsError).gaps;
  }
}

const random = { next: () => 0.5 };
const pod = { inCluster: true, namespace: 'home' };
const laptop = { inCluster: false, namespace: undefined };

describe('leaderElection', () => {
  test('is on in a cluster and off elsewhere', () => {
    expect(electionOf(resolve(), pod, random)).toEqual({
      namespace: 'home',
      name: 'op.example',
      identity: expect.stringMatching(/^.+_800000800000$/),
      leaseDuration: 15_000,
      renewDeadline: 10_000,
      retryPeriod: 2_000,
      onLost: 'exit',
      warmStandby: true,
    });
    expect(electionOf(resolve(), laptop, random)).toBeUndefined();
    expect(electionOf(resolve({ retryPeriod: '1s' }), laptop, random)).toBeUndefined();
  });

  test('is switched by a flag, or by enabled', () => {
    expect(electionOf(resolve(false), pod, random)).toBeUndefined();
    expect(electionOf(resolve({ enabled: false }), pod, random)).toBeUndefined();
    expect(electionOf(resolve(true), { ...laptop, namespace: 'context' }, random)).toMatchObject({
      namespace: 'context',
    });
    const given = { enabled: true, namespace: 'here', name: 'my-lease', identity: 'me' };
    expect(electionOf(resolve(given), laptop, random)).toMatchObject({
      namespace: 'here',
      name: 'my-lease',
      identity: 'me',
    });
  });

  test('needs to know where the lease is to be', () => {
    expect(() => electionOf(resolve(true), laptop, random)).toThrow(InvalidOptionsError);
    expect(() => electionOf(resolve(true), laptop, random)).toThrow(/leaderElection\.namespace is missing/);
  });

  test.each([
    [
      { leaseDuration: '15s', renewDeadline: '15s' },
      ['leaderElection.renewDeadline must be shorter than leaseDuration'],
    ],
    [
      { retryPeriod: '9s' },
      ['leaderElection.retryPeriod must leave time to try again: 1.2 times it must be shorter than renewDeadline'],
    ],
    [
      { leaseDuration: '3s', renewDeadline: '2s', retryPeriod: '900ms' },
      [
        'leaderElection.retryPeriod must leave time to try again: 1.2 times it must be shorter than leaseDuration less the 2000 ms',
      ],
    ],
    [
      { leaseDuration: '500ms', renewDeadline: '400ms', retryPeriod: '1ms' },
      ['leaderElection.leaseDuration must be at least one second', 'leaderElection.retryPeriod'],
    ],
    [{ leaseDuration: '40000d', renewDeadline: '1d' }, ['leaderElection.leaseDuration must be at least']],
    [
      { leaseDuration: Number.NaN, renewDeadline: -1, retryPeriod: Infinity },
      ['leaderElection.leaseDuration: NaN', 'leaderElection.renewDeadline: -1', 'leaderElection.retryPeriod: Infinity'],
    ],
    [
      { leaseDuration: 0, retryPeriod: 0 },
      ['leaderElection.leaseDuration must be longer than 0', 'leaderElection.retryPeriod must be longer than 0'],
    ],
    [{ identity: '', lease: 'x' }, ['leaderElection.identity must be a text', 'leaderElection.lease is not an option']],
    ['on', ['leaderElection must be an object']],
  ])('%j is refused, with every gap', (given, expected) => {
    const gaps = gapsOf(given);
    for (const start of expected) expect(gaps).toContainEqual(expect.stringContaining(start));
  });

  test('takes durations of months', () => {
    expect(gapsOf({ leaseDuration: '30d', renewDeadline: '29d', retryPeriod: '1d' })).toEqual([]);
  });
});
