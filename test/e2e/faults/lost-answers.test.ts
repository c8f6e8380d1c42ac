import 'reflect-metadata';
import { createOperatorTestingModule } from '@nestjs-operator/testing';
import { HandlerContext, KubeClient, OnCreate, ResourceHandlers } from 'nestjs-operator';
import { expect, it, onTestFinished } from 'vitest';

let greeted = 0;

@ResourceHandlers('configmaps')
class GreetingHandlers {
  @OnCreate()
  greet(ctx: HandlerContext): void {
    greeted++;
    ctx.patch.merge({ data: { greeting: 'hello' } });
  }
}

const ref = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' } as const;

it.each([
  ['the answer is lost', { action: 'loseAnswer' }],
  ['the answer is half', { action: 'cut', afterBytes: 20 }],
  ['the connection breaks before the write', { action: 'reset' }],
] as const)('an operator calls its handler once and writes once when %s', async (_, todo) => {
  greeted = 0;
  const testing = await createOperatorTestingModule({ providers: [GreetingHandlers] });
  onTestFinished(() => testing.close());
  const { api, clock } = testing;
  const patch = { verb: 'patch', resource: 'configmaps' } as const;
  const fault = api.faults.add({ match: { ...patch, times: 1 }, do: todo });
  await api.create({ ...ref, metadata: { name: 'a' }, data: {} });
  await testing.settled();
  await clock.advance(60_000);
  expect(fault.hits).toBe(1);
  expect(greeted).toBe(1);
  expect((await api.get(ref))?.['data']).toEqual({ greeting: 'hello' });
  // The revision tells writes that changed something: the object, and the record of the handler with what it patched.
  const writes = api.store.eventsSince('/configmaps', api.store.compactedRevision);
  expect(writes.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED']);
});

it('a client does not repeat a create whose answer was lost, and can tell that it was carried out', async () => {
  const testing = await createOperatorTestingModule({ providers: [GreetingHandlers] });
  onTestFinished(() => testing.close());
  const { api, module, clock } = testing;
  const kube = module.get(KubeClient, { strict: false });
  const secrets = { group: '', version: 'v1', plural: 'secrets' };
  api.faults.add({ match: { verb: 'create', resource: 'secrets', times: 1 }, do: { action: 'loseAnswer' } });
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'default' } };
  await expect(clock.during(kube.create(secret))).rejects.toThrow();
  expect(api.requests.filter(({ verb, resource }) => verb === 'create' && resource === 'secrets')).toHaveLength(1);
  expect(await kube.get(secrets, { name: 's', namespace: 'default' })).toMatchObject({ metadata: { name: 's' } });
  await expect(kube.create(secret)).rejects.toMatchObject({ isAlreadyExists: true });
});
