import 'reflect-metadata';
import type { TriggerKind } from '../engine/handling/handler-definition.js';
import { InvalidDecoratorTargetError } from '../errors/invalid-decorator-target.error.js';
import { HANDLERS_KEY } from '../operator.constants.js';

export type DeclarationKind = TriggerKind | 'startup' | 'cleanup' | 'probe';

/** One decorator on one method, as written. Judged by the registry, so that all problems come out together. */
export interface HandlerDeclaration {
  readonly decorator: string;
  readonly on: DeclarationKind;
  readonly options: Readonly<Record<string, unknown>>;
}

/** A method decorator that adds a declaration to those that the method has. */
export function declareHandler(decorator: string, on: DeclarationKind, options: object | undefined): MethodDecorator {
  return (target, key, descriptor) => {
    const method: unknown = descriptor?.value;
    const owner = typeof target === 'function' ? target.name : target.constructor.name;
    const place = `${owner}.${String(key)}`;
    if (typeof target === 'function') throw new InvalidDecoratorTargetError(decorator, place, 'static');
    if (typeof key === 'symbol') throw new InvalidDecoratorTargetError(decorator, place, 'named by a symbol');
    if (typeof method !== 'function') throw new InvalidDecoratorTargetError(decorator, place, 'not a method');
    // Decorators run from the bottom up: what is written first comes last, and goes first.
    const declaration: HandlerDeclaration = { decorator, on, options: { ...options } };
    Reflect.defineMetadata(HANDLERS_KEY, [declaration, ...handlerDeclarations(method)], method);
  };
}

/** The declarations on a method, in source order. */
export function handlerDeclarations(method: object): readonly HandlerDeclaration[] {
  return (Reflect.getOwnMetadata(HANDLERS_KEY, method) as readonly HandlerDeclaration[] | undefined) ?? [];
}
