import type { ControlPlaneAddress } from '@nestjs-operator/testing/control-plane';
import { inject } from 'vitest';
import { runTrials } from './definitions/run-trials.js';
import { allTrials } from './definitions/trials/all-trials.js';

// What the embedded server is held to, said of the real one.
runTrials(allTrials, () => {
  const address = inject('controlPlane' as never) as ControlPlaneAddress;
  return {
    name: 'real',
    url: address.url,
    token: address.adminToken,
    ca: Buffer.from(address.caData, 'base64').toString(),
    compact: () => Promise.reject(new Error('definitions need no history')),
  };
});
