import { ApplicationConfig, ExternalContextCreator } from '@nestjs/core';
import type { NestContainer } from '@nestjs/core/injector/container.js';
import type { Module } from '@nestjs/core/injector/module.js';

/**
 * A context creator for handlers of one module, without the application's global enhancers: those are written for HTTP.
 *
 * The creator looks for the host among providers only; the module is known here, so that enhancers of controllers and of
 * classes that several modules provide are found, too.
 */
export function localContextCreator(container: NestContainer, host: Module): ExternalContextCreator {
  const withoutGlobals = Object.create(container, {
    applicationConfig: { value: new ApplicationConfig() },
  }) as NestContainer;
  const key = [...container.getModules()].find(([, module]) => module === host)?.[0] ?? '';
  return Object.assign(ExternalContextCreator.fromContainer(withoutGlobals), {
    getHostModuleKey: () => key,
    getContextModuleKey: () => key,
  });
}
