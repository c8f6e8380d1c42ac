import type { ObjectMeta } from '../engine/kube-object.js';

type IsAny<T> = 0 extends 1 & T ? true : false;

/** What JSON makes of a value: dates are texts. */
type AsJson<T> =
  IsAny<T> extends true
    ? T
    : T extends Date
      ? string
      : T extends readonly (infer Element)[]
        ? AsJson<Element>[]
        : T extends object
          ? { [Key in keyof T]: AsJson<T[Key]> }
          : T;

/**
 * A type of `@kubernetes/client-node` as it is stored and handed to handlers: `Stored<V1Pod>`.
 *
 * Dates are texts, since no client decodes them here; `apiVersion`, `kind` and `metadata` are always there.
 */
export type Stored<T> = AsJson<Omit<T, 'apiVersion' | 'kind' | 'metadata'>> & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
};
