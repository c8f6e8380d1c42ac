import type { MatcherContext } from 'expect';
import type { OperatorMatchers } from './matchers/operator-matchers.js';

export { operatorMatchers } from './matchers/operator-matchers.js';
export type { OperatorMatchers } from './matchers/operator-matchers.js';

/** What Jest calls matchers with. The import makes every compiler load the module whose interface grows below. */
export type JestMatcherContext = MatcherContext;

declare module 'expect' {
  // The parameters have to be those of Jest's own declaration.
  // eslint-disable-next-line no-unused-vars
  interface Matchers<R extends void | Promise<void>, T = unknown> extends OperatorMatchers<R> {}
}
