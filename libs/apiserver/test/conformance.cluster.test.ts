import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { allCases } from './conformance/cases/index.js';
import { prepare, readGoldens, runCase, writeGoldens, type Golden } from './conformance/run-case.js';
import type { Target } from './conformance/target.js';

// Set to write down what the real server says instead of comparing it.
const recording = process.env['APISERVER_RECORD_GOLDENS'] === '1';
const recorded: Golden[] = [];

let real: Target;

beforeAll(async () => {
  const { url, adminToken, caData } = inject('controlPlane' as never) as {
    url: string;
    adminToken: string;
    caData: string;
  };
  real = { name: 'real', url, token: adminToken, ca: Buffer.from(caData, 'base64').toString() };
  await prepare(real);
});

afterAll(() => {
  if (recording) writeGoldens(recorded);
});

describe.each([...new Set(allCases.map((entry) => entry.group))])(
  'the record of the real server is up to date: %s',
  (group) => {
    it.each(allCases.filter((entry) => entry.group === group))('$name', async (entry) => {
      const transcript = await runCase(real, entry);
      recorded.push({ group, name: entry.name, transcript });
      expect(transcript.length).toBeGreaterThan(0);
      if (recording) return;
      const golden = readGoldens().find((record) => record.group === group && record.name === entry.name);
      expect(transcript).toEqual(golden?.transcript);
    });
  },
);
