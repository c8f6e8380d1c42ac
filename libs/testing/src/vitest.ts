import type { ExpectStatic } from 'vitest';
import type { OperatorMatchers } from './matchers/operator-matchers.js';

export { operatorMatchers } from './matchers/operator-matchers.js';
export type { OperatorMatchers } from './matchers/operator-matchers.js';

/** What the matchers are given to. The import makes every compiler load the module whose interface grows below. */
export type VitestExpect = ExpectStatic;

declare module 'vitest' {
  // The parameters have to be those of Vitest's own declaration.
  interface Matchers<
    R extends void | Promise<void> = void | Promise<void>,
    // eslint-disable-next-line no-unused-vars
    T = unknown,
  > extends OperatorMatchers<R> {}
}
