import type { AccessRule } from './access-rule.js';

/** One entry of `rules` in a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** Rules that go into one Role, or, without a namespace, into a ClusterRole that is bound in the whole cluster. */
export interface RoleRules {
  readonly namespace: string | undefined;
  readonly rules: readonly PolicyRule[];
}

/** Access as the fewest rules, by namespace: what has the same verbs in one group is one rule. */
export function roleRules(access: readonly AccessRule[]): readonly RoleRules[] {
  return [...Map.groupBy(access, ({ namespace }) => namespace)].map(([namespace, rules]) => ({
    namespace,
    rules: policyRules(rules),
  }));
}

function policyRules(access: readonly AccessRule[]): PolicyRule[] {
  const names = ({ names: some }: AccessRule): string => JSON.stringify(some?.toSorted() ?? []);
  const byResource = Map.groupBy(access, (rule) => `${rule.group} ${rule.resource} ${names(rule)}`);
  const whole = [...byResource.values()].map((same): AccessRule => {
    const [first] = same as [AccessRule, ...AccessRule[]];
    const verbs = [...new Set(same.flatMap((rule) => rule.verbs))].toSorted();
    return { ...first, verbs };
  });
  return [...Map.groupBy(whole, (rule) => `${rule.group} ${rule.verbs.join()} ${names(rule)}`).values()].map((same) => {
    const [first] = same as [AccessRule, ...AccessRule[]];
    return {
      apiGroups: [first.group],
      resources: same.map(({ resource }) => resource),
      ...(first.names === undefined ? {} : { resourceNames: first.names }),
      verbs: first.verbs,
    };
  });
}

/** The rules as YAML, to be put under `rules:`. */
export function policyRulesYaml(rules: readonly PolicyRule[]): string {
  return rules.map(ruleYaml).join('\n');
}

function ruleYaml({ apiGroups, resources, resourceNames, verbs }: PolicyRule): string {
  const lines = Object.entries({ apiGroups, resources, resourceNames, verbs }).flatMap(([name, values]) =>
    values === undefined ? [] : [`${name}: [${values.map((value) => JSON.stringify(value)).join(', ')}]`],
  );
  return lines.map((line, index) => `${index === 0 ? '-' : ' '} ${line}`).join('\n');
}
