import { isDeepStrictEqual } from 'node:util';
import { divergences, type Divergence } from './divergences.js';
import type { Transcript } from './run-case.js';
import type { ConformanceCase } from './session.js';

/** How a case came out: like the real server, otherwise with a reason, or neither. */
export type Outcome = 'equal' | 'divergent' | 'failed';

/** Compares what the embedded server said in a case with what the real one said. */
export function outcomeOf(
  entry: Pick<ConformanceCase, 'group' | 'name'>,
  embedded: Transcript,
  real: Transcript,
  known: readonly Divergence[] = divergences,
): Outcome {
  const listed = known.some((divergence) => divergence.group === entry.group && divergence.case === entry.name);
  const equal = isDeepStrictEqual(embedded, real);
  if (equal) return listed ? 'failed' : 'equal';
  return listed ? 'divergent' : 'failed';
}
