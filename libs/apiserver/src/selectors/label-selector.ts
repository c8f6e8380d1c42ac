import { labelValueRule, namePartRule, qualifiedKeyRule, subdomainRule } from '../name-rules.js';
import { errors } from '../status.js';

type Labels = Readonly<Record<string, string>> | undefined;
export type LabelMatcher = (labels: Labels) => boolean;

const operators = new Set(['in', 'notin']);

/** Compiles a label selector; undefined when it selects everything. Throws 400 for a selector that cannot be read. */
export function parseLabelSelector(text: string): LabelMatcher | undefined {
  const tokens = text.match(/[^\s,()=!<>]+|==|!=|=|!|,|\(|\)|<|>/g) ?? [];
  if (tokens.length === 0) return undefined;
  let at = 0;
  if (/^[,()=<>]|^!=/.test(tokens[0]!)) {
    throw errors.badRequest(`found '${tokens[0]}', expected: !, identifier, or 'end of string'`);
  }
  const fail = (found: string | undefined, expected: string): never => {
    throw errors.badRequest(
      `unable to parse requirement: found '${found ?? ''}'${expected === "'('" ? '' : ','} expected: ${expected}`,
    );
  };
  const word = (expected: string): string => {
    const token = tokens[at];
    if (token === undefined || /^[,()=!<>]/.test(token)) return fail(token, expected);
    at++;
    return token;
  };
  const matchers: LabelMatcher[] = [];
  for (;;) {
    matchers.push(requirement());
    if (at >= tokens.length) break;
    if (tokens[at] !== ',') {
      throw errors.badRequest(`found '${tokens[at]}', expected: ',' or 'end of string'`);
    }
    at++;
    const next = tokens[at];
    if (next === undefined || /^[,()=<>]/.test(next)) {
      throw errors.badRequest(`found '${next ?? ''}', expected: identifier after ','`);
    }
  }
  return (labels) => matchers.every((matches) => matches(labels));

  function requirement(): LabelMatcher {
    if (tokens[at] === '!') {
      at++;
      const absent = checkKey(word('identifier'));
      return (labels) => labels?.[absent] === undefined;
    }
    const key = checkKey(word("!, identifier, or 'end of string'"));
    const operator = tokens[at];
    if (operator === undefined || operator === ',') return (labels) => labels?.[key] !== undefined;
    at++;
    if (operator === '=' || operator === '==' || operator === '!=') {
      const next = tokens[at];
      const value = next === undefined || next === ',' ? '' : checkValue(key, word('identifier'));
      return operator === '!=' ? (labels) => labels?.[key] !== value : (labels) => labels?.[key] === value;
    }
    if (operator === '<' || operator === '>') {
      const text = tokens[at] === undefined || tokens[at] === ',' ? '' : word('identifier');
      if (!/^[+-]?\d+$/.test(text)) {
        throw errors.badRequest(
          `unable to parse requirement: values[0]: Invalid value: ${JSON.stringify(text)}: for 'Gt', 'Lt' operators, the value must be an integer`,
        );
      }
      const limit = Number(text);
      return (labels) => {
        const value = labels?.[key];
        return (
          value !== undefined &&
          /^-?\d+$/.test(value) &&
          (operator === '<' ? Number(value) < limit : Number(value) > limit)
        );
      };
    }
    if (!operators.has(operator)) fail(operator, 'in, notin, =, ==, !=, gt, lt');
    if (tokens[at] !== '(') fail(tokens[at], "'('");
    at++;
    const values = new Set<string>();
    for (;;) {
      const next = tokens[at];
      values.add(next === ',' || next === ')' ? '' : checkValue(key, word("',', ')' or identifier")));
      if (tokens[at] === ',') at++;
      else if (tokens[at] === ')') break;
      else fail(tokens[at], "',' or ')'");
    }
    at++;
    return operator === 'in'
      ? (labels) => labels?.[key] !== undefined && values.has(labels[key])
      : (labels) => labels?.[key] === undefined || !values.has(labels[key]);
  }
}

const checkKey = (key: string): string => {
  const refuse = (why: string): never => {
    throw errors.badRequest(`unable to parse requirement: <nil>: Invalid value: ${JSON.stringify(key)}: ${why}`);
  };
  const parts = key.split('/');
  if (parts.length > 2) refuse(qualifiedKeyRule);
  const name = parts.at(-1)!;
  if (parts.length === 2 && parts[0] === '') refuse('prefix part must be non-empty');
  if (parts.length === 2 && !/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(parts[0]!)) {
    refuse(`prefix part ${subdomainRule}`);
  }
  if (!/^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/.test(name)) {
    refuse(name === '' ? `name part must be non-empty; ${namePartRule}` : namePartRule);
  }
  if (name.length > 63) refuse('name part must be no more than 63 bytes');
  return key;
};

const checkValue = (key: string, value: string): string => {
  const why =
    value.length > 63
      ? 'must be no more than 63 bytes'
      : /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/.test(value)
        ? undefined
        : labelValueRule;
  if (why !== undefined) {
    throw errors.badRequest(
      `unable to parse requirement: values[0][${key}]: Invalid value: ${JSON.stringify(value)}: ${why}`,
    );
  }
  return value;
};
