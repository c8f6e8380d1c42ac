import { Inject, Injectable, Scope } from '@nestjs/common';
import { ContextIdFactory, REQUEST } from '@nestjs/core';
import { describe, expect, it } from 'vitest';
import { OnCreate } from '../../src/decorators/on-create.decorator.js';
import { Namespace } from '../../src/decorators/parameter.decorators.js';
import { ResourceHandlers } from '../../src/decorators/resource-handlers.decorator.js';
import { HandlerContext } from '../../src/engine/handling/handler-context.js';
import { contextOf, harness } from './support/invoker-harness.js';

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
