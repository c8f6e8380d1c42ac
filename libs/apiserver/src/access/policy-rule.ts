import type { AccessAttributes } from './access-attributes.js';

/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

const has = (list: readonly string[] | undefined, wanted: string): boolean =>
  list !== undefined && (list.includes('*') || list.includes(wanted));

/** Whether a rule allows what is wanted. */
export function ruleAllows(rule: PolicyRule, { verb, resource, path }: AccessAttributes): boolean {
  if (!has(rule.verbs, verb)) return false;
  if (resource === undefined) return (rule.nonResourceURLs ?? []).some((pattern) => matchesPath(pattern, path));
  const { group, plural, subresource, name } = resource;
  const names = rule.resourceNames ?? [];
  return (
    has(rule.apiGroups, group) &&
    coversResource(rule.resources ?? [], subresource === undefined ? plural : `${plural}/${subresource}`) &&
    (names.length === 0 || names.includes(name ?? ''))
  );
}

/** `resource` has its subresource behind a slash. */
function coversResource(resources: readonly string[], resource: string): boolean {
  if (has(resources, resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && resources.includes(`*${resource.slice(slash)}`);
}

const matchesPath = (pattern: string, path: string): boolean =>
  pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1)));

/** What of `wanted` no rule of `held` grants, in parts of one verb and one resource or path each. */
export function missingRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(partsOf).filter((part) => !held.some((rule) => grants(rule, part)));
}

function partsOf({
  verbs = [],
  apiGroups = [],
  resources = [],
  resourceNames,
  nonResourceURLs = [],
}: PolicyRule): PolicyRule[] {
  const parts: PolicyRule[] = [];
  for (const group of apiGroups) {
    for (const resource of resources) {
      for (const verb of verbs) {
        const part = { apiGroups: [group], resources: [resource], verbs: [verb] };
        if (resourceNames === undefined || resourceNames.length === 0) parts.push(part);
        else for (const name of resourceNames) parts.push({ ...part, resourceNames: [name] });
      }
    }
  }
  for (const url of nonResourceURLs) for (const verb of verbs) parts.push({ nonResourceURLs: [url], verbs: [verb] });
  return parts;
}

function grants(rule: PolicyRule, part: PolicyRule): boolean {
  if (!has(rule.verbs, part.verbs![0]!)) return false;
  const url = part.nonResourceURLs?.[0];
  if (url !== undefined) return (rule.nonResourceURLs ?? []).some((pattern) => matchesPath(pattern, url));
  if (!has(rule.apiGroups, part.apiGroups![0]!) || !coversResource(rule.resources ?? [], part.resources![0]!))
    return false;
  const names = rule.resourceNames ?? [];
  return names.length === 0 || (part.resourceNames !== undefined && names.includes(part.resourceNames[0]!));
}

/** Parts as lines of text, in order; those that differ by their verb alone stand in one line. */
export function describeParts(parts: readonly PolicyRule[]): string[] {
  const lines = new Map<string, string[]>();
  for (const { verbs, ...about } of parts) {
    // Paths stand alone.
    const key = about.nonResourceURLs === undefined ? describe(about) : describe({ ...about, verbs: verbs! });
    const known = lines.get(key);
    if (known === undefined) lines.set(key, about.nonResourceURLs === undefined ? [...verbs!] : []);
    else if (about.nonResourceURLs === undefined) known.push(...verbs!);
  }
  return [...lines]
    .map(([text, verbs]) => (verbs.length === 0 ? `{${text}}` : `{${text}, ${describe({ verbs })}}`))
    .sort();
}

const labels = [
  ['apiGroups', 'APIGroups'],
  ['resources', 'Resources'],
  ['nonResourceURLs', 'NonResourceURLs'],
  ['resourceNames', 'ResourceNames'],
  ['verbs', 'Verbs'],
] as const;

function describe(rule: PolicyRule): string {
  return labels
    .filter(([field]) => rule[field] !== undefined)
    .map(([field, label]) => `${label}:${quotedList(rule[field]!)}`)
    .join(', ');
}

/** A list of texts as Go prints it. */
export const quotedList = (texts: readonly string[]): string =>
  `[${texts.map((text) => JSON.stringify(text)).join(' ')}]`;
