import { deepEqual, isObject, type KubeObject } from '../json.js';
import { selectsLabels } from '../selectors/object-selector.js';
import type { PolicyRule } from './policy-rule.js';

/** The rules that a ClusterRole takes from others by its aggregationRule; undefined for one that has none. */
export function aggregatedRules(role: KubeObject, all: readonly KubeObject[]): PolicyRule[] | undefined {
  const aggregation = role['aggregationRule'];
  const selectors = isObject(aggregation) ? aggregation['clusterRoleSelectors'] : undefined;
  if (!Array.isArray(selectors)) return undefined;
  const name = role.metadata.name ?? '';
  const byName = all.toSorted((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
  const rules: PolicyRule[] = [];
  for (const selector of selectors as unknown[]) {
    for (const source of byName) {
      if (source.metadata.name === name || !selectsLabels(selector, source.metadata.labels)) continue;
      for (const rule of (source['rules'] ?? []) as PolicyRule[]) {
        if (!rules.some((known) => deepEqual(known, rule))) rules.push(rule);
      }
    }
  }
  return rules;
}
