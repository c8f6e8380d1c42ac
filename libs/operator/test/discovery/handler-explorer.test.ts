import { Controller, Injectable, Scope } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { describe, expect, it } from 'vitest';
import { OnCreate } from '../../src/decorators/on-create.decorator.js';
import { OnDelete } from '../../src/decorators/on-delete.decorator.js';
import { OnUpdate } from '../../src/decorators/on-update.decorator.js';
import { ResourceHandlers } from '../../src/decorators/resource-handlers.decorator.js';
import { originOf } from '../../src/discovery/discovered-method.js';
import { HandlerExplorer } from '../../src/discovery/handler.explorer.js';

async function explore(
  builder: TestingModuleBuilder,
): Promise<{ origins: string[]; lostOverrides: readonly string[] }> {
  const module = await builder.compile();
  const { methods, lostOverrides } = new HandlerExplorer(module.get(ModulesContainer)).explore();
  return { origins: methods.map(originOf), lostOverrides };
}

describe('the handler explorer', () => {
  it('finds providers of every scope, and controllers, in provider and source order', async () => {
    @ResourceHandlers('pods')
    class B {
      @OnUpdate()
      second(): void {}
      @OnCreate()
      first(): void {}
    }
    @ResourceHandlers('pods', { scope: Scope.REQUEST })
    class PerRequest {
      @OnCreate()
      one(): void {}
    }
    @ResourceHandlers('pods', { scope: Scope.TRANSIENT })
    class Transient {
      @OnCreate()
      two(): void {}
    }
    @Controller()
    @ResourceHandlers('pods')
    class Routes {
      @OnCreate()
      three(): void {}
    }
    class Made {
      @OnCreate({ resource: 'pods' })
      four(): void {}
    }
    const { origins } = await explore(
      Test.createTestingModule({
        providers: [
          B,
          PerRequest,
          Transient,
          { provide: 'MADE', useFactory: () => new Made() },
          { provide: 'VALUE', useValue: new Made() },
        ],
        controllers: [Routes],
      }),
    );
    expect(origins).toEqual([
      'B.second',
      'B.first',
      'PerRequest.one',
      'Transient.two',
      'Made.four',
      'Made.four',
      'Routes.three',
    ]);
  });

  it('skips aliases', async () => {
    @ResourceHandlers('pods')
    class Handlers {
      @OnCreate()
      ensure(): void {}
    }
    const { origins } = await explore(
      Test.createTestingModule({ providers: [Handlers, { provide: 'ALIAS', useExisting: Handlers }] }),
    );
    expect(origins).toEqual(['Handlers.ensure']);
  });

  it('looks at no accessor, and takes any value that a provider may be', async () => {
    @Injectable()
    class Trap {
      get trap(): never {
        throw new Error('The getter was called.');
      }
      @OnCreate({ resource: 'pods' })
      ensure(): void {}
    }
    const values = [null, undefined, 'text', 5, () => 1, Object.create(null) as object, [], new Map(), Symbol('s')];
    const providers = values.map((value, index) => ({ provide: `VALUE_${index}`, useFactory: () => value }));
    const { origins } = await explore(Test.createTestingModule({ providers: [...providers, Trap] }));
    expect(origins).toEqual(['Trap.ensure']);
  });

  it('follows inheritance: inherited, overridden with and without a decorator', async () => {
    abstract class Base {
      @OnCreate()
      inherited(): void {}
      @OnUpdate()
      again(): void {}
      @OnDelete()
      lost(): void {}
    }
    @ResourceHandlers('pods')
    class Handlers extends Base {
      @OnCreate({ retries: 1 })
      override again(): void {}
      override lost(): void {}
      @OnCreate()
      own(): void {}
    }
    const { origins, lostOverrides } = await explore(Test.createTestingModule({ providers: [Handlers] }));
    expect(origins).toEqual(['Handlers.again', 'Handlers.own', 'Handlers.inherited']);
    expect(lostOverrides).toEqual(['Handlers.lost']);
  });

  it('gives the class resource of an ancestor to an undecorated subclass', async () => {
    @ResourceHandlers('pods')
    class Base {
      @OnCreate()
      ensure(): void {}
    }
    @Injectable()
    class Sub extends Base {}
    const module = await Test.createTestingModule({ providers: [Sub] }).compile();
    const { methods } = new HandlerExplorer(module.get(ModulesContainer)).explore();
    expect(methods.map(({ className, classResource }) => [className, classResource])).toEqual([['Sub', 'pods']]);
  });

  it('finds nothing in a provider that a test has replaced by a plain value', async () => {
    @ResourceHandlers('pods')
    class Handlers {
      @OnCreate()
      ensure(): void {}
    }
    const builder = Test.createTestingModule({ providers: [Handlers] })
      .overrideProvider(Handlers)
      .useValue({ ensure: () => 1 });
    expect((await explore(builder)).origins).toEqual([]);
  });
});
