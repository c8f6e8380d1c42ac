import { Controller, Injectable, Scope } from '@nestjs/common';
import type { V1Pod, V1Secret } from '@kubernetes/client-node';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { CustomResource } from '../../src/decorators/custom-resource.decorator.js';
import { KubeObject } from '../../src/decorators/kube-object.js';
import { classResource, ResourceHandlers } from '../../src/decorators/resource-handlers.decorator.js';
import type { Stored } from '../../src/decorators/stored.js';
import { HandlerContext } from '../../src/engine/handling/handler-context.js';
import type { ObjectMeta } from '../../src/engine/kube-object.js';

@CustomResource({ group: 'demo.example', version: 'v1', kind: 'Widget', plural: 'widgets', scope: 'Namespaced' })
class Widget extends KubeObject<{ size: number }, { ready: boolean }> {}

@CustomResource({ group: 'demo.example', version: 'v1', kind: 'Gadget', plural: 'gadgets', scope: 'Cluster' })
class Gadget extends KubeObject<{ color: string }> {}

const scopeOf = (target: object): unknown => Reflect.getMetadata('scope:options', target);

describe('@ResourceHandlers', () => {
  it('makes an injectable class of a scope', () => {
    @ResourceHandlers(Widget, { scope: Scope.REQUEST, durable: true })
    class Handlers {}
    expect(Reflect.getMetadata('__injectable__', Handlers)).toBe(true);
    expect(scopeOf(Handlers)).toMatchObject({ scope: Scope.REQUEST, durable: true });
    expect(classResource(Handlers)).toBe(Widget);
  });

  it('keeps the scope that @Injectable or @Controller gives', () => {
    @ResourceHandlers(Widget)
    @Injectable({ scope: Scope.TRANSIENT })
    class Handlers {}
    @ResourceHandlers(Widget)
    @Controller({ path: 'widgets', scope: Scope.REQUEST })
    class Routes {}
    expect(scopeOf(Handlers)).toMatchObject({ scope: Scope.TRANSIENT });
    expect(scopeOf(Routes)).toMatchObject({ scope: Scope.REQUEST });
  });

  it('rejects methods written for another resource at compile time', () => {
    @ResourceHandlers(Widget)
    class Right {
      one(ctx: HandlerContext<Widget>): number {
        return ctx.spec.size;
      }
      any(ctx: HandlerContext): unknown {
        return ctx.spec;
      }
      helper(text: string, ...rest: unknown[]): unknown {
        return [text, rest];
      }
    }
    // @ts-expect-error its method takes the context of another resource
    @ResourceHandlers(Widget)
    class Wrong {
      one(ctx: HandlerContext<Gadget>): string {
        return ctx.spec.color;
      }
    }
    // @ts-expect-error also where the context is not the first parameter
    @ResourceHandlers(Gadget)
    class WrongLater {
      one(name: string, ctx: HandlerContext<Widget>): string {
        return `${name}${ctx.spec.size}`;
      }
    }
    expect([Right, Wrong, WrongLater].map(classResource)).toEqual([Widget, Widget, Gadget]);
  });

  it('types contexts by class and by Stored', () => {
    expectTypeOf<HandlerContext<Widget>['spec']>().toEqualTypeOf<{ readonly size: number }>();
    expectTypeOf<HandlerContext<Widget>['status']>().toEqualTypeOf<{ readonly ready: boolean } | undefined>();
    expectTypeOf<HandlerContext<Widget>['object']['metadata']['name']>().toEqualTypeOf<string>();
    expect(new Set([Widget, Gadget]).size).toBe(2);
  });

  it('Stored has texts for dates, and metadata for sure', () => {
    expectTypeOf<Stored<V1Pod>['metadata']>().toExtend<ObjectMeta>();
    expectTypeOf<NonNullable<Stored<V1Pod>['status']>['startTime']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Stored<V1Pod>['kind']>().toEqualTypeOf<string>();
    expectTypeOf<Stored<V1Secret>['data']>().toEqualTypeOf<Record<string, string> | undefined>();
    const name = (pod: Stored<V1Pod>): string => pod.metadata.name;
    expect(typeof name).toBe('function');
  });
});
