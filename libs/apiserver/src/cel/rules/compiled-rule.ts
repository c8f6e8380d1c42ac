import type { CheckedExpression } from '../checker/checked-expression.js';
import { CompileError } from '../checker/checker.js';
import { environmentWith, type Environment } from '../checker/environment.js';
import { checkExpression } from '../compile.js';
import { estimateCost } from '../cost/cost-estimator.js';
import { PlanError } from '../runtime/planner.js';
import { Program } from '../runtime/program.js';
import type { DeclaredType } from '../schema/declared-type.js';
import { children, type Expression } from '../syntax/ast.js';
import { optionalOf, type Type } from '../types/type.js';
import type { Rule } from './rule.js';

/** A part of a rule that is ready to be evaluated, and what it costs at most. */
export interface CompiledPart {
  readonly program: Program;
  readonly cost: number;
}

/** A rule, or what is wrong with it. */
export interface CompiledRule {
  readonly rule: Rule;
  readonly condition: CompiledPart | undefined;
  readonly message: CompiledPart | undefined;
  readonly usesOldSelf: boolean;
  readonly error?: string;
  readonly messageError?: string;
}

/** Compiles the rules of one part of a schema. Rules that are empty are left out by leaving their condition out. */
export class RuleCompiler {
  readonly #plain: Environment;
  readonly #optional: Environment;

  constructor(private readonly declared: DeclaredType) {
    const { type } = declared;
    this.#plain = environmentWith({ self: type, oldSelf: type });
    this.#optional = environmentWith({ self: type, oldSelf: optionalOf(type) });
  }

  compile(rule: Rule): CompiledRule {
    const text = rule.rule ?? '';
    const nothing = { rule, condition: undefined, message: undefined, usesOldSelf: false };
    if (text.trim() === '') return nothing;
    const environment = rule.optionalOldSelf === true ? this.#optional : this.#plain;
    const condition = this.#part(text, environment, 'bool');
    if ('error' in condition) return { ...nothing, error: conditionError(condition) };
    const usesOldSelf = mentions(condition.checked.expression, 'oldSelf');
    const compiled: CompiledRule = { rule, condition, message: undefined, usesOldSelf };
    const messageText = rule.messageExpression ?? '';
    if (messageText.trim() === '') return compiled;
    const message = this.#part(messageText, environment, 'string');
    return 'error' in message ? { ...compiled, messageError: messageError(message) } : { ...compiled, message };
  }

  #part(text: string, environment: Environment, kind: Type['kind']): Part | Problem {
    try {
      const checked = checkExpression(text, environment);
      if (checked.type.kind !== kind) return { error: 'type', text: '' };
      return { checked, program: new Program(checked), cost: estimateCost(checked, this.declared) };
    } catch (error) {
      if (error instanceof CompileError) return { error: 'compile', text: error.message };
      if (error instanceof PlanError) return { error: 'plan', text: error.message };
      throw error;
    }
  }
}

interface Part extends CompiledPart {
  readonly checked: CheckedExpression;
}

interface Problem {
  readonly error: 'type' | 'compile' | 'plan';
  readonly text: string;
}

function conditionError({ error, text }: Problem): string {
  if (error === 'type') return 'cel expression must evaluate to a bool';
  return error === 'compile' ? `compilation failed: ${text}` : `program instantiation failed: ${text}`;
}

function messageError({ error, text }: Problem): string {
  if (error === 'type') return 'messageExpression must evaluate to a string';
  return error === 'compile'
    ? `messageExpression compilation failed: ${text}`
    : `messageExpression instantiation failed: ${text}`;
}

/** Whether an expression refers to a variable, also where a variable of a macro has the same name. */
function mentions(part: Expression, name: string): boolean {
  if (part.kind === 'identifier') return part.name.replace(/^\./, '') === name;
  return children(part).some((child) => mentions(child, name));
}
