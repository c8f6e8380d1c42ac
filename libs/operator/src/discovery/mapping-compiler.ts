import type { HandlerDeclaration } from '../decorators/handler-declaration.js';
import type { OwnedResource, WatchedResource } from '../decorators/handler-options.js';
import { toSelector } from '../decorators/resource-reference.js';
import type { MappedResource } from '../engine/handling/handler-definition.js';
import type { ObjectKey } from '../engine/kube-object.js';
import { ownerKeys } from '../engine/mapping/owner-keys.js';
import type { ResourceSelector } from '../engine/resource.js';
import { InvalidResourceError } from '../errors/invalid-resource.error.js';

type Report = (problem: string) => void;

/** What `owns` and `watches` of an `@OnReconcile` say; problems go to `say`. */
export function compileMappings(options: HandlerDeclaration['options'], say: Report): readonly MappedResource[] {
  return [
    ...listOf(options, 'owns', say).flatMap((entry) => owned(entry, say)),
    ...listOf(options, 'watches', say).flatMap((entry) => watched(entry, say)),
  ];
}

function listOf(options: HandlerDeclaration['options'], name: string, say: Report): readonly unknown[] {
  const list = options[name] ?? [];
  if (Array.isArray(list)) return list as unknown[];
  say(`option "${name}" is not a list`);
  return [];
}

function owned(entry: unknown, say: Report): MappedResource[] {
  const parts =
    typeof entry === 'object' && entry !== null && 'resource' in entry ? (entry as OwnedResource) : undefined;
  const resource = selectorOf(parts?.resource ?? entry, 'owns', say);
  const controller = parts?.controller ?? true;
  if (resource === undefined) return [];
  return [{ resource, map: (object, served) => ownerKeys(object, served, controller), owned: true }];
}

function watched(entry: unknown, say: Report): MappedResource[] {
  const { resource: reference, map } = (entry ?? {}) as Partial<WatchedResource>;
  if (typeof map !== 'function') {
    say('an entry of option "watches" has no function "map" that leads to objects of this handler');
    return [];
  }
  const resource = selectorOf(reference, 'watches', say);
  if (resource === undefined) return [];
  return [{ resource, map: (object) => Array.from(map(object), keyOf) }];
}

function keyOf(target: ObjectKey | { readonly namespace?: string | undefined; readonly name: string }): ObjectKey {
  if (typeof target === 'string') return target;
  return target.namespace === undefined ? target.name : `${target.namespace}/${target.name}`;
}

function selectorOf(reference: unknown, option: string, say: Report): ResourceSelector | undefined {
  try {
    return toSelector(reference);
  } catch (error) {
    if (!(error instanceof InvalidResourceError)) throw error;
    say(`option "${option}": ${error.message}`);
    return undefined;
  }
}
