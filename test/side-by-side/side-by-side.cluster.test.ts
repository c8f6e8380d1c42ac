import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { installKopf } from '../../libs/apiserver/test/clients/kopf/install-kopf.js';
import { buildTimeout } from '../../libs/apiserver/test/clients/support/build-once.js';
import { sharedControlPlane } from '../cluster/control-plane.js';
import { createRealWorld } from '../support/real-world.js';
import { CountingProxy } from './counting-proxy.js';
import { KopfContender } from './kopf-contender.js';
import { OurContender } from './our-contender.js';
import { comparisonPage } from './page.js';
import { runScenarios } from './run-scenarios.js';

const page = join(import.meta.dirname, '../../docs/side-by-side-with-kopf.md');
let python: string;

beforeAll(async () => {
  python = await installKopf();
}, buildTimeout);

/** How many writes Kopf makes depends on what falls into its pauses; what is called and what is left does not. */
const withoutKopfWrites = (text: string): string => text.replaceAll(/^\| writes +\| \d+ +/gm, '| writes ');

test('the same ten scenarios with Kopf and with this project, on a real server', { timeout: 300_000 }, async () => {
  const { url, caData, address } = sharedControlPlane();
  const upstream = { url, ca: Buffer.from(caData, 'base64').toString('utf8'), token: address.adminToken };
  const [kopfProxy, ourProxy] = [await CountingProxy.start(upstream), await CountingProxy.start(upstream)];
  const [kopfWorld, ourWorld] = [await createRealWorld(), await createRealWorld()];
  const kopf = await KopfContender.create(kopfWorld.namespace, kopfProxy, python);
  const ours = new OurContender(ourWorld.namespace, ourProxy);
  try {
    const [kopfOutcomes, ourOutcomes] = await Promise.all([
      runScenarios(kopf, kopfWorld.admin),
      runScenarios(ours, ourWorld.admin),
    ]);
    for (const [scenario, { writes }] of ourOutcomes) {
      expect(writes, scenario.name).toBeLessThanOrEqual(kopfOutcomes.get(scenario)!.writes);
    }
    const text = await comparisonPage(kopfOutcomes, ourOutcomes);
    if (process.env['UPDATE_SIDE_BY_SIDE'] === '1') await writeFile(page, text);
    const why = 'run `npm run side-by-side:update`';
    expect(withoutKopfWrites(text), why).toBe(withoutKopfWrites(await readFile(page, 'utf8')));
  } finally {
    await kopf.stop();
    await ours.stop();
    await kopf.remove();
    await kopfWorld.close();
    await ourWorld.close();
    await kopfProxy.close();
    await ourProxy.close();
  }
});
