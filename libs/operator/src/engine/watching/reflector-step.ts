import type { ApiError } from '../../errors/api.error.js';
import type { MalformedObjectError } from '../../errors/malformed-object.error.js';

/**
 * What the reflector does next. It does one thing at a time, so it never has two streams.
 *
 * - `list`: ask for the whole state. `repeated`: the list before showed less than was known. `whole`: without pages.
 * - `watch`: follow from the last version, for as long as usual or for that long.
 * - `probe`: see whether that version is one the server has reached.
 * - `wait`: let a back-off pass, then go on with `next`.
 * - `await-kind`: ask discovery until the kind is served.
 */
export type ReflectorStep =
  | { readonly do: 'list'; readonly from: 'unset' | 'last'; readonly repeated?: boolean; readonly whole?: boolean }
  | { readonly do: 'watch'; readonly timeoutSeconds?: number }
  | { readonly do: 'probe' }
  | { readonly do: 'wait'; readonly delay: number; readonly next: ReflectorStep }
  | { readonly do: 'await-kind' };

/** Why the reader of a stream had enough of it. */
export type StreamVerdict =
  | { readonly is: 'error-event'; readonly error: ApiError }
  | { readonly is: 'broken'; readonly problem: string }
  | { readonly is: 'malformed'; readonly error: MalformedObjectError }
  | { readonly is: 'regress'; readonly version: string }
  | { readonly is: 'no-initial-end' };
