import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { caseList, type Group } from './conformance/case-list.js';
import { allCases } from './conformance/cases/index.js';
import { stepCases } from './conformance/cases/steps.cases.js';
import { divergences, type Divergence } from './conformance/divergences.js';
import { startEmbeddedTarget, type EmbeddedTarget } from './conformance/embedded-target.js';
import { goldenOf, readGoldens } from './conformance/goldens.js';
import { conformancePage, matrix, pageFile } from './conformance/page.js';
import { Report } from './conformance/report.js';
import { runCase } from './conformance/run-case.js';
import { outcomeOf, type Outcome } from './conformance/verdict.js';

const goldens = readGoldens();
const report = new Report();
const names = ({ group, name }: { group: string; name: string }): string => `${group}: ${name}`;

afterAll(() => console.log(matrix(report).join('\n')));

describe.each([...new Set(allCases.map(({ group }) => group))])('as the real server recorded it: %s', (group) => {
  let embedded: EmbeddedTarget;

  beforeAll(async () => {
    embedded = await startEmbeddedTarget();
  });

  afterAll(() => embedded.close());

  it.each(allCases.filter((entry) => entry.group === group))('$name', async (entry) => {
    let outcome: Outcome = 'failed';
    try {
      const golden = goldenOf(goldens, entry);
      const transcript = await runCase(embedded, entry);
      expect(embedded.bugs()).toEqual([]);
      if (golden === undefined) expect.fail('there is no record of this case; record it with the cluster tests');
      outcome = outcomeOf(entry, transcript, golden);
      if (outcome === 'divergent') expect(transcript).not.toStrictEqual(golden);
      else expect(transcript).toStrictEqual(golden);
      expect(outcome, 'it is listed as a divergence but does not differ').not.toBe('failed');
    } finally {
      report.add(group, outcome);
    }
  });

  afterAll(() => report.write());
});

// The cluster tests see that what was recorded is still what the real server says.
it('[TC-71] answers like the real server over one table of steps, from creation to a successor and lost history', async () => {
  const embedded = await startEmbeddedTarget();
  try {
    const entry = stepCases[0]!;
    const transcript = await runCase(embedded, entry);
    expect(transcript.length).toBeGreaterThan(30);
    expect(transcript).toStrictEqual(goldenOf(goldens, entry));
    expect(divergences.filter((divergence) => divergence.case === entry.name)).toEqual([]);
  } finally {
    await embedded.close();
  }
});

describe('the list of cases', () => {
  it('names every case', () => {
    const listed = Object.entries(caseList).flatMap(([group, titles]) => titles.map((name) => names({ group, name })));
    const registered = allCases.map(names);
    expect(registered.toSorted()).toEqual(listed.toSorted());
    expect(new Set(listed).size).toBe(listed.length);
  });

  it('has the eighteen groups, none of them empty, and the cases come in their order', () => {
    const groups = Object.keys(caseList);
    expect(groups).toHaveLength(18);
    expect([...new Set(allCases.map(({ group }) => group))]).toEqual(groups);
  });
});

describe('the divergences', () => {
  it('name cases that exist, each once, with a reason', () => {
    const listed = divergences.map((divergence) => names({ group: divergence.group, name: divergence.case }));
    expect(listed.filter((name) => !allCases.map(names).includes(name))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
    for (const { reason } of divergences) expect(reason).toMatch(/^[A-Z].{30,}\.$/s);
  });

  it('are none in watch, list, delete, finalizers, patch and status, and three in a hundred at most', () => {
    const exact: readonly Group[] = ['watch', 'list', 'selectors', 'delete', 'namespaces', 'patch', 'status'];
    const isExact = ({ group, case: name }: Divergence): boolean => exact.includes(group) || name.includes('finalizer');
    expect(divergences.filter(isExact)).toEqual([]);
    expect(divergences.length).toBeLessThanOrEqual(allCases.length * 0.03);
  });
});

describe('the records', () => {
  it('hold no case that is gone', () => {
    expect(goldens.map(names).toSorted()).toEqual(allCases.map(names).toSorted());
  });
});

describe('docs/conformance.md', () => {
  it('says what this run says', async () => {
    const { total } = report;
    const all = total.equal + total.divergent + total.failed;
    expect(all, 'run the whole file').toBe(allCases.length);
    expect(total.equal).toBeGreaterThanOrEqual(all * 0.97);
    await expect(conformancePage(report), 'run `npm run conformance:update`').toMatchFileSnapshot(pageFile);
  });
});
