import { forbiddenCause, invalidCause } from '../../custom/field-causes.js';
import { ruleForm } from '../../custom/definition/rule-form.js';
import type { RuleSite } from '../../custom/definition/rule-site.js';
import type { StatusCause } from '../../status.js';
import { declaredType, largestRequest } from '../schema/declared-type.js';
import { RuleCompiler, type CompiledRule } from './compiled-rule.js';

/** The most that one rule may cost, for all values of an object that it is about. */
const ruleLimit = 10_000_000;
/** The most that all rules of a schema may cost together. */
const totalLimit = 100_000_000;
/** How many rules are named when all together cost too much, and what they cost at least. */
const named = 4;
const leastNamed = totalLimit / 100;

/**
 * What is wrong with the rules of a definition.
 *
 * @param root - where the schema is
 */
export function definitionRuleCauses(sites: readonly RuleSite[], root: string): StatusCause[] {
  const check = new DefinitionRules();
  for (const site of sites) check.look(site);
  return [...check.causes, ...check.totalCauses(root)];
}

class DefinitionRules {
  readonly causes: StatusCause[] = [];
  readonly #costs: { readonly path: string; readonly cost: number }[] = [];

  look(site: RuleSite): void {
    const { schema, path, resource } = site;
    const declared = declaredType(schema, resource, 'selfType1');
    if (declared === undefined) {
      this.causes.push(noType(`${path}.x-kubernetes-validations`));
      return;
    }
    const compiler = new RuleCompiler(declared);
    const times = site.cardinality ?? Math.floor(largestRequest / (declared.minSize + 1));
    for (const [index, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
      this.#lookAt(compiler.compile(rule), `${path}.x-kubernetes-validations[${index}]`, site, times);
    }
  }

  #lookAt(compiled: CompiledRule, path: string, site: RuleSite, times: number): void {
    const { rule, condition, message, usesOldSelf } = compiled;
    const at = `${path}.rule`;
    this.#observe(at, 'estimated rule cost', (condition?.cost ?? 0) * times);
    if (compiled.error !== undefined) this.causes.push(invalidRule(at, compiled, compiled.error));
    if (compiled.messageError !== undefined) {
      this.causes.push(invalidRule(`${path}.messageExpression`, compiled, compiled.messageError));
    } else if (message !== undefined) {
      this.#observe(`${path}.messageExpression`, 'estimated messageExpression cost', message.cost);
    }
    if (usesOldSelf && site.uncorrelatable !== undefined) {
      const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${site.uncorrelatable}`;
      this.causes.push(invalidCause(at, rule.rule, why));
    } else if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
      const why = 'may not be set if oldSelf is not used in rule';
      this.causes.push(invalidCause(`${path}.optionalOldSelf`, rule.optionalOldSelf, why));
    }
  }

  #observe(path: string, what: string, cost: number): void {
    if (cost > ruleLimit) this.causes.push(forbiddenCause(path, tooExpensive(what, cost, ruleLimit)));
    this.#costs.push({ path, cost });
  }

  totalCauses(root: string): StatusCause[] {
    const total = this.#costs.reduce((sum, { cost }) => sum + cost, 0);
    if (total <= totalLimit) return [];
    const most = this.#costs
      .filter(({ cost }) => cost >= leastNamed)
      .toSorted((a, b) => b.cost - a.cost)
      .slice(0, named);
    const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...most.map(({ path }) =>
        forbiddenCause(
          path,
          'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
        ),
      ),
      forbiddenCause(root, tooExpensive(what, total, totalLimit)),
    ];
  }
}

const invalidRule = (field: string, { rule }: CompiledRule, why: string): StatusCause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${ruleForm(rule)}: ${why}`,
  field,
});

const noType = (field: string): StatusCause => ({
  reason: 'InternalError',
  message:
    'Internal error: internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations',
  field,
});

function tooExpensive(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const shown = factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  const help =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${what} exceeds budget by factor of ${shown} (${help})`;
}
