import { isSubdomain } from '../../pipeline/metadata-validation.js';
import { dnsLabelRule, subdomainRule } from '../../name-rules.js';
import type { StatusCause } from '../../status.js';
import type { DefinitionNames } from '../crd-type.js';
import { invalidCause, requiredCause } from '../field-causes.js';

const labelPattern = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const longestLabel = 63;
const longestSubdomain = 253;

/** What keeps a text from being a DNS-1035 label; empty where nothing does. */
export function labelProblem(text: string): string {
  const problems = text.length > longestLabel ? [`must be no more than ${longestLabel} characters`] : [];
  if (!labelPattern.test(text)) problems.push(dnsLabelRule);
  return problems.join(',');
}

/** What is wrong with the group of a definition. */
export function groupCauses(group: string, path: string): StatusCause[] {
  if (group === '') return [requiredCause(path)];
  const problems = group.length > longestSubdomain ? [`must be no more than ${longestSubdomain} characters`] : [];
  if (!isSubdomain(group.slice(0, longestSubdomain))) problems.push(subdomainRule);
  if (problems.length > 0) return [invalidCause(path, group, problems.join(','))];
  return group.includes('.') ? [] : [invalidCause(path, group, 'should be a domain with at least one dot')];
}

/** What is wrong with the names of a definition. */
export function namesCauses(names: Partial<DefinitionNames>, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  for (const field of ['plural', 'singular', 'kind', 'listKind'] as const) {
    if ((names[field] ?? '') === '') causes.push(requiredCause(`${path}.${field}`));
  }
  const label = (field: string, value: string): void => {
    const problem = labelProblem(value);
    if (problem !== '') causes.push(invalidCause(`${path}.${field}`, value, problem));
  };
  const kind = (field: string, value: string): void => {
    const problem = labelProblem(value.toLowerCase());
    if (problem === '') return;
    const why = `may have mixed case, but should otherwise match: ${problem}`;
    causes.push(invalidCause(`${path}.${field}`, value, why));
  };
  if (names.plural) label('plural', names.plural);
  if (names.singular) label('singular', names.singular);
  if (names.kind) kind('kind', names.kind);
  if (names.listKind) kind('listKind', names.listKind);
  names.shortNames?.forEach((name, index) => label(`shortNames[${index}]`, name));
  if (names.kind && names.kind === names.listKind) {
    causes.push(invalidCause(`${path}.listKind`, names.listKind, 'kind and listKind may not be the same'));
  }
  names.categories?.forEach((name, index) => label(`categories[${index}]`, name));
  return causes;
}
