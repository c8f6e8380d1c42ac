import 'reflect-metadata';
import { createOperatorTestingModule, TestStage } from '@nestjs-operator/testing';
import { expect, test } from 'vitest';
import { AppModule } from './app.module.js';
import { configMaps } from './page.service.js';
import { Site } from './site.js';

const ada = { name: 'ada', namespace: 'default' };
const site = { apiVersion: 'web.example/v1', kind: 'Site', metadata: ada, spec: { title: 'Ada' } };

test('does not publish twice when a write of its own fails', async () => {
  const t = await createOperatorTestingModule({ imports: [AppModule], crds: [Site] });
  const fault = t.api.faults.add({
    match: { verb: 'patch', resource: 'sites', subresource: 'status', times: 1 },
    do: { action: 'answer', status: 500, reason: 'InternalError', message: 'not now' },
  });
  await t.api.create(site);
  await t.settled();
  expect(fault.hits).toBe(1);
  expect(t.logs.find({ message: 'Processing an object failed; it is throttled' })).toHaveLength(1);

  await t.clock.advance(1_000); // the first step of the throttle
  expect((await t.client.get(Site, ada)).status).toEqual({ page: 'ada' });
  const published = t.api.requests.filter(({ verb, resource }) => verb === 'create' && resource === 'configmaps');
  expect(published).toHaveLength(1);
  await t.close();
});

test('catches up after a restart with what changed meanwhile', async () => {
  const stage = await TestStage.start({ crds: [Site], objects: [site] });
  const first = await createOperatorTestingModule({ imports: [AppModule], stage });
  await stage.settled();
  await first.close();

  await stage.api.apply({ ...site, spec: { title: 'Countess' } });
  const second = await createOperatorTestingModule({ imports: [AppModule], stage });
  await stage.settled();
  expect((await second.client.get(configMaps, ada)).data).toEqual({ 'index.html': '<h1>Countess</h1>' });
  await second.close();
  await stage.close();
});
