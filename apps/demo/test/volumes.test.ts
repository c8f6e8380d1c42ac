import 'reflect-metadata';
import { createOperatorTestingModule, type OperatorTestingModule } from '@nestjs-operator/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readManifest } from '../src/stage/embedded-cluster.js';
import { persistentVolumeClaims, type Claim } from '../src/volumes/claim.service.js';
import { EphemeralVolumeClaim } from '../src/volumes/ephemeral-volume-claim.js';
import { VolumesModule } from '../src/volumes/volumes.module.js';

const scratch = { name: 'scratch', namespace: 'default' };
let t: OperatorTestingModule;

beforeEach(async () => {
  t = await createOperatorTestingModule({ imports: [VolumesModule], crds: [await readManifest('crd')] });
  await t.settled();
});
afterEach(() => t.close());

async function provide(size: string, labels: Record<string, string> = {}): Promise<void> {
  await t.client.create(EphemeralVolumeClaim, { metadata: { ...scratch, labels }, spec: { size } });
  await t.settled();
}

const claim = (): Promise<Claim> => t.client.get(persistentVolumeClaims, scratch);

test('a claim gets a PersistentVolumeClaim of its size and labels, which it owns', async () => {
  await provide('1Gi', { team: 'storage' });
  const { metadata, spec } = await claim();
  expect(spec?.resources?.requests).toEqual({ storage: '1Gi' });
  expect(metadata.labels).toEqual({ team: 'storage' });
  expect(metadata.ownerReferences).toMatchObject([{ kind: 'EphemeralVolumeClaim', name: 'scratch', controller: true }]);
  expect((await t.client.get(EphemeralVolumeClaim, scratch)).status).toEqual({ phase: 'Ready', claimName: 'scratch' });
});

test('it follows size and labels', async () => {
  await provide('1Gi', { team: 'storage' });
  await t.client.patch(EphemeralVolumeClaim, scratch, {
    metadata: { labels: { team: null, tier: 'fast' } },
    spec: { size: '2Gi' },
  });
  await t.settled();
  const { metadata, spec } = await claim();
  expect(spec?.resources?.requests).toEqual({ storage: '2Gi' });
  expect(metadata.labels).toEqual({ tier: 'fast' });
});

test('a size that is none is refused: in the status, in an event, and without another attempt', async () => {
  await provide('quite a lot');
  const { status } = await t.client.get(EphemeralVolumeClaim, scratch);
  expect(status).toMatchObject({ phase: 'Refused', message: expect.stringContaining('quite a lot') as string });
  const events = await t.api.list({ apiVersion: 'events.k8s.io/v1', kind: 'Event' });
  expect(events).toMatchObject([{ type: 'Warning', reason: 'HandlerGaveUp' }]);
  await t.clock.advance(3_600_000);
  expect(t.logs.find({ message: 'Handler failed for good' })).toHaveLength(1);
});

test('a corrected size is taken', async () => {
  await provide('quite a lot');
  await t.client.patch(EphemeralVolumeClaim, scratch, { spec: { size: '1Gi' } });
  await t.settled();
  expect((await claim()).spec?.resources?.requests).toEqual({ storage: '1Gi' });
  expect((await t.client.get(EphemeralVolumeClaim, scratch)).status).toEqual({ phase: 'Ready', claimName: 'scratch' });
});

test('a claim that somebody deletes is made again, with the present size', async () => {
  await provide('1Gi');
  await t.client.patch(EphemeralVolumeClaim, scratch, { spec: { size: '2Gi' } });
  await t.settled();
  const { uid } = (await claim()).metadata;
  await t.client.delete(persistentVolumeClaims, scratch);
  await t.settled();
  const again = await claim();
  expect(again.metadata.uid).not.toBe(uid);
  expect(again.spec?.resources?.requests).toEqual({ storage: '2Gi' });
});

test('the claim goes with its owner', async () => {
  await provide('1Gi');
  await t.client.delete(EphemeralVolumeClaim, scratch);
  await t.settled();
  await expect(claim()).rejects.toMatchObject({ status: 404 });
});
