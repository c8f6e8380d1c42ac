import { isNamed, type ResourceSelector } from '../engine/resource.js';
import { InvalidResourceError } from '../errors/invalid-resource.error.js';
import { customResourceInfo, type KubeObjectClass } from './custom-resource.decorator.js';

/**
 * How a decorator names a resource: a `@CustomResource` class; a text (`pods`, `Pod`, `deploy.apps`, `deployments.v1.apps`,
 * `pods.v1`), which begins with a plural, singular, kind or short name; or a selector, which may mean many resources.
 */
export type ResourceReference<T = unknown> = KubeObjectClass<T> | string | ResourceSelector;

const version = /^v\d+(?:(?:alpha|beta)\d+)?$/;
const lowerCase = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const anyCase = /^[A-Za-z0-9](?:[-A-Za-z0-9]*[A-Za-z0-9])?$/;
const domain = /^[a-z0-9](?:[-.a-z0-9]*[a-z0-9])?$/;

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
  const [name = '', ...rest] = text.split('.');
  if (!anyCase.test(name) || !rest.every((part) => lowerCase.test(part))) {
    throw new InvalidResourceError([
      `${JSON.stringify(text)} is not a resource; write name, name.group or name.version.group, where the name is a plural, ` +
        'singular, kind or short name',
    ]);
  }
  const [first] = rest;
  if (first === undefined) return { name };
  return version.test(first)
    ? { name, version: first, group: rest.slice(1).join('.') }
    : { name, group: rest.join('.') };
}

/** What each part of a selector must look like. */
const parts: Readonly<Record<keyof ResourceSelector, readonly [(value: unknown) => boolean, string]>> = {
  group: [(value) => value === '' || isText(value, domain), 'a domain, or the empty text for the core group'],
  version: [(value) => isText(value, lowerCase), 'a version such as "v1"'],
  name: [(value) => isText(value, anyCase), 'a plural, singular, kind or short name'],
  plural: [(value) => isText(value, lowerCase), 'a plural in lower case'],
  kind: [(value) => isText(value, anyCase), 'a kind such as "Pod"'],
  singular: [(value) => isText(value, lowerCase), 'a singular in lower case'],
  shortName: [(value) => isText(value, lowerCase), 'a short name in lower case'],
  category: [(value) => isText(value, lowerCase), 'a category in lower case'],
  everything: [(value) => value === true, 'true, or left out'],
  where: [(value) => typeof value === 'function', 'a function of a resource'],
};

function fromParts(given: object): ResourceSelector {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  const problems = entries.flatMap(([name, value]): string[] => {
    const rule = Object.hasOwn(parts, name) ? parts[name as keyof ResourceSelector] : undefined;
    if (rule === undefined) return [`a resource selector has no "${name}"; it has ${Object.keys(parts).join(', ')}`];
    const [isValid, expected] = rule;
    return isValid(value) ? [] : [`"${name}" of a resource selector must be ${expected}`];
  });
  const selector = Object.fromEntries(entries) as ResourceSelector;
  if (entries.length === 0) problems.push('a resource selector is empty; write { everything: true } to mean all');
  else if (selector.everything === true && (isNamed(selector) || selector.category !== undefined)) {
    problems.push('a resource selector with "everything" names resources as well; leave one of them out');
  }
  if (problems.length > 0) throw new InvalidResourceError(problems);
  return selector;
}

function isText(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value);
}

/** Whether two references were written alike, so that they mean the same. */
export function isSame(one: ResourceSelector, other: ResourceSelector): boolean {
  return Object.keys(parts).every((part) => one[part as keyof typeof one] === other[part as keyof typeof one]);
}

/**
 * Whether two selectors can mean the same resource, as far as can be seen without the server: names are compared as they
 * are written, and what is selected without a name may be anything in its group.
 */
export function mayBeSame(one: ResourceSelector, other: ResourceSelector): boolean {
  const agree = (a: string | undefined, b: string | undefined): boolean =>
    a === undefined || b === undefined || a === b;
  if (!agree(one.group, other.group)) return false;
  if (!isNamed(one) || !isNamed(other)) return true;
  return agree(one.version, other.version) && commonNames(one, other);
}

/** Whether two names, not selections, lead to versions of one resource that differ. */
export function isInTwoVersions(one: ResourceSelector, other: ResourceSelector): boolean {
  if (one.version === undefined || other.version === undefined || one.version === other.version) return false;
  return isNamed(one) && isNamed(other) && one.group === other.group && commonNames(one, other);
}

function commonNames(one: ResourceSelector, other: ResourceSelector): boolean {
  const names = ({ name, plural, kind, singular, shortName }: ResourceSelector): readonly (string | undefined)[] =>
    [name, plural, kind, singular, shortName].filter((part) => part !== undefined);
  return names(one).some((name) => names(other).includes(name));
}
