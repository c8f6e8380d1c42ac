import { ContextIdFactory, type ExternalContextCreator, type ModuleRef } from '@nestjs/core';
import type { NestContainer } from '@nestjs/core/injector/container.js';
import { Injector } from '@nestjs/core/injector/injector.js';
import type { ContextId } from '@nestjs/core/injector/instance-wrapper.js';
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
import { OPERATOR_CONTEXT_TYPE } from '../operator.constants.js';
import { localContextCreator } from './local-context-creator.js';

type Call = (context: object) => Promise<unknown>;

/** Nest's key for parameter decorators; with it, plain `createParamDecorator` works. */
const parameterMetadata = '__routeArguments__';

/** Only custom parameter decorators apply to handlers; they bring their own factory. */
const parameterFactory = { exchangeKeyForValue: (): undefined => undefined };

/** No exception filter: it could swallow an error, or put another one in its place. */
const enhancers = { guards: true, interceptors: true, filters: false } as const;

/**
 * Calls handlers as Nest calls its own: with scopes, guards, pipes and interceptors of class and method. The one argument
 * is the context.
 */
export class NestHandlerInvoker implements HandlerInvoker {
  private readonly injector = new Injector();
  private readonly calls: ReadonlyMap<HandlerDefinition | ActivityDefinition, Call>;

  constructor(
    registry: HandlerRegistry,
    container: NestContainer,
    private readonly moduleRef: ModuleRef,
  ) {
    const creators = new Map<Module, ExternalContextCreator>();
    const creatorOf = (host: Module): ExternalContextCreator => {
      const creator = creators.get(host) ?? localContextCreator(container, host);
      creators.set(host, creator);
      return creator;
    };
    this.calls = new Map(
      [...registry.methods].map(([definition, method]) => [definition, this.bind(method, creatorOf(method.host))]),
    );
  }

  invoke(handler: HandlerDefinition, context: HandlerContext): Promise<unknown> {
    return this.callOf(handler)(context);
  }

  invokeActivity(activity: ActivityDefinition, context: ActivityContext): Promise<unknown> {
    return this.callOf(activity)(context);
  }

  private callOf(definition: HandlerDefinition | ActivityDefinition): Call {
    const call = this.calls.get(definition);
    if (call === undefined) throw new TypeError(`${definition.origin} is not a handler of this application`);
    return call;
  }

  private bind(method: DiscoveredMethod, creator: ExternalContextCreator): Call {
    const { wrapper } = method;
    // A transient class has a static tree, but its bare instance has never seen its constructor.
    const single = wrapper.isDependencyTreeStatic() && !wrapper.isTransient;
    if (single) return create(creator, wrapper.instance as object, method);
    return async (context) => {
      const contextId = ContextIdFactory.getByRequest(context as Record<string, unknown>);
      const durable = wrapper.isDependencyTreeDurable();
      this.moduleRef.registerRequestByContextId(durable ? contextId.payload : context, contextId);
      const instance = await this.load(method, contextId);
      return create(creator, instance, method, contextId)(context);
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
}

function create(
  creator: ExternalContextCreator,
  instance: object,
  { callback, methodName, wrapper }: DiscoveredMethod,
  contextId?: ContextId,
): Call {
  return creator.create(
    instance as Record<string, never>,
    callback,
    methodName,
    parameterMetadata,
    parameterFactory,
    contextId,
    contextId === undefined ? undefined : wrapper.id,
    enhancers,
    OPERATOR_CONTEXT_TYPE,
  ) as Call;
}
