import { ContextIdFactory, type ModuleRef } from '@nestjs/core';
import type { NestContainer } from '@nestjs/core/injector/container.js';
import { Injector } from '@nestjs/core/injector/injector.js';
import type { ContextId, InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import type { Module } from '@nestjs/core/injector/module.js';
import type { DiscoveredMethod } from '../discovery/discovered-method.js';
import type { HandlerRegistry } from '../discovery/handler.registry.js';
import type { HandlerContext } from '../engine/handling/handler-context.js';
import type {
  ActivityContext,
  ActivityDefinition,
  HandlerDefinition,
  HandlerInvoker,
} from '../engine/handling/handler-definition.js';
import { addHandlerFields } from '../logging/handler-fields.js';
import { OPERATOR_CONTEXT_TYPE } from '../operator.constants.js';
import { enhancerCreators, globalRequestEnhancers, type EnhancerCreators } from './enhancer-creators.js';
import { filterError } from './filter-stage.js';

type Context = HandlerContext | ActivityContext;
type Call = (context: Context) => Promise<unknown>;
type Definition = HandlerDefinition | ActivityDefinition;

/** Nest's key for parameter decorators; with it, plain `createParamDecorator` works. */
const parameterMetadata = '__routeArguments__';

/** Only custom parameter decorators apply to handlers; they bring their own factory. */
const parameterFactory = { exchangeKeyForValue: (): undefined => undefined };

/** Exception filters are a stage of their own: within the call they could swallow a fatal error. */
const enhancers = { guards: true, interceptors: true, filters: false } as const;

/**
 * Calls handlers as Nest calls its own: with scopes, guards, interceptors, pipes and exception filters of class and method.
 * The one argument is the context.
 */
export class NestHandlerInvoker implements HandlerInvoker {
  private readonly injector = new Injector();
  private readonly calls: ReadonlyMap<Definition, Call>;
  private readonly globalsPerCall: readonly InstanceWrapper[];

  constructor(
    registry: HandlerRegistry,
    container: NestContainer,
    private readonly moduleRef: ModuleRef,
    { globalEnhancers }: { readonly globalEnhancers: boolean },
  ) {
    this.globalsPerCall = globalEnhancers ? globalRequestEnhancers(container) : [];
    const creators = new Map<Module, EnhancerCreators>();
    const creatorsOf = (host: Module): EnhancerCreators => {
      const found = creators.get(host) ?? enhancerCreators(container, host, globalEnhancers);
      creators.set(host, found);
      return found;
    };
    this.calls = new Map(
      [...registry.methods].map(([definition, method]) => [
        definition,
        this.bind(definition, method, creatorsOf(method.host)),
      ]),
    );
  }

  invoke(handler: HandlerDefinition, context: HandlerContext): Promise<unknown> {
    return this.callOf(handler)(context);
  }

  invokeActivity(activity: ActivityDefinition, context: ActivityContext): Promise<unknown> {
    return this.callOf(activity)(context);
  }

  private callOf(definition: Definition): Call {
    addHandlerFields();
    const call = this.calls.get(definition);
    if (call === undefined) throw new TypeError(`${definition.origin} is not a handler of this application`);
    return call;
  }

  private bind(definition: Definition, method: DiscoveredMethod, creators: EnhancerCreators): Call {
    const { wrapper } = method;
    // A transient class has a static tree, but its bare instance has never seen its constructor.
    const single = wrapper.isDependencyTreeStatic() && !wrapper.isTransient && this.globalsPerCall.length === 0;
    if (single) return create(creators, wrapper.instance as object, definition, method);
    return async (context) => {
      const contextId = ContextIdFactory.getByRequest(context as unknown as Record<string, unknown>);
      const durable = wrapper.isDependencyTreeDurable();
      this.moduleRef.registerRequestByContextId(durable ? contextId.payload : context, contextId);
      await Promise.all(this.globalsPerCall.map((enhancer) => this.loadEnhancer(enhancer, contextId)));
      const instance = await this.load(method, contextId);
      return create(creators, instance, definition, method, contextId)(context);
    };
  }

  private async load({ wrapper, host }: DiscoveredMethod, contextId: ContextId): Promise<object> {
    const collection = host.controllers.get(wrapper.token) === wrapper ? host.controllers : host.providers;
    return (await this.injector.loadPerContext(
      wrapper.instance as object,
      host,
      collection,
      contextId,
      wrapper,
    )) as object;
  }

  private async loadEnhancer(wrapper: InstanceWrapper, contextId: ContextId): Promise<void> {
    const { host } = wrapper;
    if (host === undefined) return;
    await this.injector.loadPerContext(wrapper.instance as object, host, host.injectables, contextId, wrapper);
  }
}

function create(
  { calls, filters, moduleKey }: EnhancerCreators,
  instance: object,
  definition: Definition,
  { callback, methodName, wrapper }: DiscoveredMethod,
  contextId?: ContextId,
): Call {
  const inquirerId = contextId === undefined ? undefined : wrapper.id;
  const host = instance as Record<string, never>;
  const call = calls.create(
    host,
    callback,
    methodName,
    parameterMetadata,
    parameterFactory,
    contextId,
    inquirerId,
    enhancers,
    OPERATOR_CONTEXT_TYPE,
  ) as Call;
  const second = filters.create(host, callback as never, moduleKey, contextId, inquirerId);
  const { asHandlerError } = definition.policy;
  return async (context) => {
    try {
      return await call(context);
    } catch (error) {
      return await filterError(error, second, { context, instance, callback, asHandlerError });
    }
  };
}
