import { unlimited } from './parser.js';
import type { RuneSet } from './rune-set.js';
import { RegexpSyntaxError, type Assertion, type Node } from './syntax.js';

/** One step of a compiled expression; numbers are steps to go on with, the preferred one first. */
export type Step =
  | { readonly op: 'rune'; readonly set: RuneSet; next: number }
  | { readonly op: 'assert'; readonly assertion: Assertion; next: number }
  | { readonly op: 'split'; next: number; other: number }
  | { readonly op: 'match' }
  | { readonly op: 'fail' };

export interface Program {
  readonly steps: readonly Step[];
  readonly start: number;
}

const mostSteps = 1_000_000;

/** Turns a parsed expression into steps. Throws RegexpSyntaxError for one that is too large. */
export function compileProgram(node: Node, pattern: string): Program {
  const steps: Step[] = [{ op: 'match' }, { op: 'fail' }];
  const add = (step: Step): number => {
    if (steps.length >= mostSteps) throw new RegexpSyntaxError('expression too large', pattern);
    return steps.push(step) - 1;
  };
  // Each part is compiled after what follows it.
  const compile = (part: Node, next: number): number => {
    switch (part.kind) {
      case 'empty':
        return next;
      case 'none':
        return 1;
      case 'set':
        return add({ op: 'rune', set: part.set, next });
      case 'assert':
        return add({ op: 'assert', assertion: part.assertion, next });
      case 'sequence':
        return part.parts.reduceRight((after, each) => compile(each, after), next);
      case 'choice':
        return part.options
          .map((option) => compile(option, next))
          .reduceRight((other, first) => add({ op: 'split', next: first, other }));
      case 'repeat':
        return repeat(part, next);
    }
  };
  const split = (into: number, past: number, lazy: boolean): Step =>
    lazy ? { op: 'split', next: past, other: into } : { op: 'split', next: into, other: past };
  const repeat = ({ part, min, max, lazy }: Node & { kind: 'repeat' }, next: number): number => {
    let after = next;
    if (max === unlimited) {
      const loop = add({ op: 'split', next: 0, other: 0 }) as number;
      const body = compile(part, loop);
      Object.assign(steps[loop]!, split(body, next, lazy));
      after = min === 0 ? loop : body;
      for (let count = 1; count < min; count++) after = compile(part, after);
      return after;
    }
    for (let count = min; count < max; count++) after = add(split(compile(part, after), next, lazy));
    for (let count = 0; count < min; count++) after = compile(part, after);
    return after;
  };
  return { start: compile(node, 0), steps };
}
