import {
  Controller,
  Inject,
  Injectable,
  Module,
  Scope,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type INestApplication,
  type NestInterceptor,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, REQUEST } from '@nestjs/core';
import { map, tap, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { OnCreate } from '../../src/decorators/on-create.decorator.js';
import { Name } from '../../src/decorators/parameter.decorators.js';
import { ResourceHandlers } from '../../src/decorators/resource-handlers.decorator.js';
import { HandlerContext } from '../../src/engine/handling/handler-context.js';
import { FatalError } from '../../src/errors/fatal.error.js';
import { isOperatorContext } from '../../src/invocation/operator-context.js';
import { contextOf, harness } from './support/invoker-harness.js';

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

  it('of the whole application apply when asked for, outermost', async () => {
    const order: string[] = [];
    const marking = (name: string): CanActivate & NestInterceptor & PipeTransform => ({
      canActivate: (): boolean => order.push(`${name} guard`) > 0,
      intercept: (_context: ExecutionContext, next: CallHandler): Observable<unknown> => {
        order.push(`${name} interceptor`);
        return next.handle().pipe(tap(() => order.push(`${name} interceptor again`)));
      },
      transform: (value: unknown): unknown => {
        order.push(`${name} pipe`);
        return value;
      },
    });
    @ResourceHandlers('pods')
    @UseGuards(marking('class'))
    @UseInterceptors(marking('class'))
    @UsePipes(marking('class'))
    class Handlers {
      @OnCreate()
      @UseGuards(marking('method'))
      @UseInterceptors(marking('method'))
      @UsePipes(marking('method'))
      name(@Name(marking('parameter')) name: string): string {
        order.push('handler');
        return name;
      }
    }
    const provided = [APP_GUARD, APP_INTERCEPTOR, APP_PIPE].map((provide) => ({ provide, useValue: marking('APP_*') }));
    const used = (app: INestApplication): void =>
      void app
        .useGlobalGuards(marking('useGlobal'))
        .useGlobalInterceptors(marking('useGlobal'))
        .useGlobalPipes(marking('useGlobal'));
    const { invoke } = await harness({ providers: [Handlers, ...provided] }, used, true);
    expect(await invoke('name')).toBe('one');
    expect(order).toEqual([
      'APP_* guard',
      'useGlobal guard',
      'class guard',
      'method guard',
      'APP_* interceptor',
      'useGlobal interceptor',
      'class interceptor',
      'method interceptor',
      'APP_* pipe',
      'useGlobal pipe',
      'class pipe',
      'method pipe',
      'parameter pipe',
      'handler',
      'method interceptor again',
      'class interceptor again',
      'useGlobal interceptor again',
      'APP_* interceptor again',
    ]);
  });

  it('of the whole application and of request scope apply when asked for, made for each call', async () => {
    let made = 0;
    @Injectable({ scope: Scope.REQUEST })
    class PerCallGuard implements CanActivate {
      constructor(@Inject(REQUEST) private readonly request: HandlerContext) {
        made += 1;
      }
      canActivate(): boolean {
        return this.request.meta.namespace !== 'refused';
      }
    }
    @ResourceHandlers('pods')
    class Handlers {
      @OnCreate()
      call(): string {
        return 'called';
      }
    }
    const metadata = { providers: [Handlers, { provide: APP_GUARD, useClass: PerCallGuard }] };
    const { invoke } = await harness(metadata, true, true);
    expect([await invoke('call', contextOf('a')), await invoke('call', contextOf('b'))]).toEqual(['called', 'called']);
    await expect(invoke('call', contextOf('refused'))).rejects.toThrow(/Forbidden/);
    expect(made).toBe(3);
  });
});
