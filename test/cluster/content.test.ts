import 'reflect-metadata';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { contentSuite } from '../e2e/suite/content.suite.js';
import { createRealWorld } from '../support/real-world.js';
import { sharedControlPlane } from './control-plane.js';

function readText(path: string): Promise<string> {
  const { url, caData, address } = sharedControlPlane();
  return new Promise((resolve, reject) => {
    request(
      new URL(path, url),
      {
        ca: Buffer.from(caData, 'base64'),
        agent: false,
        headers: { authorization: `Bearer ${address.adminToken}` },
      },
      (response) => {
        text(response).then(resolve, reject);
      },
    )
      .on('error', reject)
      .end();
  });
}

contentSuite(createRealWorld, (_world, path) => readText(path));
