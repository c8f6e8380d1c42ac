import 'reflect-metadata';
import { readFile } from 'node:fs/promises';
import { createOperatorTestingModule } from '@nestjs-operator/testing';
import { OperatorModule } from 'nestjs-operator';
import { expect, test } from 'vitest';
import { AppModule } from './app.module.js';
import { MistakenHandlers } from './mistakes.handlers.js';
import { Site } from './site.js';

const shown = async (file: string): Promise<string> =>
  (await readFile(new URL(file, import.meta.url), 'utf8')).trimEnd();

async function messageOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  return error instanceof Error ? error.message : 'nothing was wrong';
}

test('wrong options are told all at once', async () => {
  const options = { name: 'sites', namespaces: [], watching: { silence: '-1s' }, queue: { workers: 3 } };
  const started = createOperatorTestingModule({
    imports: [OperatorModule.forRoot(options as Parameters<typeof OperatorModule.forRoot>[0])],
  });
  expect(await messageOf(started)).toBe(await shown('invalid-options.txt'));
});

test('contradictory handlers are told all at once', async () => {
  const started = createOperatorTestingModule({ providers: [MistakenHandlers], crds: [Site] });
  expect(await messageOf(started)).toBe(await shown('invalid-handlers.txt'));
});

test('a missing right is told with the rule that grants it', async () => {
  const t = await createOperatorTestingModule({ imports: [AppModule], crds: [Site], init: false });
  t.api.faults.add({
    match: { verb: ['list', 'watch'], resource: 'sites' },
    do: { action: 'answer', status: 403, reason: 'Forbidden', message: 'sites.web.example is forbidden' },
  });
  await t.module.init();
  await t.clock.advance(150_000);
  const failure = (await t.operator.done.catch((error: unknown) => error)) as Error;
  expect((failure.cause as Error).message).toBe(await shown('sync-timeout.txt'));
  expect(t.exit.exits).toEqual([1]);
  await t.close();
});
