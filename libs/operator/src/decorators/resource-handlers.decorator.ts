import 'reflect-metadata';
import { Injectable, type InjectableOptions } from '@nestjs/common';
import type { HandlerContext } from '../engine/handling/handler-context.js';
import type { StoredObject } from '../engine/kube-object.js';
import type { RecordStoreName } from '../engine/persistence/record-store.js';
import type { ResourceSelector } from '../engine/resource.js';
import { CLASS_RESOURCE_KEY, CLASS_STORE_KEY } from '../operator.constants.js';
import type { KubeObjectClass } from './custom-resource.decorator.js';
import type { ResourceReference } from './resource-reference.js';

/** Options of {@link ResourceHandlers}, beside the scope of the class, as in `@Injectable()`. */
export type ResourceHandlersOptions = InjectableOptions & {
  /**
   * Where the records of the resource are kept: `annotations`, `status`, `both`, or a name in the module's
   * `persistence.stores`. Classes of one resource cannot choose differently.
   * @defaultValue `persistence.store` of the module
   */
  readonly store?: RecordStoreName;
};

type HandlersClass<Instance = unknown> = abstract new (...args: never[]) => Instance;

type IsAny<T> = 0 extends 1 & T ? true : false;

/** The object type of each HandlerContext among the arguments of a method. */
type ContextsIn<Arguments> = Arguments extends readonly (infer Argument)[]
  ? IsAny<Argument> extends true
    ? never
    : Argument extends HandlerContext<infer U>
      ? { readonly of: U }
      : never
  : never;

type IsForeign<Context, T> = Context extends { readonly of: infer U }
  ? [T] extends [U]
    ? never
    : [StoredObject] extends [U]
      ? never
      : Context
  : never;

/** Names of the methods whose context is of another resource than `T`. */
type MethodsOfAnother<Instance, T> = {
  [Key in keyof Instance]: Instance[Key] extends (...args: infer Arguments) => unknown
    ? [IsForeign<ContextsIn<Arguments>, T>] extends [never]
      ? never
      : Key
    : never;
}[keyof Instance];

/** What a class must be to hold handlers of `T`: none of its methods takes the context of another resource. */
export type HandlersOf<Class, T> =
  Class extends HandlersClass<infer Instance>
    ? [MethodsOfAnother<Instance, T>] extends [never]
      ? unknown
      : { readonly 'takes the context of another resource': MethodsOfAnother<Instance, T> }
    : never;

/**
 * Makes a class a provider whose handler decorators belong to one resource. Implies `@Injectable()`, with its scope.
 *
 * With a `@CustomResource` class the compiler rejects methods that take a `HandlerContext` of another one.
 */
export function ResourceHandlers<T>(
  resource: KubeObjectClass<T>,
  options?: ResourceHandlersOptions,
): <Class extends HandlersClass>(target: Class & HandlersOf<Class, T>) => void;
export function ResourceHandlers(
  resource: string | ResourceSelector,
  options?: ResourceHandlersOptions,
): <Class extends HandlersClass>(target: Class) => void;
export function ResourceHandlers(
  resource: ResourceReference,
  options?: ResourceHandlersOptions,
): (target: HandlersClass) => void {
  return (target) => {
    Reflect.defineMetadata(CLASS_RESOURCE_KEY, resource, target);
    const { store, ...injectable } = options ?? {};
    if (store !== undefined) Reflect.defineMetadata(CLASS_STORE_KEY, store, target);
    // A scope that @Injectable or @Controller below has set stays, unless this decorator says otherwise.
    const scoped = Object.keys(injectable).length > 0;
    if (scoped || !Reflect.hasOwnMetadata('scope:options', target)) Injectable(scoped ? injectable : undefined)(target);
  };
}

/** The store that `@ResourceHandlers` was given, on the class or an ancestor. */
export function classStore(target: object): unknown {
  return Reflect.getMetadata(CLASS_STORE_KEY, target);
}

/** What `@ResourceHandlers` was given, on the class or an ancestor. */
export function classResource(target: object): unknown {
  return Reflect.getMetadata(CLASS_RESOURCE_KEY, target);
}
