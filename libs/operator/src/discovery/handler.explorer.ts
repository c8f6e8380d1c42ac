import { Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import type { Module } from '@nestjs/core/injector/module.js';
import { handlerDeclarations } from '../decorators/handler-declaration.js';
import { classResource, classStore } from '../decorators/resource-handlers.decorator.js';
import type { DiscoveredMethod } from './discovered-method.js';

/** What the application holds. */
export interface Exploration {
  /** Classes in provider order, methods in source order. */
  readonly methods: readonly DiscoveredMethod[];
  /** `Class.method` of overriding methods without a decorator, whose inherited namesake is a handler. */
  readonly lostOverrides: readonly string[];
}

type Method = (...args: unknown[]) => unknown;

/** Finds handlers on all providers and controllers. Reads prototypes only: accessors are never triggered. */
@Injectable()
export class HandlerExplorer {
  constructor(@Inject(ModulesContainer) private readonly modules: ModulesContainer) {}

  explore(): Exploration {
    const methods: DiscoveredMethod[] = [];
    const lostOverrides: string[] = [];
    for (const host of this.modules.values()) {
      for (const wrapper of [...host.providers.values(), ...host.controllers.values()]) {
        const prototype = prototypeOf(wrapper);
        if (prototype !== undefined) exploreClass(wrapper, host, prototype, methods, lostOverrides);
      }
    }
    return { methods, lostOverrides };
  }
}

function prototypeOf(wrapper: InstanceWrapper): object | undefined {
  if (wrapper.isAlias) return undefined;
  const { metatype } = wrapper;
  if (typeof metatype === 'function' && !wrapper.isNotMetatype) return metatype.prototype as object | undefined;
  // A value or the result of a factory: anything may be there, also null.
  const instance: unknown = wrapper.instance;
  if (typeof instance !== 'object' || instance === null) return undefined;
  return (Object.getPrototypeOf(instance) as object | null) ?? undefined;
}

function exploreClass(
  wrapper: InstanceWrapper,
  host: Module,
  prototype: object,
  methods: DiscoveredMethod[],
  lostOverrides: string[],
): void {
  const owner = prototype.constructor;
  const resolved = new Map<string, Method | undefined>();
  for (const level of chain(prototype)) {
    for (const name of Object.getOwnPropertyNames(level)) {
      const value: unknown = Object.getOwnPropertyDescriptor(level, name)?.value;
      const method = typeof value === 'function' && name !== 'constructor' ? (value as Method) : undefined;
      const declarations = method === undefined ? [] : handlerDeclarations(method);
      if (resolved.has(name)) {
        const overriding = resolved.get(name);
        const lost =
          declarations.length > 0 && (overriding === undefined || handlerDeclarations(overriding).length === 0);
        const origin = `${owner.name}.${name}`;
        if (lost && !lostOverrides.includes(origin)) lostOverrides.push(origin);
        continue;
      }
      resolved.set(name, method);
      if (method === undefined || declarations.length === 0) continue;
      methods.push({
        wrapper,
        host,
        className: owner.name,
        methodName: name,
        callback: method,
        classResource: classResource(owner),
        classStore: classStore(owner),
        declarations,
      });
    }
  }
}

/** A prototype and its ancestors, without the language's own. */
function* chain(prototype: object): Generator<object> {
  for (
    let level: object | null = prototype;
    level !== null && level !== Object.prototype;
    level = Object.getPrototypeOf(level) as object | null
  ) {
    yield level;
  }
}
