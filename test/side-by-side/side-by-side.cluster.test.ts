import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@nestjs-operator/testing';
import { KubeClient, type ResourceRef, type StoredObject } from 'nestjs-operator';
import { createApiClient, createLogger } from 'nestjs-operator/internal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installKopf } from '../../libs/apiserver/test/clients/kopf/install-kopf.js';
import { buildTimeout } from '../../libs/apiserver/test/clients/support/build-once.js';
import { defaultConfig } from '../../libs/operator/src/engine/defaults.js';
import { SystemClock } from '../../libs/operator/src/engine/ports/index.js';
import { sharedControlPlane } from '../cluster/control-plane.js';
import { namespaces } from '../support/kinds.js';
import { CountingProxy } from './counting-proxy.js';
import { KopfContender } from './kopf-contender.js';
import { OurContender } from './our-contender.js';
import { comparisonPage } from './page.js';
import { runScenarios } from './run-scenarios.js';
import { specimenDefinition } from './specimen-definition.js';

const definitions: ResourceRef<StoredObject> = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
};
const plane = sharedControlPlane();
const clock = new SystemClock();
const random = { next: () => Math.random() };
const client = createApiClient({
  kubeConfig: plane.kubeConfig(),
  config: defaultConfig.client,
  fieldManager: 'administrator',
  clock,
  random,
  logger: createLogger(() => undefined),
});
const admin = new KubeClient({ client, clock, random, retries: [], fieldManager: 'administrator' });
const suffix = randomBytes(4).toString('hex');
const [kopfNamespace, ourNamespace] = [`side-kopf-${suffix}`, `side-ours-${suffix}`] as const;
const page = join(import.meta.dirname, '../../docs/side-by-side-with-kopf.md');
let python: string;

beforeAll(async () => {
  python = await installKopf();
}, buildTimeout);

beforeAll(async () => {
  await admin.create(specimenDefinition);
  for (const name of [kopfNamespace, ourNamespace]) {
    await admin.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  await eventually(async () => {
    const { status } = (await admin.get(definitions, specimenDefinition.metadata)) as {
      readonly status?: { readonly conditions?: ReadonlyArray<{ readonly type: string; readonly status: string }> };
    };
    return status?.conditions?.some((each) => each.type === 'Established' && each.status === 'True') === true;
  });
});

afterAll(async () => {
  await admin.delete(definitions, specimenDefinition.metadata);
  for (const name of [kopfNamespace, ourNamespace]) await admin.delete(namespaces, { name });
  await client.close();
});

/** How many writes Kopf makes depends on what falls into its pauses; what is called and what is left does not. */
const withoutKopfWrites = (text: string): string => text.replaceAll(/^\| writes +\| \d+ +/gm, '| writes ');

test('the same ten scenarios with Kopf and with this project, on a real server', { timeout: 300_000 }, async () => {
  const { url, caData, address } = plane;
  const upstream = { url, ca: Buffer.from(caData, 'base64').toString('utf8'), token: address.adminToken };
  const [kopfProxy, ourProxy] = [await CountingProxy.start(upstream), await CountingProxy.start(upstream)];
  const kopf = await KopfContender.create(kopfNamespace, kopfProxy, python);
  const ours = new OurContender(ourNamespace, ourProxy);
  try {
    const [kopfOutcomes, ourOutcomes] = await Promise.all([runScenarios(kopf, admin), runScenarios(ours, admin)]);
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
    await kopfProxy.close();
    await ourProxy.close();
  }
});
