import { isObject } from '../../json.js';
import type { Schema } from '../../custom/schema.js';
import { declaredType } from '../schema/declared-type.js';
import { RuleCompiler, type CompiledRule } from './compiled-rule.js';
import { findField } from './field-path.js';

/** A rule with what it blames. */
export interface TreeRule extends CompiledRule {
  /** Put behind the path of the value; empty where that is blamed itself. */
  readonly fieldPath: string;
}

/** The rules of a schema, where there are any. */
export interface RuleTree {
  readonly schema: Schema;
  readonly resource: boolean;
  readonly rules: readonly TreeRule[];
  readonly properties: ReadonlyMap<string, RuleTree>;
  /** Of the items of a list, or the members of a map. */
  readonly elements: RuleTree | undefined;
}

/** Compiles all rules of a schema that was accepted; undefined where it has none. */
export function ruleTree(schema: Schema, resource: boolean): RuleTree | undefined {
  const properties = new Map<string, RuleTree>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const tree = ruleTree(property, isResource(property));
    if (tree !== undefined) properties.set(name, tree);
  }
  const element = schema.items ?? (isObject(schema.additionalProperties) ? schema.additionalProperties : undefined);
  const elements = element === undefined ? undefined : ruleTree(element as Schema, isResource(element as Schema));
  const rules = compiledRules(schema, resource);
  if (rules.length === 0 && properties.size === 0 && elements === undefined) return undefined;
  return { schema, resource, rules, properties, elements };
}

const isResource = (schema: Schema): boolean => schema['x-kubernetes-embedded-resource'] === true;

function compiledRules(schema: Schema, resource: boolean): TreeRule[] {
  const rules = schema['x-kubernetes-validations'] ?? [];
  if (rules.length === 0) return [];
  const declared = declaredType(schema, resource, 'selfType1');
  if (declared === undefined) return [];
  const compiler = new RuleCompiler(declared);
  return rules.map((rule) => {
    const found = findField(rule.fieldPath ?? '', schema);
    return { ...compiler.compile(rule), fieldPath: 'problem' in found ? '' : found.path };
  });
}
