import 'reflect-metadata';
import { createOperatorTestingModule } from '@nestjs-operator/testing';
import { expect, test } from 'vitest';
import { ClaimHandlers, Registry, RegistryError } from './outcomes.handlers.js';
import { Site } from './site.js';

const ada = { name: 'ada', namespace: 'default' };

class ScriptedRegistry extends Registry {
  readonly answers: RegistryError['answer'][] = [];

  override async claim(): Promise<void> {
    const answer = this.answers.shift();
    if (answer !== undefined) throw new RegistryError(answer);
  }
}

async function start(...answers: RegistryError['answer'][]) {
  const registry = new ScriptedRegistry();
  registry.answers.push(...answers);
  const providers = [ClaimHandlers, { provide: Registry, useValue: registry }];
  const t = await createOperatorTestingModule({ crds: [Site], providers });
  await t.client.create(Site, { metadata: ada, spec: { title: 'Ada' } });
  await t.settled();
  return t;
}

test('tries again after half a minute', async () => {
  const t = await start('busy');
  expect((await t.client.get(Site, ada)).status).toEqual({ message: 'attempt 1' });
  await t.clock.advance(30_000);
  expect((await t.client.get(Site, ada)).status).toEqual({});
  await t.close();
});

test('gives up on a title that is taken, until there is another one', async () => {
  const t = await start('taken');
  await t.clock.advance(3_600_000);
  expect(t.logs.find({ message: 'Handler failed for good' })).toHaveLength(1);
  await t.client.patch(Site, ada, { spec: { title: 'Ada L.' } });
  await t.settled();
  expect((await t.client.get(Site, ada)).status).toEqual({});
  await t.close();
});

test('ends the operator when the account is closed', async () => {
  const t = await start('account closed');
  await t.clock.advance(30_000); // the drain, the closing
  await expect(t.operator.done).rejects.toMatchObject({ code: 'OPERATOR_FAILED' });
  expect(t.exit.exits).toEqual([1]);
  await t.close();
});
