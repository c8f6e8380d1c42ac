import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { allCases, pendingCases } from './conformance/cases/index.js';
import { prepare, readGoldens, runCase, writeGoldens, type Golden } from './conformance/run-case.js';
import type { Target } from './conformance/target.js';

// Names groups, by comma, or is `all`: what the real server says about them is written down instead of compared.
const wanted = process.env['APISERVER_RECORD_GOLDENS'];
const groups = [...new Set([...allCases, ...pendingCases].map((entry) => entry.group))].filter((name) =>
  wanted === undefined
    ? allCases.some((entry) => entry.group === name)
    : wanted === 'all' || wanted.split(',').includes(name),
);

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

describe.each(groups)('the record of the real server is up to date: %s', (group) => {
  const recorded: Golden[] = [];

  it.each([...allCases, ...pendingCases].filter((entry) => entry.group === group))('$name', async (entry) => {
    const transcript = await runCase(real, entry);
    recorded.push({ group, name: entry.name, transcript });
    expect(transcript.length).toBeGreaterThan(0);
    if (wanted !== undefined) return;
    const golden = readGoldens().find((record) => record.group === group && record.name === entry.name);
    expect(transcript).toEqual(golden?.transcript);
  });

  afterAll(() => {
    if (wanted !== undefined) writeGoldens(group, recorded);
  });
});
