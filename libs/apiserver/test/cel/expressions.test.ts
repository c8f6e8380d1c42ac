import { describe, expect, it } from 'vitest';
import { outcome } from './evaluate.js';
import { recordedExpressions, type RecordedExpression } from './recorded.js';

const kindOf = ({ value, failure }: RecordedExpression): string =>
  value !== undefined ? 'have a value' : failure !== undefined ? 'fail' : 'are refused';

/** Records of long texts were cut. */
const longest = 190;
const isAlike = (found: string | undefined, wanted: string | undefined): boolean =>
  found === wanted ||
  (wanted !== undefined && wanted.length > longest && found?.startsWith(wanted.slice(0, longest)) === true);

describe('expressions, as the real server evaluates them', () => {
  const recorded = recordedExpressions();

  it.each(['have a value', 'fail', 'are refused'])('those that %s', (kind) => {
    const cases = recorded.filter((one) => kindOf(one) === kind);
    expect(cases.length).toBeGreaterThan(40);
    const different = cases
      .map((wanted) => ({ wanted, found: outcome(wanted.expression) }))
      .filter(
        ({ wanted, found }) =>
          !isAlike(found.value, wanted.value) ||
          !isAlike(found.failure, wanted.failure) ||
          !isAlike(found.refused, wanted.refused),
      );
    expect(different).toEqual([]);
  });
});
