import 'reflect-metadata';
import { createOperatorTestingModule, type OperatorTestingModule } from '@nestjs-operator/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppModule } from './app.module.js';
import { configMaps } from './page.service.js';
import { Site } from './site.js';

const ada = { name: 'ada', namespace: 'default' };
let t: OperatorTestingModule;

beforeEach(async () => {
  t = await createOperatorTestingModule({ imports: [AppModule], crds: [Site] });
});
afterEach(() => t.close());

test('publishes a page, follows its title, and withdraws it', async () => {
  await t.client.create(Site, { metadata: ada, spec: { title: 'Ada' } });
  await t.settled();
  expect((await t.client.get(Site, ada)).status).toEqual({ page: 'ada' });

  await t.client.patch(Site, ada, { spec: { title: 'Countess' } });
  await t.settled();
  expect((await t.client.get(configMaps, ada)).data).toEqual({ 'index.html': '<h1>Countess</h1>' });

  await t.client.delete(Site, ada);
  await t.settled();
  await expect(t.client.get(Site, ada)).rejects.toMatchObject({ status: 404 });
  expect(t.logs.find({ level: 'error' })).toEqual([]);
});

test('needs three writes for a new site', async () => {
  await t.settled();
  t.api.requests.clear();
  await t.api.create({ apiVersion: 'web.example/v1', kind: 'Site', metadata: ada, spec: { title: 'Ada' } });
  await t.settled();
  const writes = t.api.requests.filter(({ verb, resource }) => verb === 'patch' && resource === 'sites');
  expect(writes.map(({ subresource }) => subresource)).toEqual([undefined, 'status', undefined]);
});
