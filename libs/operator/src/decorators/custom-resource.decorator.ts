import { InvalidResourceError } from '../errors/invalid-resource.error.js';
import { RESOURCE_KEY } from '../operator.constants.js';
import type { KubeObject } from './kube-object.js';

/** How the server knows a custom resource. */
export interface CustomResourceOptions {
  /** The API group: a domain, such as `demo.example`. */
  readonly group: string;
  /** Such as `v1` or `v1beta2`. */
  readonly version: string;
  /** CamelCase and singular, as in manifests. */
  readonly kind: string;
  /** Lower case, as in paths. */
  readonly plural: string;
  /** @defaultValue `kind` in lower case */
  readonly singular?: string;
  /** @defaultValue none */
  readonly shortNames?: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
}

/** {@link CustomResourceOptions} with nothing left out. */
export type CustomResourceInfo = Required<CustomResourceOptions>;

/** A class that extends {@link KubeObject}. */
export type KubeObjectClass<T = KubeObject> = abstract new (...args: never[]) => T;

const label = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;
const domain = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)+$/;

/**
 * Ties a class that extends {@link KubeObject} to a custom resource. Handlers then name the resource by the class and get
 * its types.
 *
 * @throws InvalidResourceError `OPERATOR_INVALID_RESOURCE` with all that is wrong with the description.
 */
export function CustomResource(options: CustomResourceOptions): <C extends KubeObjectClass>(target: C) => void {
  return (target) => {
    const problems = problemsOf(options);
    if (problems.length > 0) {
      throw new InvalidResourceError(problems.map((problem) => `@CustomResource() of ${target.name}: ${problem}`));
    }
    const info: CustomResourceInfo = Object.freeze({
      ...options,
      singular: options.singular ?? options.kind.toLowerCase(),
      shortNames: Object.freeze([...(options.shortNames ?? [])]),
    });
    Object.defineProperty(target, RESOURCE_KEY, { value: info });
  };
}

/** What `@CustomResource` says of this very class; a subclass is another resource, or none. */
export function customResourceInfo(target: unknown): CustomResourceInfo | undefined {
  if (typeof target !== 'function' || !Object.hasOwn(target, RESOURCE_KEY)) return undefined;
  return (target as unknown as Record<typeof RESOURCE_KEY, CustomResourceInfo>)[RESOURCE_KEY];
}

function problemsOf(options: CustomResourceOptions): string[] {
  const { group, version, kind, plural, singular, shortNames = [], scope } = options;
  const checks: readonly (readonly [boolean, string])[] = [
    [domain.test(group), `group ${JSON.stringify(group)} is not a domain such as "demo.example"`],
    [label.test(version), `version ${JSON.stringify(version)} is not a name such as "v1"`],
    [/^[A-Z][A-Za-z0-9]*$/.test(kind), `kind ${JSON.stringify(kind)} is not CamelCase`],
    [label.test(plural), `plural ${JSON.stringify(plural)} is not a lower-case name`],
    [singular === undefined || label.test(singular), `singular ${JSON.stringify(singular)} is not a lower-case name`],
    [shortNames.every((name) => label.test(name)), `shortNames ${JSON.stringify(shortNames)} are not lower-case names`],
    [
      scope === 'Namespaced' || scope === 'Cluster',
      `scope ${JSON.stringify(scope)} is neither "Namespaced" nor "Cluster"`,
    ],
  ];
  return checks.filter(([ok]) => !ok).map(([, problem]) => problem);
}
