import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApiServer } from '../src/index.js';
import { startEmbeddedTarget, type EmbeddedTarget } from './conformance/embedded-target.js';
import { send } from './conformance/target.js';
import { definitionFile } from './definitions/definition-files.js';
import { runTrials } from './definitions/run-trials.js';
import { allTrials } from './definitions/trials/all-trials.js';

let embedded: EmbeddedTarget;

beforeAll(async () => {
  embedded = await startEmbeddedTarget();
});

afterAll(async () => {
  expect(embedded.bugs()).toEqual([]);
  await embedded.close();
});

runTrials(allTrials, () => embedded);

it('has a trial of every definition', () => {
  const files = readdirSync(new URL('./definitions', import.meta.url)).filter((name) => name.endsWith('.yaml'));
  expect(allTrials.map(({ plural }) => `${plural}.yaml`).toSorted()).toEqual(files.toSorted());
});

it('starts with all of them', async () => {
  const definitions = allTrials.map(({ plural }) => definitionFile(plural));
  const api = await startApiServer({ crds: definitions });
  try {
    for (const { spec } of definitions) {
      const { name } = spec.versions.find(({ storage }) => storage)!;
      const target = { name: 'embedded' as const, url: api.url, compact: () => Promise.resolve() };
      const { status } = await send(target, {
        method: 'GET',
        path: `/apis/${spec.group}/${name}/${spec.names.plural}`,
      });
      expect(status).toBe(200);
    }
  } finally {
    await api.close();
  }
});
