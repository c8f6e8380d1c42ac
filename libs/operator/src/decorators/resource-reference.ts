import type { ResourceSelector } from '../engine/resource.js';
import { InvalidResourceError } from '../errors/invalid-resource.error.js';
import { customResourceInfo, type KubeObjectClass } from './custom-resource.decorator.js';

/**
 * How a decorator names a resource: a `@CustomResource` class, a text (`pods`, `deployments.apps`, `deployments.v1.apps`,
 * `pods.v1`), or its parts.
 */
export type ResourceReference<T = unknown> = KubeObjectClass<T> | string | ResourceSelector;

const version = /^v\d+(?:(?:alpha|beta)\d+)?$/;
const segment = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

/**
 * The selector that a reference stands for.
 *
 * @throws InvalidResourceError `OPERATOR_INVALID_RESOURCE` when it names none.
 */
export function toSelector(reference: unknown): ResourceSelector {
  if (typeof reference === 'function') return fromClass(reference);
  if (typeof reference === 'string') return fromText(reference);
  if (typeof reference === 'object' && reference !== null) return fromParts(reference);
  throw new InvalidResourceError([`a resource cannot be given as ${reference === null ? 'null' : typeof reference}`]);
}

function fromClass(target: { readonly name: string }): ResourceSelector {
  const info = customResourceInfo(target);
  if (info === undefined) {
    throw new InvalidResourceError([`class ${target.name || '(without a name)'} has no @CustomResource() of its own`]);
  }
  return { group: info.group, version: info.version, plural: info.plural };
}

function fromText(text: string): ResourceSelector {
  const [plural = '', ...rest] = text.split('.');
  if (![plural, ...rest].every((part) => segment.test(part))) {
    throw new InvalidResourceError([
      `${JSON.stringify(text)} is not a resource; write plural, plural.group or plural.version.group, in lower case`,
    ]);
  }
  const [first] = rest;
  if (first === undefined) return { plural };
  return version.test(first)
    ? { plural, version: first, group: rest.slice(1).join('.') }
    : { plural, group: rest.join('.') };
}

function fromParts(parts: object): ResourceSelector {
  const { group, version: wanted, plural } = parts as Record<string, unknown>;
  const texts = [group, wanted].every((part) => part === undefined || typeof part === 'string');
  if (typeof plural !== 'string' || !segment.test(plural) || !texts) {
    throw new InvalidResourceError([
      'a resource given by parts needs a plural in lower case, and texts as group and version',
    ]);
  }
  return {
    plural,
    ...(typeof group === 'string' ? { group } : {}),
    ...(typeof wanted === 'string' ? { version: wanted } : {}),
  };
}

/** Whether two selectors can mean the same resource. */
export function mayBeSame(one: ResourceSelector, other: ResourceSelector): boolean {
  const agree = (a: string | undefined, b: string | undefined): boolean =>
    a === undefined || b === undefined || a === b;
  return one.plural === other.plural && agree(one.group, other.group) && agree(one.version, other.version);
}
