import { describe, expect, it } from 'vitest';
import type { AccessRule } from '../../../src/engine/access/access-rule.js';
import { reviewAccess } from '../../../src/engine/access/access-review.js';
import type { ApiClient, ApiRequest, ApiResponse } from '../../../src/engine/client/api-client.js';

interface Attributes {
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly verb: string;
  readonly namespace?: string;
  readonly name?: string;
}

function server(allows: (asked: Attributes) => boolean) {
  const asked: Attributes[] = [];
  const client: Pick<ApiClient, 'request'> = {
    request: async <T>({ body }: ApiRequest): Promise<ApiResponse<T>> => {
      const { resourceAttributes } = (body as { spec: { resourceAttributes: Attributes } }).spec;
      asked.push(resourceAttributes);
      const answer = { status: { allowed: allows(resourceAttributes) } };
      return { status: 201, headers: {}, body: answer as T };
    },
  };
  return { asked, client };
}

function rule(part: Partial<AccessRule> = {}): AccessRule {
  const base = { group: 'demo.example', resource: 'widgets', verbs: ['list', 'watch'], namespace: undefined };
  return { ...base, need: 'always', purpose: 'watch it', ...part };
}

const { signal } = new AbortController();

describe('reviewAccess', () => {
  it('asks for each verb, subresource and name', async () => {
    const { asked, client } = server(() => true);
    const status = rule({ resource: 'widgets/status', verbs: ['patch'] });
    const lease = rule({
      group: 'coordination.k8s.io',
      resource: 'leases',
      verbs: ['get'],
      namespace: 'ops',
      names: ['a'],
    });
    const { answers, missing, unknown } = await reviewAccess(client, [rule(), status, lease], signal);
    expect([missing, unknown]).toEqual([[], undefined]);
    expect(answers.map(({ refused }) => refused)).toEqual([[], [], []]);
    const lines = asked.map(({ verb, group, resource, subresource = '-', namespace = '-', name = '-' }) =>
      [verb, group, resource, subresource, namespace, name].join(' '),
    );
    expect(lines).toEqual([
      'list demo.example widgets - - -',
      'watch demo.example widgets - - -',
      'patch demo.example widgets status - -',
      'get coordination.k8s.io leases - ops a',
    ]);
  });

  it('tells which verbs are refused, in the order of the rules', async () => {
    const { client } = server(({ verb, namespace }) => verb === 'list' || namespace === 'b');
    const rules = [rule({ namespace: 'a' }), rule({ namespace: 'b' })];
    const { missing } = await reviewAccess(client, rules, signal);
    expect(missing).toEqual([rule({ namespace: 'a', verbs: ['watch'] })]);
  });

  it('asks for several namespaces at once where everything is allowed', async () => {
    const { asked, client } = server(() => true);
    const rules = Array.from({ length: 50 }, (_, index) => rule({ namespace: `team-${index}` }));
    expect((await reviewAccess(client, rules, signal)).missing).toEqual([]);
    expect(asked.map(({ verb, namespace }) => [verb, namespace])).toEqual([
      ['list', undefined],
      ['watch', undefined],
    ]);
  });

  it('says that reviews cannot be had, and goes on with the others', async () => {
    const cause = new Error('no reviews');
    const { client } = server(({ verb }) => {
      if (verb === 'list') throw cause;
      return false;
    });
    expect(await reviewAccess(client, [rule(), rule({ resource: 'gadgets' })], signal)).toEqual({
      answers: [],
      missing: [rule({ verbs: ['watch'] }), rule({ resource: 'gadgets', verbs: ['watch'] })],
      unknown: { rules: 2, cause },
    });
  });

  it('ends when it is told to', async () => {
    const stop = new AbortController();
    const reason = new Error('stop');
    const { client } = server(() => {
      stop.abort(reason);
      throw reason;
    });
    await expect(reviewAccess(client, [rule()], stop.signal)).rejects.toBe(reason);
  });
});
