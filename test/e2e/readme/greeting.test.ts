import 'reflect-metadata';
import { createOperatorTestingModule } from '@nestjs-operator/testing';
import { expect, test } from 'vitest';
import { Greeting, GreetingHandlers } from './greeting.js';

test('greets by name', async () => {
  const t = await createOperatorTestingModule({ crds: [Greeting], providers: [GreetingHandlers] });
  const ada = { name: 'ada', namespace: 'default' };
  await t.client.create(Greeting, { metadata: ada, spec: { name: 'Ada' } });
  await t.settled(); // nothing is left to do now
  expect((await t.client.get(Greeting, ada)).status).toEqual({ text: 'Hello Ada' });
  await t.close();
});
