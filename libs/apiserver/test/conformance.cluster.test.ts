import { isDeepStrictEqual } from 'node:util';
import { connectControlPlane, type ControlPlaneAddress } from '@nestjs-operator/testing/control-plane';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { allCases } from './conformance/cases/index.js';
import { startEmbeddedTarget, type EmbeddedTarget } from './conformance/embedded-target.js';
import { goldenOf, readGoldens, recordedVersion, writeGoldens, type Golden } from './conformance/goldens.js';
import { Report } from './conformance/report.js';
import { prepare, runCase } from './conformance/run-case.js';
import type { ConformanceCase } from './conformance/session.js';
import type { Target } from './conformance/target.js';
import { outcomeOf, type Outcome } from './conformance/verdict.js';

// Names groups, by comma, or is `all`: what the real server says about them is written down instead of compared.
const recorded = process.env['APISERVER_RECORD_GOLDENS']?.split(',');
const groups = [...new Set(allCases.map(({ group }) => group))].filter(
  (group) => recorded === undefined || recorded.includes('all') || recorded.includes(group),
);

// Their cases keep to namespaces and names of their own; much of their time is spent waiting for the real server.
const besideOthers = new Set([
  'create',
  'replace',
  'delete',
  'list',
  'watch',
  'selectors',
  'status',
  'patch',
  'namespaces',
  'discovery',
  'negotiation',
  'events',
]);

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

if (recorded === undefined) {
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

    const entries = allCases.filter((entry) => entry.group === group);
    const isAlone = (entry: ConformanceCase): boolean => entry.alone === true || !besideOthers.has(group);
    it.concurrent.each(entries.filter((entry) => !isAlone(entry)))('$name', compare);
    it.each(entries.filter(isAlone))('$name', compare);

    afterAll(() => report.write());
  });
} else {
  describe.each(groups)('is recorded: %s', (group) => {
    const goldens: Golden[] = [];

    it.each(allCases.filter((entry) => entry.group === group))('$name', async (entry) => {
      const transcript = await runCase(real, entry);
      expect(transcript.length).toBeGreaterThan(0);
      goldens.push({ group, name: entry.name, transcript });
    });

    afterAll(() => writeGoldens(group, goldens));
  });
}
