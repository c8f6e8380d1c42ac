import { describe, expect, it } from 'vitest';
import { allCases, pendingCases } from './conformance/cases/index.js';
import { conformanceDefinition, readGoldens, runCase } from './conformance/run-case.js';
import { server } from './support/fixtures.js';

const goldens = readGoldens();

describe.each([...new Set(allCases.map((entry) => entry.group))])('as the real server recorded it: %s', (group) => {
  const cases = allCases.filter((entry) => entry.group === group);

  it.each(cases)('$name', async (entry) => {
    const api = await server({ crds: [conformanceDefinition] });
    const transcript = await runCase({ name: 'embedded', url: api.url }, entry);
    const golden = goldens.find((record) => record.group === group && record.name === entry.name)?.transcript;
    expect(golden, 'there is no record of this case; record it with the cluster tests').toBeDefined();
    if (entry.divergence === undefined) expect(transcript).toEqual(golden);
    else expect(transcript, 'it is listed as a divergence but does not differ').not.toEqual(golden);
  });
});

it('has no record of a case that is gone', () => {
  const names = ({ group, name }: { group: string; name: string }): string => `${group}: ${name}`;
  expect(goldens.map(names).toSorted()).toEqual([...allCases, ...pendingCases].map(names).toSorted());
});
