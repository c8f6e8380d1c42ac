import type { DeclaredAccess } from '../engine/access/access-rule.js';
import { describe, type OptionReader } from './option-reader.js';

/** The option `access`. Gaps are noted in the reader. */
export function readAccess(options: OptionReader): readonly DeclaredAccess[] {
  const given = options.raw('access') ?? [];
  if (!Array.isArray(given)) {
    options.gap('access', `must be a list of rules, not ${describe(given)}`);
    return [];
  }
  given.forEach((rule: unknown, index) => {
    for (const problem of problemsOf(rule)) options.gap(`access[${index}]`, problem);
  });
  return Object.freeze([...(given as DeclaredAccess[])]);
}

function problemsOf(rule: unknown): string[] {
  if (typeof rule !== 'object' || rule === null) return [`must be a rule, not ${describe(rule)}`];
  const { group, resources, verbs, names, scope, ...others } = rule as Record<string, unknown>;
  const checks: readonly (readonly [boolean, string])[] = [
    [typeof group === 'string', 'needs "group"; the empty text is the core group'],
    [isTexts(resources), 'needs "resources", a list of plurals'],
    [isTexts(verbs), 'needs "verbs", a list of verbs'],
    [names === undefined || isTexts(names), '"names" must be a list of names'],
    [scope === undefined || scope === 'served' || scope === 'cluster', "\"scope\" must be 'served' or 'cluster'"],
    [Object.keys(others).length === 0, `has no "${Object.keys(others).join('", "')}"`],
  ];
  return checks.filter(([ok]) => !ok).map(([, problem]) => problem);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string' && one !== '');
}
