import {
  Controller,
  Inject,
  Injectable,
  Module,
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
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, REQUEST } from '@nestjs/core';
import { map, type Observable } from 'rxjs';
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
