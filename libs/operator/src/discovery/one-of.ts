import type { HandlerDeclaration } from '../decorators/handler-declaration.js';

/** An option that is one of some words; absent is the first. */
export function oneOf<T extends string>(
  options: HandlerDeclaration['options'],
  name: string,
  [first, ...others]: readonly [T, ...T[]],
  say: (problem: string) => void,
): T {
  const value = options[name];
  const found = [first, ...others].find((choice) => choice === value);
  if (value !== undefined && found === undefined)
    say(`option "${name}" is none of "${[first, ...others].join('", "')}"`);
  return found ?? first;
}
