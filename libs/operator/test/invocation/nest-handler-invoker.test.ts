import {
  Controller,
  Inject,
  Injectable,
  Module,
  ParseIntPipe,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import {
  APP_FILTER,
  APP_GUARD,
  APP_INTERCEPTOR,
  APP_PIPE,
  ContextIdFactory,
  ModuleRef,
  ModulesContainer,
  REQUEST,
} from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { map, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { OnCreate } from '../../src/decorators/on-create.decorator.js';
import { OnStartup } from '../../src/decorators/on-startup.decorator.js';
import {
  Annotations,
  Diff,
  KubeContext,
  KubeObjectParam,
  Labels,
  Meta,
  Name,
  Namespace,
  New,
  Old,
  Spec,
  Status,
  Uid,
} from '../../src/decorators/parameter.decorators.js';
import { ResourceHandlers } from '../../src/decorators/resource-handlers.decorator.js';
import { HandlerExplorer } from '../../src/discovery/handler.explorer.js';
import { buildRegistry, type HandlerRegistry } from '../../src/discovery/handler.registry.js';
import { HandlerContext } from '../../src/engine/handling/handler-context.js';
import type { ActivityContext } from '../../src/engine/handling/handler-definition.js';
import { FatalError } from '../../src/errors/fatal.error.js';
import { ParameterUnavailableError } from '../../src/errors/parameter-unavailable.error.js';
import { NestHandlerInvoker } from '../../src/invocation/nest-handler-invoker.js';
import { isOperatorContext } from '../../src/invocation/operator-context.js';
import { containerOf } from '../../src/lifecycle/container-closer.js';

const object = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'one', namespace: 'team-a', uid: 'u1', labels: { app: 'x' }, annotations: { 'a.b/c': 'yes' } },
  spec: { size: '5', nested: { deep: 1 } },
  status: { ready: true },
};

/** What the engine hands over, as far as handlers here look at it. */
function contextOf(namespace = 'team-a'): HandlerContext {
  const meta = { ...object.metadata, namespace };
  const context = {
    object: { ...object, metadata: meta },
    meta,
    spec: object.spec,
    status: object.status,
    old: { spec: { size: '4' } },
    new: { spec: { size: '5' } },
    diff: [
      { operation: 'change', path: ['spec', 'size'], old: '4', new: '5' },
      { operation: 'add', path: ['metadata', 'labels', 'app'], old: undefined, new: 'x' },
    ],
  };
  return context as unknown as HandlerContext;
}

interface Harness {
  readonly registry: HandlerRegistry;
  invoke(id: string, context?: HandlerContext): Promise<unknown>;
  invokeActivity(id: string, context: ActivityContext): Promise<unknown>;
}

async function harness(metadata: Parameters<typeof Test.createTestingModule>[0], http = false): Promise<Harness> {
  const module = await Test.createTestingModule(metadata).compile();
  if (http) await module.createNestApplication({ logger: false }).init();
  const { methods } = new HandlerExplorer(module.get(ModulesContainer)).explore();
  const registry = buildRegistry(methods);
  const moduleRef = module.get(ModuleRef);
  const invoker = new NestHandlerInvoker(registry, containerOf(moduleRef), moduleRef);
  const byId = <T extends { readonly id: string }>(all: readonly T[], id: string): T => {
    const found = all.find((one) => one.id === id);
    if (found === undefined) throw new Error(`No handler has the id ${id}.`);
    return found;
  };
  return {
    registry,
    invoke: (id, context = contextOf()) => invoker.invoke(byId(registry.handlers, id), context),
    invokeActivity: (id, context) => invoker.invokeActivity(byId(registry.activities, id), context),
  };
}

describe('arguments', () => {
  it('are the context alone, without parameter decorators', async () => {
    @ResourceHandlers('pods')
    class Handlers {
      @OnCreate()
      plain(...args: unknown[]): unknown[] {
        return args;
      }
    }
    const context = contextOf();
    expect(await (await harness({ providers: [Handlers] })).invoke('plain', context)).toEqual([context]);
  });

  it('come from parameter decorators, with paths and pipes', async () => {
    @ResourceHandlers('pods')
    class Handlers {
      @OnCreate()
      all(
        @KubeContext() context: HandlerContext,
        @Name() name: string,
        @Namespace() namespace: string,
        @Uid() uid: string,
        @Spec() spec: unknown,
        @Spec('size', ParseIntPipe) size: number,
        @Spec(['nested', 'deep']) deep: number,
        @Spec('no.such.path') missing: unknown,
        @Status('ready') ready: boolean,
        @Meta('uid') metaUid: string,
        @Labels() labels: unknown,
        @Labels('app') app: string,
        @Annotations('a.b/c') annotation: string,
        @Old('spec.size') old: string,
        @New('spec.size') fresh: string,
        @Diff() diff: unknown[],
        @Diff('spec') specDiff: unknown[],
        @KubeObjectParam('kind') kind: string,
      ): unknown[] {
        return [
          context.meta.name,
          name,
          namespace,
          uid,
          spec,
          size,
          deep,
          missing,
          ready,
          metaUid,
          labels,
          app,
          annotation,
          old,
          fresh,
          diff.length,
          specDiff.length,
          kind,
        ];
      }
    }
    expect(await (await harness({ providers: [Handlers] })).invoke('all')).toEqual([
      'one',
      'one',
      'team-a',
      'u1',
      object.spec,
      5,
      1,
      undefined,
      true,
      'u1',
      { app: 'x' },
      'x',
      'yes',
      '4',
      '5',
      2,
      1,
      'Pod',
    ]);
  });

  it('do not reach into prototypes', async () => {
    @ResourceHandlers('pods')
    class Handlers {
      @OnCreate()
      proto(@Spec('constructor.name') name: unknown): unknown {
        return name;
      }
    }
    expect(await (await harness({ providers: [Handlers] })).invoke('proto')).toBeUndefined();
  });

  it('of a step are its own context; an object is not to be had there', async () => {
    @Injectable()
    class Steps {
      @OnStartup()
      plain(context: ActivityContext): number {
        return context.retry;
      }
      @OnStartup()
      decorated(@KubeContext() context: ActivityContext): number {
        return context.retry;
      }
      @OnStartup()
      wrong(@Spec() spec: unknown): unknown {
        return spec;
      }
    }
    const { invokeActivity } = await harness({ providers: [Steps] });
    const context = { retry: 4, signal: new AbortController().signal };
    expect(await invokeActivity('plain', context)).toBe(4);
    expect(await invokeActivity('decorated', context)).toBe(4);
    await expect(invokeActivity('wrong', context)).rejects.toBeInstanceOf(ParameterUnavailableError);
  });
});

describe('scopes', () => {
  it('static: one instance, with its dependencies', async () => {
    @Injectable()
    class Service {
      readonly value = 7;
    }
    let instances = 0;
    @ResourceHandlers('pods')
    class Handlers {
      constructor(@Inject(Service) private readonly service: Service) {
        instances += 1;
      }
      @OnCreate()
      value(): number {
        return this.service.value;
      }
    }
    const { invoke } = await harness({ providers: [Service, Handlers] });
    expect([await invoke('value'), await invoke('value'), instances]).toEqual([7, 7, 1]);
  });

  it('request: a new instance for each call, and REQUEST is the context', async () => {
    let instances = 0;
    @ResourceHandlers('pods', { scope: Scope.REQUEST })
    class Handlers {
      constructor(@Inject(REQUEST) private readonly request: HandlerContext) {
        instances += 1;
      }
      @OnCreate()
      same(context: HandlerContext): boolean {
        return this.request === context;
      }
    }
    const { invoke } = await harness({ providers: [Handlers] });
    expect([await invoke('same'), await invoke('same'), instances]).toEqual([true, true, 2]);
  });

  it('request by a dependency: the class is made anew as well', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class PerCall {
      constructor(@Inject(REQUEST) readonly request: HandlerContext) {}
    }
    @ResourceHandlers('pods')
    class Handlers {
      constructor(@Inject(PerCall) private readonly perCall: PerCall) {}
      @OnCreate()
      namespace(@Namespace() namespace: string): unknown[] {
        return [this.perCall.request.meta.namespace, namespace];
      }
    }
    const { invoke } = await harness({ providers: [PerCall, Handlers] });
    const all = await Promise.all(['a', 'b'].map((each) => invoke('namespace', contextOf(each))));
    expect(all).toEqual([
      ['a', 'a'],
      ['b', 'b'],
    ]);
  });

  it('transient: a real instance with its dependencies', async () => {
    @Injectable()
    class Service {
      readonly value = 7;
    }
    @ResourceHandlers('pods', { scope: Scope.TRANSIENT })
    class Handlers {
      constructor(@Inject(Service) private readonly service: Service) {}
      @OnCreate()
      value(): number {
        return this.service.value;
      }
    }
    const { invoke } = await harness({ providers: [Service, Handlers] });
    expect([await invoke('value'), await invoke('value')]).toEqual([7, 7]);
  });

  it('durable: one per tenant of the context id strategy', async () => {
    const built: string[] = [];
    @Injectable({ scope: Scope.REQUEST, durable: true })
    class PerNamespace {
      constructor(@Inject(REQUEST) payload: { readonly namespace: string }) {
        built.push(payload.namespace);
      }
    }
    @ResourceHandlers('pods')
    class Handlers {
      constructor(@Inject(PerNamespace) readonly service: PerNamespace) {}
      @OnCreate()
      touch(): boolean {
        return this.service instanceof PerNamespace;
      }
    }
    const parents = new Map<string, { readonly id: number }>();
    const strategy = ContextIdFactory as unknown as { strategy?: unknown };
    ContextIdFactory.apply({
      attach: (contextId, request: HandlerContext) => {
        const namespace = String(request.meta.namespace);
        const parent = parents.get(namespace) ?? { id: parents.size + 1 };
        parents.set(namespace, parent);
        return { resolve: (info) => (info.isTreeDurable ? parent : contextId), payload: { namespace } };
      },
    });
    try {
      const { invoke } = await harness({ providers: [PerNamespace, Handlers] });
      for (const namespace of ['a', 'b', 'a']) expect(await invoke('touch', contextOf(namespace))).toBe(true);
    } finally {
      strategy.strategy = undefined;
    }
    expect(built).toEqual(['a', 'b']);
  });
});

describe('enhancers', () => {
  const seen: string[] = [];

  @Injectable()
  class Dependency {
    readonly name = 'dependency';
  }

  @Injectable()
  class LocalGuard implements CanActivate {
    constructor(@Inject(Dependency) private readonly dependency: Dependency) {}
    canActivate(context: ExecutionContext): boolean {
      seen.push(`guard ${this.dependency.name} ${context.getClass().name}.${context.getHandler().name}`);
      return isOperatorContext(context) && context.getArgByIndex<HandlerContext>(0).meta.name === 'one';
    }
  }

  @Injectable()
  class Wrapping implements NestInterceptor {
    intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
      seen.push(`interceptor ${context.getType()}`);
      return next.handle().pipe(map((value: unknown) => ({ wrapped: value })));
    }
  }

  @Injectable()
  class Upper implements PipeTransform {
    transform(value: unknown): unknown {
      return typeof value === 'string' ? value.toUpperCase() : value;
    }
  }

  class Refuse implements CanActivate, NestInterceptor, PipeTransform, ExceptionFilter {
    canActivate(): boolean {
      throw new Error('A global guard ran.');
    }
    intercept(): never {
      throw new Error('A global interceptor ran.');
    }
    transform(): never {
      throw new Error('A global pipe ran.');
    }
    catch(): string {
      return 'swallowed by a global filter';
    }
  }

  class Swallow implements ExceptionFilter {
    catch(_error: unknown, _host: ArgumentsHost): string {
      return 'swallowed';
    }
  }

  it('of class and method apply', async () => {
    @ResourceHandlers('pods')
    @UseGuards(LocalGuard)
    @UseInterceptors(Wrapping)
    class Handlers {
      @OnCreate()
      @UsePipes(Upper)
      name(@Name() name: string): string {
        return name;
      }
    }
    seen.length = 0;
    const { invoke } = await harness({ providers: [Handlers, Dependency] });
    expect(await invoke('name')).toEqual({ wrapped: 'ONE' });
    expect(seen).toEqual(['guard dependency Handlers.name', 'interceptor operator']);
  });

  it('of a controller apply, with injected dependencies', async () => {
    @Controller()
    @ResourceHandlers('pods')
    @UseGuards(LocalGuard)
    class Routes {
      @OnCreate()
      name(@Name() name: string): string {
        return name;
      }
    }
    seen.length = 0;
    const { invoke } = await harness({ controllers: [Routes], providers: [Dependency] });
    expect(await invoke('name')).toBe('one');
    expect(seen).toEqual(['guard dependency Routes.name']);
  });

  it('of a class that two modules provide come from its own module', async () => {
    const module = (name: string, resource: string): Type => {
      @ResourceHandlers(resource)
      class Handlers {
        @OnCreate({ id: name })
        @UseGuards(LocalGuard)
        call(): string {
          return name;
        }
      }
      @Module({ providers: [Handlers, { provide: Dependency, useValue: { name } }] })
      class Feature {}
      return Feature;
    };
    seen.length = 0;
    const { invoke } = await harness({ imports: [module('left', 'pods'), module('right', 'services')] });
    expect([await invoke('left'), await invoke('right')]).toEqual(['left', 'right']);
    expect(seen).toEqual(['guard left Handlers.call', 'guard right Handlers.call']);
  });

  it('of request scope work on a static class', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class PerCallGuard implements CanActivate {
      constructor(@Inject(REQUEST) private readonly request: HandlerContext) {}
      canActivate(): boolean {
        seen.push(`per call ${this.request.meta.namespace}`);
        return true;
      }
    }
    @ResourceHandlers('pods')
    class Handlers {
      @OnCreate()
      @UseGuards(PerCallGuard)
      call(): number {
        return 1;
      }
    }
    seen.length = 0;
    const { invoke } = await harness({ providers: [Handlers] });
    expect([await invoke('call', contextOf('a')), await invoke('call', contextOf('b'))]).toEqual([1, 1]);
    expect(seen).toEqual(['per call a', 'per call b']);
  });

  it('that refuse make the call fail', async () => {
    @ResourceHandlers('pods')
    class Handlers {
      @OnCreate()
      @UseGuards({ canActivate: () => false })
      call(): number {
        return 1;
      }
    }
    const { invoke } = await harness({ providers: [Handlers] });
    await expect(invoke('call')).rejects.toThrow(/Forbidden/);
  });

  it('of the whole application do not apply', async () => {
    @ResourceHandlers('pods')
    class Handlers {
      @OnCreate()
      name(@Name() name: string): string {
        return name;
      }
      @OnCreate()
      fail(): never {
        throw new FatalError('The end.');
      }
    }
    const globals = [APP_GUARD, APP_INTERCEPTOR, APP_PIPE, APP_FILTER].map((provide) => ({
      provide,
      useClass: Refuse,
    }));
    const { invoke } = await harness({ providers: [Handlers, ...globals] }, true);
    expect(await invoke('name')).toBe('one');
    await expect(invoke('fail')).rejects.toBeInstanceOf(FatalError);
  });

  it('never include exception filters, not even local ones', async () => {
    @ResourceHandlers('pods')
    @UseFilters(Swallow)
    class Handlers {
      @OnCreate()
      @UseFilters(Swallow)
      fail(): never {
        throw new FatalError('The end.');
      }
    }
    const { invoke } = await harness({ providers: [Handlers] });
    await expect(invoke('fail')).rejects.toBeInstanceOf(FatalError);
  });
});
