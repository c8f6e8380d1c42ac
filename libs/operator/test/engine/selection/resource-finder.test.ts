import { describe, expect, it } from 'vitest';
import type { Discovery } from '../../../src/engine/client/discovery/discovery.js';
import type { Resolution } from '../../../src/engine/client/discovery/find-resource.js';
import type { HandlerDefinition, Trigger } from '../../../src/engine/handling/handler-definition.js';
import { createLogger, type LogRecord } from '../../../src/engine/ports/index.js';
import { operatorDemands } from '../../../src/engine/selection/operator-demands.js';
import { kindName } from '../../../src/engine/selection/assign-resources.js';
import { ResourceFinder } from '../../../src/engine/selection/resource-finder.js';
import { ResourceSurvey } from '../../../src/engine/selection/resource-survey.js';
import { resourceName, selectorName, type Resource, type ResourceSelector } from '../../../src/engine/resource.js';
import { DiscoveryFailedError } from '../../../src/errors/discovery-failed.error.js';
import { ResourceAmbiguousError } from '../../../src/errors/resource-ambiguous.error.js';
import { ResourceMissingError } from '../../../src/errors/resource-missing.error.js';
import { ResourceUnsuitableError } from '../../../src/errors/resource-unsuitable.error.js';
import { FakeClock } from '../watching/fake-clock.js';

const syncTimeout = 120_000;

function resource(plural: string, group = 'demo.example', verbs = ['list', 'watch', 'patch']): Resource {
  const names = { kind: plural, singular: plural, shortNames: [], categories: [] };
  return {
    group,
    version: 'v1',
    plural,
    ...names,
    namespaced: true,
    verbs,
    subresources: { status: true, scale: false },
  };
}

function handler(id: string, selector: ResourceSelector, on: Trigger['on'] = 'create'): HandlerDefinition {
  const policy = { errors: 'temporary', abortOnChange: false, result: 'merge' } as const;
  return {
    id,
    origin: `Handlers.${id}`,
    resource: selector,
    triggers: [{ on, filter: {}, mapped: [] } as unknown as Trigger],
    policy,
  };
}

/** Looks up with discovery answering by the selector's name; what it answers may change meanwhile. */
function start(
  handlers: readonly HandlerDefinition[],
  answers: Record<string, Resolution>,
  missingKind: 'fail' | 'wait' = 'fail',
  selected: Record<string, readonly Resource[]> = {},
) {
  const clock = new FakeClock();
  const records: LogRecord[] = [];
  const found: string[] = [];
  const stop = new AbortController();
  const state = { error: undefined as unknown, ended: false, served: [] as readonly string[] };
  const seen = new Set<string>();
  const complete = Promise.withResolvers<void>();
  const news = { following: false, needed: 0, tell: Promise.withResolvers<void>() };
  let looks = 0;
  const finder = new ResourceFinder(
    {
      discovery: {
        resolve: (selector) => Promise.resolve(answers[selectorName(selector)] ?? { missing: true, served: [] }),
        select: (selector) => {
          looks += 1;
          return Promise.resolve({ found: selected[selectorName(selector)] ?? [], unavailable: [] });
        },
        refresh: () => Promise.resolve({ unavailable: [] }),
      },
      definitions: {
        get following() {
          return news.following;
        },
        need: () => (news.needed += 1),
        next: () => news.tell.promise,
      },
      config: { syncTimeout, missingKind },
      clock,
      logger: createLogger((record) => records.push(record)),
      onFindings: (assignments) => {
        state.served = assignments.map(({ resource: known }) => resourceName(known));
        for (const { resource: known, demands } of assignments) {
          if (seen.has(kindName(known))) continue;
          seen.add(kindName(known));
          found.push(`${known.plural}.${known.group}: ${demands.map(({ handler: one }) => one?.id).join(' ')}`);
        }
      },
      onComplete: () => complete.resolve(),
    },
    operatorDemands(handlers),
  );
  const work = Promise.race([finder.run(stop.signal), complete.promise]).then(
    () => (state.ended = true),
    (error: unknown) => (state.error = error),
  );
  const tell = async (): Promise<void> => {
    const told = news.tell;
    news.tell = Promise.withResolvers<void>();
    told.resolve();
    await clock.advance(0);
  };
  return { clock, records, found, state, stop, work, news, tell, looks: () => looks };
}

describe('resources that handlers name', () => {
  it('are handed over with their handlers in declaration order, however they are named', async () => {
    const handlers = [
      handler('a', { plural: 'widgets' }),
      handler('b', { plural: 'widgets', group: 'demo.example' }),
      handler('c', { plural: 'widgets' }),
      handler('d', { plural: 'gadgets' }),
    ];
    const widgets = { found: resource('widgets') };
    const run = start(handlers, { widgets, 'widgets.demo.example': widgets, gadgets: { found: resource('gadgets') } });
    await run.work;
    expect(run.found).toEqual(['widgets.demo.example: a b c', 'gadgets.demo.example: d']);
  });

  it('do not wait for those that are missing, which are all named in one error when the time is up', async () => {
    const handlers = [
      handler('a', { plural: 'widgets' }),
      handler('b', { plural: 'ghosts' }),
      handler('c', { plural: 'spirits', version: 'v2' }),
    ];
    const run = start(handlers, {
      widgets: { found: resource('widgets') },
      'spirits.v2': { missing: true, served: ['v1'] },
    });
    await run.clock.advance(syncTimeout - 10_000);
    expect(run.found).toEqual(['widgets.demo.example: a']);
    expect(run.state.error).toBeUndefined();
    expect(run.records.map(({ fields }) => fields['resource'])).toEqual(['ghosts', 'spirits.v2']);
    await run.clock.advance(20_000);
    await run.work;
    expect(run.state.error).toBeInstanceOf(ResourceMissingError);
    expect(run.state.error).toMatchObject({
      missing: [{ resource: 'ghosts' }, { resource: 'spirits.v2', served: ['v1'] }],
    });
    for (const part of ['ghosts', 'Handlers.b', 'spirits.v2', 'v1', 'Handlers.c']) {
      expect((run.state.error as Error).message).toContain(part);
    }
  });

  it('are waited for as long as it takes, where that is wanted', async () => {
    const answers: Record<string, Resolution> = {};
    const run = start([handler('a', { plural: 'ghosts' })], answers, 'wait');
    await run.clock.advance(10 * syncTimeout);
    expect(run.state).toMatchObject({ error: undefined, ended: false });
    answers['ghosts'] = { found: resource('ghosts') };
    await run.clock.advance(10_000);
    expect(run.found).toEqual(['ghosts.demo.example: a']);
  });

  it('are refused at once where several groups have them, all of them in one error', async () => {
    const two = (plural: string) => ({ ambiguous: [resource(plural, 'a.example'), resource(plural, 'b.example')] });
    const run = start([handler('a', { plural: 'nodes' }), handler('b', { plural: 'claims' })], {
      nodes: two('nodes'),
      claims: two('claims'),
    });
    await run.work;
    expect(run.state.error).toBeInstanceOf(ResourceAmbiguousError);
    expect(run.state.error).toMatchObject({ ambiguous: [{ resource: 'nodes' }, { resource: 'claims' }] });
    expect((run.state.error as Error).message).toContain('nodes.v1.a.example, nodes.v1.b.example');
  });

  it('are refused where they cannot be watched, or not be written and progress is kept', async () => {
    const run = start(
      [
        handler('a', { plural: 'widgets' }),
        handler('b', { plural: 'widgets' }, 'event'),
        handler('c', { plural: 'reviews' }, 'event'),
      ],
      {
        widgets: { found: resource('widgets', 'demo.example', ['list', 'watch']) },
        reviews: { found: resource('reviews', 'demo.example', ['create']) },
      },
    );
    await run.work;
    expect(run.state.error).toBeInstanceOf(ResourceUnsuitableError);
    expect(run.state.error).toMatchObject({
      unsuitable: [
        { resource: 'widgets.v1.demo.example', missingVerbs: ['patch'], handlers: ['Handlers.a'] },
        { resource: 'reviews.v1.demo.example', missingVerbs: ['list', 'watch'], handlers: ['Handlers.c'] },
      ],
    });
  });

  it('that discovery cannot tell of decide nothing until the time is up', async () => {
    const cause = new Error('the server is away');
    const run = start([handler('a', { plural: 'widgets' })], { widgets: { unavailable: cause } }, 'wait');
    await run.clock.advance(syncTimeout - 10_000);
    expect(run.state.error).toBeUndefined();
    await run.clock.advance(20_000);
    await run.work;
    expect(run.state.error).toBeInstanceOf(DiscoveryFailedError);
    expect(run.state.error).toMatchObject({ cause });
  });

  it('are no longer looked for once the operator stops', async () => {
    const run = start([handler('a', { plural: 'ghosts' })], {});
    await run.clock.advance(1_000);
    const reason = new Error('stop');
    run.stop.abort(reason);
    await run.work;
    expect(run.state.error).toBe(reason);
  });

  it('are served once, in the version that a name gives, however many names and selections lead to them', async () => {
    const v1 = resource('widgets');
    const v2 = { ...v1, version: 'v2' };
    const handlers = [
      handler('all', { everything: true }),
      handler('short', { name: 'w' }),
      handler('pinned', { plural: 'widgets', version: 'v1' }),
      handler('newest', { category: 'all', version: 'v2' }),
    ];
    const run = start(handlers, { w: { found: v2 }, 'widgets.v1': { found: v1 } }, 'fail', {
      everything: [v2, resource('gadgets')],
      'category all, version v2': [v2],
    });
    await run.work;
    expect(run.found).toEqual(['widgets.demo.example: all short pinned', 'gadgets.demo.example: all']);
  });

  it('are held back while a name that may be theirs is not found', async () => {
    const answers: Record<string, Resolution> = {};
    const widgets = { ...resource('widgets'), shortNames: ['w'] };
    const handlers = [handler('all', { everything: true }), handler('short', { name: 'w', group: 'demo.example' })];
    const run = start(handlers, answers, 'wait', { everything: [widgets, resource('gadgets')] });
    await run.clock.advance(1_000);
    expect(run.found).toEqual(['gadgets.demo.example: all']);
    answers['w.demo.example'] = { found: widgets };
    await run.clock.advance(10_000);
    expect(run.found).toEqual(['gadgets.demo.example: all', 'widgets.demo.example: all short']);
  });

  it('are left out of a selection where they do not allow what its handlers need', async () => {
    const handlers = [handler('keeps', { everything: true }), handler('looks', { category: 'all' }, 'event')];
    const kinds = [
      resource('widgets'),
      resource('reviews', 'demo.example', ['create']),
      resource('metrics', 'demo.example', ['list', 'watch']),
    ];
    const run = start(handlers, {}, 'fail', { everything: kinds, 'category all': kinds });
    await run.work;
    expect(run.found).toEqual(['widgets.demo.example: keeps looks', 'metrics.demo.example: looks']);
    expect(run.records.map(({ level, fields }) => [level, fields['resource'], fields['handler']])).toEqual([
      ['debug', 'reviews.v1.demo.example', 'Handlers.keeps'],
      ['debug', 'reviews.v1.demo.example', 'Handlers.looks'],
      ['warn', 'metrics.v1.demo.example', 'Handlers.keeps'],
    ]);
  });

  it('are refused where names give one two versions, or two handlers of one id, all in one error', async () => {
    const v1 = resource('widgets');
    const run = start(
      [
        handler('a', { plural: 'widgets', version: 'v1' }),
        handler('b', { kind: 'Widget', version: 'v2' }),
        handler('c', { plural: 'gadgets' }),
        { ...handler('c', { kind: 'Gadget' }), origin: 'Others.c' },
      ],
      {
        'widgets.v1': { found: v1 },
        'kind Widget, version v2': { found: { ...v1, version: 'v2' } },
        gadgets: { found: resource('gadgets') },
        'kind Gadget': { found: resource('gadgets') },
      },
    );
    await run.work;
    expect(run.state.error).toMatchObject({
      problems: [
        expect.stringMatching(/^widgets\.v1\.demo\.example \(for Handlers\.a\) and widgets\.v2.* in one version$/),
        expect.stringMatching(/^Handlers\.c and Others\.c have the same id "c" for gadgets\.v1\.demo\.example/),
      ],
    });
  });

  it('are not looked for on when a function that selects them throws, and the error says whose it is', async () => {
    const where = (): boolean => {
      throw new Error('mine');
    };
    const discovery: Pick<Discovery, 'resolve' | 'select'> = {
      resolve: () => Promise.resolve({ missing: true, served: [] }),
      select: (selector) => {
        selector.where?.(resource('widgets'));
        return Promise.resolve({ found: [], unavailable: [] });
      },
    };
    const logger = createLogger(() => undefined);
    const survey = new ResourceSurvey({ discovery, logger }, operatorDemands([handler('a', { where })]));
    const error = await survey.look(new AbortController().signal).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'OPERATOR_INVALID_HANDLERS',
      message: expect.stringMatching(/Handlers\.a: "where" .* threw for widgets\.v1\.demo\.example/) as string,
      cause: { message: 'mine' },
    });
  });

  it('that selections mean follow the news of definitions, without asking meanwhile', async () => {
    const selected: Record<string, readonly Resource[]> = { everything: [resource('widgets')] };
    const run = start([handler('all', { everything: true })], {}, 'fail', selected);
    run.news.following = true;
    await run.work;
    expect(run.news.needed).toBeGreaterThan(0);
    await run.tell();
    const looks = run.looks();
    await run.clock.advance(24 * 3_600_000);
    expect(run.looks()).toBe(looks);
    selected['everything'] = [{ ...resource('widgets'), version: 'v2' }, resource('gadgets')];
    await run.tell();
    expect(run.state.served).toEqual(['widgets.v2.demo.example', 'gadgets.v1.demo.example']);
    selected['everything'] = [resource('gadgets')];
    await run.tell();
    expect(run.state.served).toEqual(['gadgets.v1.demo.example']);
  });

  it('that selections mean are looked at every five minutes where definitions may not be watched', async () => {
    const selected: Record<string, readonly Resource[]> = { everything: [] };
    const run = start([handler('all', { everything: true })], {}, 'fail', selected);
    await run.work;
    selected['everything'] = [resource('widgets')];
    await run.clock.advance(299_000);
    expect(run.looks()).toBe(1);
    await run.clock.advance(2_000);
    expect(run.state.served).toEqual(['widgets.v1.demo.example']);
  });

  it('stay with what they were found to be, while it is away and when others come to have the name', async () => {
    const widgets = resource('widgets');
    const answers: Record<string, Resolution> = { w: { found: widgets }, 'widgets.demo.example': { found: widgets } };
    const run = start([handler('short', { name: 'w' }), handler('all', { category: 'all' })], answers, 'fail', {
      'category all': [widgets],
    });
    run.news.following = true;
    await run.work;
    answers['w'] = { ambiguous: [widgets, resource('wheels')] };
    await run.tell();
    expect(run.state).toMatchObject({ error: undefined, served: ['widgets.v1.demo.example'] });
    answers['widgets.demo.example'] = { missing: true, served: [] };
    await run.tell();
    await run.clock.advance(10 * syncTimeout);
    expect(run.state).toMatchObject({ error: undefined, served: ['widgets.v1.demo.example'] });
  });

  it('keep what they allow while they are being deleted', async () => {
    const answers: Record<string, Resolution> = { 'widgets.demo.example': { found: resource('widgets') } };
    const run = start([handler('a', { plural: 'widgets', group: 'demo.example' })], answers);
    run.news.following = true;
    await run.work;
    answers['widgets.demo.example'] = { found: resource('widgets', 'demo.example', ['list', 'watch']) };
    await run.tell();
    expect(run.state).toMatchObject({ error: undefined, served: ['widgets.v1.demo.example'] });
  });
});
