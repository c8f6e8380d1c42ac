import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { connectControlPlane, type ControlPlaneAddress } from '@nestjs-operator/testing/control-plane';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Group } from './conformance/case-list.js';
import { allCases } from './conformance/cases/index.js';
import { startEmbeddedTarget, type EmbeddedTarget } from './conformance/embedded-target.js';
import { goldenOf, readGoldens, recordedVersion, writeGoldens } from './conformance/goldens.js';
import { conformancePage, matrix, pageFile } from './conformance/page.js';
import { Report } from './conformance/report.js';
import { prepare, runCase } from './conformance/run-case.js';
import type { ConformanceCase } from './conformance/session.js';
import type { Target } from './conformance/target.js';
import { outcomeOf, type Outcome } from './conformance/verdict.js';

// Names groups, by comma, or is `all`: what the real server says about them is written down instead of compared.
const wanted = process.env['APISERVER_RECORD_GOLDENS']?.split(',');
const groups = [...new Set(allCases.map(({ group }) => group))].filter(
  (group) => wanted === undefined || wanted.includes('all') || wanted.includes(group),
);

// Their cases share an account, or webhooks whose time-outs count: they run one after another.
const inTurn: ReadonlySet<Group> = new Set(['admission', 'auth']);
const isAlone = ({ group, alone }: ConformanceCase): boolean => alone === true || inTurn.has(group);

/** Runs the cases of a group: beside one another, as much of their time is spent waiting for the real server. */
function runCases(group: Group, run: (entry: ConformanceCase) => Promise<void>): void {
  const entries = allCases.filter((entry) => entry.group === group);
  it.concurrent.each(entries.filter((entry) => !isAlone(entry)))('$name', run);
  it.each(entries.filter(isAlone))('$name', run);
}

/**
 * The real server ends watches, and settles definitions and caches, in a time of its own: a record is out of date when the
 * server says otherwise each time that it is asked.
 */
const mostTries = 3;

const report = new Report();
let real: Target;

async function askReal(entry: ConformanceCase, golden: unknown): Promise<Awaited<ReturnType<typeof runCase>>> {
  for (let tries = 1; ; tries += 1) {
    const transcript = await runCase(real, entry);
    if (tries === mostTries || isDeepStrictEqual(transcript, golden)) return transcript;
  }
}

beforeAll(async () => {
  const address = inject('controlPlane' as never) as ControlPlaneAddress;
  const plane = connectControlPlane(address);
  real = {
    name: 'real',
    url: address.url,
    token: address.adminToken,
    ca: Buffer.from(address.caData, 'base64').toString(),
    compact: () => plane.compact().then(() => undefined),
  };
  expect(plane.version, 'the records are those of another version').toBe(`v${recordedVersion}`);
  await prepare(real);
});

if (wanted === undefined) {
  const goldens = readGoldens();

  describe.each(groups)('on both servers: %s', (group) => {
    let embedded: EmbeddedTarget;

    beforeAll(async () => {
      embedded = await startEmbeddedTarget();
    });

    afterAll(() => embedded.close());

    const compare = async (entry: ConformanceCase): Promise<void> => {
      let outcome: Outcome = 'failed';
      try {
        const [live, transcript] = await Promise.all([
          askReal(entry, goldenOf(goldens, entry)),
          runCase(embedded, entry),
        ]);
        expect(live, 'the record is out of date').toStrictEqual(goldenOf(goldens, entry));
        expect(embedded.bugs()).toEqual([]);
        outcome = outcomeOf(entry, transcript, live);
        if (outcome === 'divergent') expect(transcript).not.toStrictEqual(live);
        else expect(transcript).toStrictEqual(live);
        expect(outcome, 'it is listed as a divergence but does not differ').not.toBe('failed');
      } finally {
        report.add(group, outcome);
      }
    };

    runCases(group, compare);

    afterAll(() => report.write());
  });

  it('comes out as docs/conformance.md says', () => {
    const { equal, divergent, failed } = report.total;
    expect(equal + divergent + failed, 'run the whole file').toBe(allCases.length);
    expect(conformancePage(report)).toBe(readFileSync(pageFile, 'utf8'));
  });

  afterAll(() => console.log(matrix(report).join('\n')));
} else {
  describe.each(groups)('is recorded: %s', (group) => {
    // What is not run this time, by a filter of names, stays as it was.
    const goldens = new Map(readGoldens().map((golden) => [`${golden.group}: ${golden.name}`, golden]));

    runCases(group, async (entry) => {
      const transcript = await runCase(real, entry);
      expect(transcript.length).toBeGreaterThan(0);
      goldens.set(`${group}: ${entry.name}`, { group, name: entry.name, transcript });
    });

    afterAll(() => {
      const entries = allCases.filter((entry) => entry.group === group);
      writeGoldens(
        group,
        entries.flatMap(({ name }) => goldens.get(`${group}: ${name}`) ?? []),
      );
    });
  });
}
