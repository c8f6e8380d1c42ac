import { createParamDecorator, type ExecutionContext, type PipeTransform, type Type } from '@nestjs/common';
import type { HandlerContext } from '../engine/handling/handler-context.js';
import { ParameterUnavailableError } from '../errors/parameter-unavailable.error.js';
import { toFieldPath, valueAt, type FieldReference } from './field-path.js';

type Pipe = PipeTransform | Type<PipeTransform>;

/** A decorator of handler parameters: an optional path into the value, then pipes. */
export type PathParameterDecorator = (...pathOrPipes: (FieldReference | Pipe)[]) => ParameterDecorator;
/** A decorator of handler parameters with an optional key, taken as a whole, then pipes. */
export type KeyParameterDecorator = (...keyOrPipes: (string | Pipe)[]) => ParameterDecorator;
/** A decorator of handler parameters with pipes only. */
export type PlainParameterDecorator = (...pipes: Pipe[]) => ParameterDecorator;

function contextOf(decorator: string, host: ExecutionContext): HandlerContext {
  const context: unknown = host.getArgByIndex(0);
  if (typeof context !== 'object' || context === null || !('object' in context)) {
    throw new ParameterUnavailableError(decorator);
  }
  return context as HandlerContext;
}

function byPath(decorator: string, read: (context: HandlerContext) => unknown): PathParameterDecorator {
  return createParamDecorator((field: FieldReference | undefined, host: ExecutionContext): unknown => {
    const value = read(contextOf(decorator, host));
    return field === undefined ? value : valueAt(value, toFieldPath(field) ?? ['']);
  });
}

function byKey(
  decorator: string,
  read: (context: HandlerContext) => Readonly<Record<string, string>> | undefined,
): KeyParameterDecorator {
  return createParamDecorator((key: string | undefined, host: ExecutionContext): unknown => {
    const entries = read(contextOf(decorator, host)) ?? {};
    return key === undefined ? entries : valueAt(entries, [key]);
  });
}

function plain(decorator: string, read: (context: HandlerContext) => unknown): PlainParameterDecorator {
  return createParamDecorator((_: unknown, host: ExecutionContext): unknown => read(contextOf(decorator, host)));
}

/** The whole {@link HandlerContext}; in start-up and clean-up steps the {@link ActivityContext}. */
export const KubeContext: PlainParameterDecorator = createParamDecorator(
  (_: unknown, host: ExecutionContext): unknown => host.getArgByIndex(0),
);

/** The object, or a part of it. */
export const KubeObjectParam: PathParameterDecorator = byPath('KubeObjectParam', (context) => context.object);

/** The object's spec, or a part of it: `@Spec('size')`. */
export const Spec: PathParameterDecorator = byPath('Spec', (context) => context.spec);

/** The object's status, or a part of it. */
export const Status: PathParameterDecorator = byPath('Status', (context) => context.status);

/** The object's metadata, or a part of it. */
export const Meta: PathParameterDecorator = byPath('Meta', (context) => context.meta);

/** The object's name. */
export const Name: PlainParameterDecorator = plain('Name', (context) => context.meta.name);

/** The object's namespace; undefined when it is cluster-scoped. */
export const Namespace: PlainParameterDecorator = plain('Namespace', (context) => context.meta.namespace);

/** The object's uid. */
export const Uid: PlainParameterDecorator = plain('Uid', (context) => context.meta.uid);

/** The object's labels, or the value of one. */
export const Labels: KeyParameterDecorator = byKey('Labels', (context) => context.meta.labels);

/** The object's annotations, or the value of one. */
export const Annotations: KeyParameterDecorator = byKey('Annotations', (context) => context.meta.annotations);

/** What the handler handled last, or a part of it; undefined where it is not known. */
export const Old: PathParameterDecorator = byPath('Old', (context) => context.old);

/** What the handler handles now, or a part of it. */
export const New: PathParameterDecorator = byPath('New', (context) => context.new);

/** The differences from old to new, or those at and below a path. */
export const Diff: PathParameterDecorator = createParamDecorator(
  (field: FieldReference | undefined, host: ExecutionContext): unknown => {
    const { diff } = contextOf('Diff', host);
    const path = field === undefined ? [] : (toFieldPath(field) ?? ['']);
    return diff.filter((item) => path.every((key, depth) => item.path[depth] === key));
  },
);
