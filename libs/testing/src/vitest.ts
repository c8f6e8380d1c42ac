import type { OperatorMatchers } from './matchers/operator-matchers.js';

export { operatorMatchers } from './matchers/operator-matchers.js';
export type { OperatorMatchers } from './matchers/operator-matchers.js';

declare module 'vitest' {
  // The parameters have to be those of Vitest's own declaration.
  interface Matchers<
    R extends void | Promise<void> = void | Promise<void>,
    // eslint-disable-next-line no-unused-vars
    T = unknown,
  > extends OperatorMatchers<R> {}
}
