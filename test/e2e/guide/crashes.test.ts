import 'reflect-metadata';
import { crashAfterEveryWrite } from '@nestjs-operator/testing';
import { expect, test } from 'vitest';
import { AppModule } from './app.module.js';
import { Site } from './site.js';

const site = { apiVersion: 'web.example/v1', kind: 'Site', name: 'ada', namespace: 'default' };

test('bears a crash at each of its writes', async () => {
  const { problems } = await crashAfterEveryWrite({
    imports: [AppModule],
    crds: [Site],
    async workload({ api, settled }) {
      await api.create({ ...site, metadata: { name: 'ada', namespace: 'default' }, spec: { title: 'Ada' } });
      await settled();
      await api.patch(site, { spec: { title: 'Countess' } });
      await settled();
      await api.delete(site);
      await settled();
    },
  });
  expect(problems).toEqual([]);
}, 60_000);
