import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import type { Module } from '@nestjs/core/injector/module.js';
import type { HandlerDeclaration } from '../decorators/handler-declaration.js';

/** A method with handler decorators, on a provider or controller. */
export interface DiscoveredMethod {
  readonly wrapper: InstanceWrapper;
  readonly host: Module;
  readonly className: string;
  readonly methodName: string;
  /** The prototype's function: its metadata would not be on a bound copy. */
  readonly callback: (...args: unknown[]) => unknown;
  /** What the class's `@ResourceHandlers` was given. */
  readonly classResource: unknown;
  /** The store that the class's `@ResourceHandlers` was given. */
  readonly classStore?: unknown;
  /** In source order, at least one. */
  readonly declarations: readonly HandlerDeclaration[];
}

/** How messages name a method: `Class.method`. */
export function originOf(method: { readonly className: string; readonly methodName: string }): string {
  return `${method.className}.${method.methodName}`;
}
