import { connectControlPlane, type ControlPlaneAddress } from '@nestjs-operator/testing/control-plane';
import { expect, inject, it } from 'vitest';
import { prepare } from './conformance/run-case.js';
import type { Target } from './conformance/target.js';
import { checkHistories } from './properties/suite.js';

it('every view of a collection of the real server tells the same history: seed 1', async () => {
  const address = inject('controlPlane' as never) as ControlPlaneAddress;
  const real: Target = {
    name: 'real',
    url: address.url,
    token: address.adminToken,
    ca: Buffer.from(address.caData, 'base64').toString(),
    compact: () =>
      connectControlPlane(address)
        .compact()
        .then(() => undefined),
  };
  await prepare(real);
  const logs = await checkHistories(real, { seed: 1, clients: 4, writes: 40, samples: 10 });
  expect([...logs.values()].flat().length).toBeGreaterThan(50);
});
