import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alterations, rawEntries } from './conformance/alterations.js';
import { allCases } from './conformance/cases/index.js';
import { startEmbeddedTarget, type EmbeddedTarget } from './conformance/embedded-target.js';
import { goldenOf, readGoldens } from './conformance/goldens.js';
import { normalise } from './conformance/normalise.js';
import { runCase } from './conformance/run-case.js';
import { outcomeOf } from './conformance/verdict.js';

const goldens = readGoldens();
const kinds = Object.entries(alterations);

describe('an altered record fails its case', () => {
  it('but an unaltered one does not', () => {
    for (const golden of goldens) {
      expect(outcomeOf(golden, normalise(rawEntries(golden.transcript), new Map()), golden.transcript, [])).toBe(
        'equal',
      );
    }
  });

  it.each(kinds)('%s', (_, alter) => {
    let noticed = 0;
    for (const golden of goldens) {
      const altered = alter(rawEntries(golden.transcript));
      if (altered === undefined) continue;
      const compared = normalise(altered, new Map());
      expect(outcomeOf(golden, compared, golden.transcript, []), `${golden.group}: ${golden.name}`).toBe('failed');
      if (++noticed === 20) break;
    }
    expect(noticed).toBeGreaterThan(0);
  });
});

describe('a server that says something else fails its case', () => {
  let embedded: EmbeddedTarget;

  beforeAll(async () => {
    embedded = await startEmbeddedTarget();
  });

  afterAll(() => embedded.close());

  it.each(kinds)('%s', async (_, alter) => {
    // The first case whose record has such a place.
    const entry = allCases.find((each) => {
      const golden = goldenOf(goldens, each);
      return golden !== undefined && alter(rawEntries(golden)) !== undefined;
    });
    if (entry === undefined) expect.fail('no case has such a place');
    const golden = goldenOf(goldens, entry)!;
    expect(outcomeOf(entry, await runCase(embedded, entry), golden, [])).toBe('equal');
    expect(outcomeOf(entry, await runCase(embedded, entry, alter), golden, [])).toBe('failed');
  });
});
