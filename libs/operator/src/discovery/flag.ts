import type { HandlerDeclaration } from '../decorators/handler-declaration.js';

/** An option that is true or false; absent is false. */
export function flag(options: HandlerDeclaration['options'], name: string, say: (problem: string) => void): boolean {
  const value = options[name];
  if (value !== undefined && typeof value !== 'boolean') say(`option "${name}" is neither true nor false`);
  return value === true;
}
