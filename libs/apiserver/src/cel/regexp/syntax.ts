import { RuneSet } from './rune-set.js';

/** A parsed regular expression. */
export type Node =
  | { readonly kind: 'empty' }
  | { readonly kind: 'none' }
  | { readonly kind: 'set'; readonly set: RuneSet }
  | { readonly kind: 'assert'; readonly assertion: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | {
      readonly kind: 'repeat';
      readonly part: Node;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
    };

export type Assertion = 'textStart' | 'textEnd' | 'lineStart' | 'lineEnd' | 'word' | 'notWord';

/** A pattern that Go's regexp package would refuse, in its words. */
export class RegexpSyntaxError extends Error {
  constructor(code: string, part: string) {
    super(`error parsing regexp: ${code}: \`${part}\``);
    this.name = 'RegexpSyntaxError';
  }
}
