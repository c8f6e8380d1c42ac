import type { HandlerDeclaration } from '../decorators/handler-declaration.js';
import type { ProbePolicy } from '../engine/handling/handler-definition.js';
import { oneOf } from './one-of.js';
import { tryDuration } from './try-duration.js';

type Report = (problem: string) => void;

const defaults = { timeout: 800, maxAge: 10_000 };

/** What `@OnProbe` says of a method; problems go to `report`. */
export function compileProbe(declarations: readonly HandlerDeclaration[], report: Report): ProbePolicy {
  const [first, second] = declarations;
  if (second !== undefined) report(`two @${second.decorator}() on one method: give each its own method`);
  const options = first?.options ?? {};
  const say: Report = (problem) => report(`@OnProbe(): ${problem}`);
  const duration = (name: keyof typeof defaults): number => {
    const value = options[name];
    return value === undefined ? defaults[name] : (tryDuration(value, name, say) ?? defaults[name]);
  };
  const timeout = duration('timeout');
  if (timeout === 0) say('option "timeout" is 0: no call could end in time');
  return {
    fails: oneOf(options, 'fails', ['readiness', 'liveness', 'none'], say),
    timeout,
    maxAge: duration('maxAge'),
  };
}
