import { ApplicationConfig, ExternalContextCreator } from '@nestjs/core';
import { ExternalExceptionFilterContext } from '@nestjs/core/exceptions/external-exception-filter-context.js';
import type { NestContainer } from '@nestjs/core/injector/container.js';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import type { Module } from '@nestjs/core/injector/module.js';

/** Makes what surrounds the handlers of one module. */
export interface EnhancerCreators {
  /** Guards, interceptors and pipes. */
  readonly calls: ExternalContextCreator;
  readonly filters: ExternalExceptionFilterContext;
  /** What `filters` calls the module. */
  readonly moduleKey: string;
}

/**
 * Creators for the handlers of one module, with or without the application's global enhancers.
 *
 * Nest's creator looks for the host among providers only; the module is known here, so that enhancers of controllers and of
 * classes that several modules provide are found, too.
 */
export function enhancerCreators(container: NestContainer, host: Module, withGlobals: boolean): EnhancerCreators {
  const config = withGlobals ? container.applicationConfig : new ApplicationConfig();
  const scoped = Object.create(container, { applicationConfig: { value: config } }) as NestContainer;
  const moduleKey = [...container.getModules()].find(([, module]) => module === host)?.[0] ?? '';
  const calls = Object.assign(ExternalContextCreator.fromContainer(scoped), {
    getHostModuleKey: () => moduleKey,
    getContextModuleKey: () => moduleKey,
  });
  return { calls, filters: new ExternalExceptionFilterContext(scoped, config), moduleKey };
}

/** Global enhancers that are made anew for each call. Nest loads them for its own entry points only. */
export function globalRequestEnhancers({ applicationConfig: config }: NestContainer): readonly InstanceWrapper[] {
  if (config === undefined) return [];
  return [
    ...config.getGlobalRequestGuards(),
    ...config.getGlobalRequestInterceptors(),
    ...config.getGlobalRequestPipes(),
    ...config.getGlobalRequestFilters(),
  ];
}
