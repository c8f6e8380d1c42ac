/** All that rules of custom resources need; loaded when there are any. */
export { definitionRuleCauses } from './definition-rules.js';
export { evaluateDefault, evaluateRules, type RuleFindings } from './rule-evaluation.js';
export { ruleTree, type RuleTree } from './rule-tree.js';
