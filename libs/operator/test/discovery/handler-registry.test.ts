import { Controller, Get, Injectable, Module, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from 'vitest';
import { CustomResource } from '../../src/decorators/custom-resource.decorator.js';
import { KubeObject } from '../../src/decorators/kube-object.js';
import { Daemon } from '../../src/decorators/daemon.decorator.js';
import { ObjectIndex } from '../../src/decorators/object-index.decorator.js';
import { Timer } from '../../src/decorators/timer.decorator.js';
import { defineIndex } from '../../src/indexes/define-index.js';
import { OnCleanup } from '../../src/decorators/on-cleanup.decorator.js';
import { OnCreate } from '../../src/decorators/on-create.decorator.js';
import { OnDelete } from '../../src/decorators/on-delete.decorator.js';
import { OnField } from '../../src/decorators/on-field.decorator.js';
import { OnReconcile } from '../../src/decorators/on-reconcile.decorator.js';
import { OnResume } from '../../src/decorators/on-resume.decorator.js';
import { OnStartup } from '../../src/decorators/on-startup.decorator.js';
import { OnUpdate } from '../../src/decorators/on-update.decorator.js';
import { OnWatchEvent } from '../../src/decorators/on-watch-event.decorator.js';
import { ResourceHandlers } from '../../src/decorators/resource-handlers.decorator.js';
import { HandlerExplorer, type Exploration } from '../../src/discovery/handler.explorer.js';
import { buildRegistry, type HandlerRegistry } from '../../src/discovery/handler.registry.js';
import { ABSENT, PRESENT } from '../../src/engine/handling/handler-definition.js';
import { InvalidDurationError } from '../../src/errors/invalid-duration.error.js';
import { InvalidHandlersError } from '../../src/errors/invalid-handlers.error.js';
import { TemporaryError } from '../../src/errors/temporary.error.js';

@CustomResource({ group: 'demo.example', version: 'v1', kind: 'Widget', plural: 'widgets', scope: 'Namespaced' })
class Widget extends KubeObject {}

const widgets = { group: 'demo.example', version: 'v1', plural: 'widgets' };
const defaults = { errors: 'temporary', abortOnChange: false, result: 'merge' };

async function explore(...classes: Type[]): Promise<Exploration> {
  const module = await Test.createTestingModule({ providers: classes }).compile();
  return new HandlerExplorer(module.get(ModulesContainer)).explore();
}

async function registryOf(...classes: Type[]): Promise<HandlerRegistry> {
  return buildRegistry((await explore(...classes)).methods);
}

async function problemsOf(...classes: Type[]): Promise<readonly string[]> {
  const { methods } = await explore(...classes);
  try {
    buildRegistry(methods);
  } catch (error) {
    if (error instanceof InvalidHandlersError) return error.problems;
    throw error;
  }
  return [];
}

describe('the handler registry', () => {
  it('makes one handler of one method, with a trigger for each decorator', async () => {
    const when = (): boolean => true;
    const asHandlerError = (error: unknown): unknown => error;
    @ResourceHandlers(Widget)
    class Handlers {
      @OnCreate({ labels: { app: 'x', tier: PRESENT }, annotations: { off: ABSENT }, when })
      @OnUpdate({ field: 'spec.size', old: 1, new: 2, retries: 3, timeout: '10s', giveUpAfter: '1h' })
      @OnResume({ deleted: true, value: null, field: ['metadata', 'labels', 'a.b'], asHandlerError })
      ensure(): void {}

      @OnField({ field: 'spec', abortOnChange: true, result: 'byHandler', errors: 'permanent' })
      field(): void {}

      @OnDelete({ id: 'remove-it', onGiveUp: 'hold' })
      remove(): void {}

      @OnDelete({ optional: true })
      forget(): void {}

      @OnWatchEvent()
      event(): void {}

      @OnReconcile({ finalizer: true })
      reconcile(): void {}
    }
    const { handlers } = await registryOf(Handlers);
    expect(handlers).toEqual([
      {
        id: 'ensure',
        origin: 'Handlers.ensure',
        resource: widgets,
        triggers: [
          { on: 'create', filter: { labels: { app: 'x', tier: PRESENT }, annotations: { off: ABSENT }, when } },
          { on: 'update', filter: { field: ['spec', 'size'], old: 1, new: 2 } },
          { on: 'resume', deleted: true, filter: { field: ['metadata', 'labels', 'a.b'], value: null } },
        ],
        policy: { ...defaults, retries: 3, timeout: 10_000, giveUpAfter: 3_600_000, asHandlerError },
      },
      {
        id: 'field',
        origin: 'Handlers.field',
        resource: widgets,
        triggers: [{ on: 'field', filter: { field: ['spec'] } }],
        policy: { errors: 'permanent', abortOnChange: true, result: 'byHandler' },
      },
      {
        id: 'remove-it',
        origin: 'Handlers.remove',
        resource: widgets,
        triggers: [{ on: 'delete', filter: {}, optional: false, onGiveUp: 'hold' }],
        policy: defaults,
      },
      {
        id: 'forget',
        origin: 'Handlers.forget',
        resource: widgets,
        triggers: [{ on: 'delete', filter: {}, optional: true, onGiveUp: 'release' }],
        policy: defaults,
      },
      {
        id: 'event',
        origin: 'Handlers.event',
        resource: widgets,
        triggers: [{ on: 'event', filter: {} }],
        policy: defaults,
      },
      {
        id: 'reconcile',
        origin: 'Handlers.reconcile',
        resource: widgets,
        triggers: [{ on: 'reconcile', filter: {}, finalizer: true, mapped: [] }],
        policy: defaults,
      },
    ]);
  });

  it('computes back-offs of all four forms', async () => {
    @ResourceHandlers(Widget)
    class Handlers {
      @OnCreate({ backoff: '5s' })
      fixed(): void {}
      @OnCreate({ backoff: { initial: '1s', factor: 3, cap: '10s' } })
      growing(): void {}
      @OnCreate({ backoff: (failures) => `${failures}m` })
      computed(): void {}
      @OnCreate({ backoff: ['1s', 5_000, '1m'] })
      listed(): void {}
    }
    const { handlers } = await registryOf(Handlers);
    const delays = handlers.map(({ policy }) => [1, 2, 3, 400].map((failures) => policy.backoff?.(failures)));
    expect(delays).toEqual([
      [5_000, 5_000, 5_000, 5_000],
      [1_000, 3_000, 9_000, 10_000],
      [60_000, 120_000, 180_000, 24_000_000],
      [1_000, 5_000, 60_000, 60_000],
    ]);
  });

  it('reads timers, daemons, indexes and mapped resources', async () => {
    const map = (): string[] => ['ns/a'];
    const token = defineIndex<string, number>('bySize');
    @ResourceHandlers(Widget)
    class Handlers {
      @Timer({ interval: '20m', sharp: true, idle: '5s', initialDelay: '1s', finalizer: true })
      tick(): void {}
      @Timer({ interval: '10s', initialDelay: ({ meta }) => meta.name.length, jitter: '3s' })
      jittered(): void {}
      @Daemon({ restart: 'always', cancellationBackoff: '1s', cancellationTimeout: '2s' })
      live(): void {}
      @ObjectIndex(token)
      bySize(): Map<string, number> {
        return new Map();
      }
      @ObjectIndex()
      plain(): undefined {}
      @OnReconcile({
        owns: ['configmaps', { resource: 'secrets', controller: false }],
        watches: [{ resource: 'nodes', map }],
      })
      level(): void {}
    }
    const { handlers } = await registryOf(Handlers);
    const triggers = handlers.map(({ triggers: [trigger] }) => trigger);
    expect(triggers.slice(0, 5)).toEqual([
      {
        on: 'timer',
        filter: {},
        finalizer: true,
        schedule: { interval: 1_200_000, sharp: true, idle: 5_000, initialDelay: 1_000, jitter: 60_000 },
      },
      {
        on: 'timer',
        filter: {},
        finalizer: false,
        schedule: {
          interval: 10_000,
          sharp: false,
          idle: undefined,
          initialDelay: expect.any(Function) as unknown,
          jitter: 3_000,
        },
      },
      {
        on: 'daemon',
        filter: {},
        initialDelay: 0,
        jitter: 0,
        restart: 'always',
        cancellation: { cancellationBackoff: 1_000, cancellationTimeout: 2_000, cancellationPolling: 60_000 },
        finalizer: true,
      },
      { on: 'index', filter: {}, index: 'bySize' },
      { on: 'index', filter: {}, index: 'plain' },
    ]);
    const [reconcile] = handlers.at(-1)?.triggers ?? [];
    const mapped = reconcile?.on === 'reconcile' ? reconcile.mapped : [];
    expect(mapped.map(({ resource }) => resource.name)).toEqual(['configmaps', 'secrets', 'nodes']);
  });

  it('[TC-72] refuses delays that are none, by name, and takes those of months', async () => {
    const bad = [Number.NaN, -1, Infinity];
    const problems: string[] = [];
    for (const value of bad) {
      @ResourceHandlers(Widget)
      class Handlers {
        @Timer({ interval: value })
        interval(): void {}
        @Timer({ initialDelay: value })
        initialDelay(): void {}
        @OnCreate({ timeout: value })
        timeout(): void {}
        @OnUpdate({ giveUpAfter: value })
        giveUpAfter(): void {}
        @OnUpdate({ backoff: value })
        backoff(): void {}
      }
      const found = await problemsOf(Handlers);
      for (const name of ['interval', 'initialDelay', 'timeout', 'giveUpAfter', 'backoff']) {
        const own = found.filter((problem) => problem.startsWith(`Handlers.${name}: `));
        expect(own, `${name}: ${value}`).toHaveLength(1);
        expect(own[0]).toContain(`"${name}"`);
        expect(own[0]).toContain(String(value));
      }
      problems.push(...found);
      expect(() => new TemporaryError('later', { delay: value })).toThrow(InvalidDurationError);
    }
    expect(problems).toHaveLength(15);

    @ResourceHandlers(Widget)
    class Zero {
      @Timer({ interval: 0 })
      endless(): void {}
      @Timer({ initialDelay: 0 })
      atOnce(): void {}
      @OnCreate({ backoff: 0 })
      again(): void {}
    }
    expect(await problemsOf(Zero)).toEqual([expect.stringMatching(/^Zero\.endless: .*"interval" is 0/)]);
    expect(new TemporaryError('now', { delay: 0 }).delay).toBe(0);

    @ResourceHandlers(Widget)
    class Months {
      @Timer({ interval: '30d', initialDelay: '60d' })
      timer(): void {}
      @OnCreate({ timeout: '365d', backoff: '40d' })
      create(): void {}
    }
    expect(await problemsOf(Months)).toEqual([]);
  });

  it('names what is wrong with timers, daemons, indexes and mapped resources', async () => {
    @ResourceHandlers(Widget)
    class Handlers {
      @Timer({ interval: 0 })
      endless(): void {}
      @Timer({ sharp: true })
      sharp(): void {}
      @Timer({ interval: 1 })
      @Timer({ interval: 2 })
      twice(): void {}
      @Daemon({ cancellationPolling: 0, restart: 'sometimes' as never })
      daemon(): void {}
      @Daemon()
      @OnCreate()
      shared(): void {}
      @OnReconcile({ owns: ['Not A Resource'], watches: [{ resource: 'nodes' } as never] })
      level(): void {}
      @OnCreate({ backoff: [], formerIds: 'old' as never })
      create(): void {}
      @OnCreate({ backoff: { initial: 1, jitter: 2 } })
      jitter(): void {}
    }
    const problems = await problemsOf(Handlers);
    for (const part of [
      'endless: @Timer(): option "interval" is 0',
      'sharp: @Timer(): option "sharp" needs "interval"',
      'twice: two @Timer() on one method',
      'daemon: @Daemon(): option "cancellationPolling" is 0',
      'daemon: @Daemon(): option "restart" is none of "never", "onChange", "always"',
      'shared: @Daemon() and @OnCreate() cannot share a method',
      'level: @OnReconcile(): option "owns"',
      'level: @OnReconcile(): an entry of option "watches" has no function "map"',
      'create: option "backoff" is an empty list',
      'create: option "formerIds" is not a list of texts',
      'jitter: option "backoff.jitter" is no number from 0 to 1',
    ]) {
      expect(problems).toContainEqual(expect.stringContaining(part));
    }
    expect(problems).toHaveLength(11);
  });

  it('takes the resource from the decorator before the class, and without a class decorator', async () => {
    @Injectable()
    class Handlers {
      @OnCreate({ resource: 'pods' })
      pod(): void {}
      @OnUpdate({ resource: Widget })
      widget(): void {}
    }
    @ResourceHandlers(Widget)
    class Mixed {
      @OnCreate({ resource: { plural: 'services', group: '' } })
      service(): void {}
    }
    const { handlers } = await registryOf(Handlers, Mixed);
    expect(handlers.map(({ resource }) => resource)).toEqual([
      { name: 'pods' },
      widgets,
      { plural: 'services', group: '' },
    ]);
  });

  it('keeps start-up and clean-up steps apart from handlers', async () => {
    @Injectable()
    class Steps {
      @OnStartup({ retries: 2, timeout: '1s' })
      warm(): void {}
      @OnStartup()
      @OnCleanup({ id: 'both' })
      both(): void {}
    }
    const { handlers, activities } = await registryOf(Steps);
    expect(handlers).toEqual([]);
    expect(activities).toEqual([
      { id: 'warm', origin: 'Steps.warm', on: 'startup', policy: { retries: 2, timeout: 1_000 } },
      { id: 'both', origin: 'Steps.both', on: 'startup', policy: {} },
      { id: 'both', origin: 'Steps.both', on: 'cleanup', policy: {} },
    ]);
  });

  it('allows the same id for different resources', async () => {
    @Injectable()
    class Handlers {
      @OnCreate({ resource: 'pods', id: 'same' })
      pod(): void {}
      @OnCreate({ resource: 'services', id: 'same' })
      service(): void {}
    }
    expect((await registryOf(Handlers)).handlers).toHaveLength(2);
  });

  it('lists every problem of every class in one error', async () => {
    @ResourceHandlers(Widget)
    class Contradictory {
      @OnUpdate({ field: 'spec.size', value: 1, old: 2 })
      valueAndOld(): void {}
      @OnUpdate({ old: 2 })
      oldWithoutField(): void {}
      @OnCreate({ value: 2 })
      valueWithoutField(): void {}
      @OnUpdate({ field: 'spec..size' })
      badPath(): void {}
      @OnDelete({ optional: true, onGiveUp: 'hold' })
      nothingToHold(): void {}
      @OnCreate({ retries: 0, timeout: 'soon', giveUpAfter: -1, errors: 'odd' as 'ignored' })
      badPolicy(): void {}
      @OnCreate({ retries: 1 })
      @OnUpdate({ retries: 2 })
      twoPolicies(): void {}
      @OnCreate({ id: 'a' })
      @OnUpdate({ id: 'b' })
      twoIds(): void {}
      @OnCreate()
      @OnUpdate({ resource: 'pods' })
      twoResources(): void {}
      @OnReconcile()
      @OnCreate()
      reconcileAndCreate(): void {}
      @OnStartup()
      @OnCreate()
      startupAndCreate(): void {}
      @OnCreate({ retry: 5 } as object)
      unknownOption(): void {}
      @OnCreate({ labels: { app: 5 as unknown as string }, when: 'yes' as unknown as () => boolean })
      badFilters(): void {}
      @OnCreate({ id: ' ' })
      badId(): void {}
    }
    @Injectable()
    class Homeless {
      @OnCreate()
      noResource(): void {}
      @OnCreate({ resource: 'Not A Resource' })
      badResource(): void {}
      @OnUpdate({ resource: 'secrets', field: 'data.key', old: 'x' })
      secretOld(): void {}
      @OnUpdate({ resource: 'secrets', field: 'data.key', new: 'x' })
      secretNew(): void {}
    }
    @Controller('widgets')
    class Route {
      @Get()
      @OnCreate({ resource: 'pods' })
      both(): void {}
    }
    const problems = await problemsOf(Contradictory, Homeless, Route);
    const expected = [
      /^Contradictory\.valueAndOld: @OnUpdate\(\): options "value" and "old" or "new" contradict/,
      /^Contradictory\.oldWithoutField: @OnUpdate\(\): option "old" needs "field"/,
      /^Contradictory\.valueWithoutField: @OnCreate\(\): option "value" needs "field"/,
      /^Contradictory\.badPath: @OnUpdate\(\): option "field" is neither/,
      /^Contradictory\.nothingToHold: @OnDelete\(\): "optional" asks for no finalizer/,
      /^Contradictory\.badPolicy: option "timeout": "soon" is not a duration/,
      /^Contradictory\.badPolicy: option "giveUpAfter": -1 is not a duration/,
      /^Contradictory\.badPolicy: option "retries" counts attempts/,
      /^Contradictory\.badPolicy: option "errors" is none of/,
      /^Contradictory\.twoPolicies: stacked decorators give option "retries" different values/,
      /^Contradictory\.twoIds: stacked decorators give the ids a, b/,
      /^Contradictory\.twoResources: its decorators name the resources widgets\.v1\.demo\.example and pods/,
      /^Contradictory\.reconcileAndCreate: @OnReconcile\(\) and @OnCreate\(\) cannot share a method/,
      /^Contradictory\.startupAndCreate: @OnStartup\(\) and @OnCreate\(\) cannot share a method/,
      /^Contradictory\.unknownOption: @OnCreate\(\) has no option "retry"; it has resource, /,
      /^Contradictory\.badFilters: @OnCreate\(\): option "when" is not a function/,
      /^Contradictory\.badFilters: @OnCreate\(\): option "labels": "app" must match/,
      /^Contradictory\.badId: its id " " is not a text/,
      /^Homeless\.noResource: @OnCreate\(\) has no resource/,
      /^Homeless\.badResource: @OnCreate\(\): "Not A Resource" is not a resource/,
      /^Homeless\.secretOld: @OnUpdate\(\): option "old" cannot work for Secrets/,
      /^Route\.both: the method is also an HTTP route/,
    ];
    for (const pattern of expected) expect(problems).toContainEqual(expect.stringMatching(pattern));
    expect(problems).toHaveLength(expected.length);
  });

  it('names both places of a duplicate id, however they name the resource', async () => {
    @Injectable()
    class One {
      @OnCreate({ resource: 'pods' })
      ensure(): void {}
    }
    @Injectable()
    class Two {
      @OnUpdate({ resource: { plural: 'pods', group: '', version: 'v1' } })
      ensure(): void {}
    }
    const problems = await problemsOf(One, Two);
    expect(problems).toEqual([
      expect.stringMatching(/One\.ensure .*and Two\.ensure .*have the same id "ensure" for pods\.v1; give one of them/),
    ]);
  });

  it('takes what is selected without a name for any resource of its group, where ids have to differ', async () => {
    @Injectable()
    class One {
      @OnCreate({ resource: { group: 'demo.example' } })
      ensure(): void {}
    }
    @Injectable()
    class Two {
      @OnCreate({ resource: Widget })
      ensure(): void {}
    }
    @Injectable()
    class Three {
      @OnCreate({ resource: { category: 'all', group: 'other.example' } })
      ensure(): void {}
    }
    expect(await problemsOf(One, Two, Three)).toEqual([
      expect.stringMatching(
        /^One\.ensure .*and Two\.ensure .*have the same id "ensure" for widgets\.v1\.demo\.example/,
      ),
    ]);
  });

  it('reports one resource in two versions, and stacked decorators with selectors that differ', async () => {
    const where = (): boolean => true;
    @Injectable()
    class One {
      @OnCreate({ resource: 'widgets.v2.demo.example' })
      first(): void {}
      @OnCreate({ resource: { group: 'demo.example', where } })
      @OnUpdate({ resource: { group: 'demo.example', where } })
      same(): void {}
      @OnCreate({ resource: { where } })
      @OnUpdate({ resource: { where: () => true } })
      other(): void {}
    }
    @Injectable()
    class Two {
      @OnCreate({ resource: Widget })
      second(): void {}
    }
    expect(await problemsOf(One, Two)).toEqual([
      expect.stringMatching(/^One\.other: its decorators name the resources where a function and where/),
      expect.stringMatching(/^One\.first .*and Two\.second .*two versions of one resource/),
    ]);
  });

  it('reports a class that two modules provide, naming the modules', async () => {
    @ResourceHandlers(Widget)
    class Handlers {
      @OnCreate()
      ensure(): void {}
    }
    @Module({ providers: [Handlers] })
    class Left {}
    @Module({ providers: [Handlers] })
    class Right {}
    const module = await Test.createTestingModule({ imports: [Left, Right] }).compile();
    const { methods } = new HandlerExplorer(module.get(ModulesContainer)).explore();
    expect(() => buildRegistry(methods)).toThrow(/Handlers\.ensure \(of Left\) and Handlers\.ensure \(of Right\)/);
  });

  it('takes one store of records for each resource, and only those that there are', async () => {
    @ResourceHandlers(Widget, { store: 'status' })
    class InStatus {
      @OnCreate()
      one(): void {}
    }
    @ResourceHandlers(Widget)
    class Anywhere {
      @OnCreate()
      two(): void {}
    }
    @ResourceHandlers('widgets', { store: 'annotations' })
    class InAnnotations {
      @OnCreate()
      three(): void {}
    }
    @ResourceHandlers('pods', { store: 'postgres' })
    class InPostgres {
      @OnCreate()
      four(): void {}
    }
    const { handlers } = await registryOf(InStatus, Anywhere);
    expect(handlers.map(({ store }) => store)).toEqual(['status', undefined]);
    expect(await problemsOf(InStatus, InAnnotations, InPostgres)).toEqual([
      'InStatus.one and InAnnotations.three keep records of widgets in "status" and "annotations"; give their classes the same store',
      'InPostgres.four: its class names the record store "postgres"; there are "annotations", "status", "both"',
    ]);
    const { methods } = await explore(InPostgres);
    expect(buildRegistry(methods, ['postgres']).handlers[0]?.store).toBe('postgres');
  });
});
