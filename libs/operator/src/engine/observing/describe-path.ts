/** What a path of the API is about, without the names in it. */
export interface PathDescription {
  /** `plural.version.group`; `undefined` where it is about no resource. */
  readonly resource: string | undefined;
  readonly subresource: string | undefined;
  readonly template: string;
}

/** Paths that are about no resource, by their first step. What is not among them is told as `/{path}`. */
const others = new Set(['version', 'healthz', 'livez', 'readyz', 'openapi']);

/**
 * Describes an encoded path. The template holds `{namespace}` and `{name}` in place of names, so that there are few of them.
 */
export function describePath(path: string): PathDescription {
  const [root = '', ...rest] = path.split('/').slice(1);
  if (root === 'api') return describeResource('/api', '', rest);
  if (root === 'apis') {
    const [group, ...steps] = rest;
    if (group === undefined || group === '') return discovery('/apis');
    return steps.length === 0 ? discovery('/apis/{group}') : describeResource(`/apis/${group}`, group, steps);
  }
  return discovery(others.has(root) ? `/${root}` : '/{path}');
}

function discovery(template: string): PathDescription {
  return { resource: undefined, subresource: undefined, template };
}

function describeResource(base: string, group: string, steps: readonly string[]): PathDescription {
  const [version, ...rest] = steps;
  if (version === undefined) return discovery(base);
  const scoped = rest[0] === 'namespaces' && rest.length >= 3 && !isOfNamespace(rest[2]);
  const [plural, name, ...subresource] = scoped ? rest.slice(2) : rest;
  const prefix = `${base}/${version}`;
  if (plural === undefined) return discovery(group === '' ? prefix : '/apis/{group}/{version}');
  return {
    resource: [plural, version, ...(group === '' ? [] : [group])].join('.'),
    subresource: subresource.length === 0 ? undefined : subresource[0],
    template: [
      prefix,
      ...(scoped ? ['namespaces/{namespace}'] : []),
      plural,
      ...(name === undefined ? [] : ['{name}']),
      ...subresource.slice(0, 1),
      ...(subresource.length > 1 ? ['{path}'] : []),
    ].join('/'),
  };
}

/** `namespaces/<name>/status` and `/finalize` are of the namespace itself. */
function isOfNamespace(step: string | undefined): boolean {
  return step === 'status' || step === 'finalize';
}
