import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Module } from '@nestjs/common';
import {
  CustomResource,
  HandlerContext,
  KubeObject,
  OnCreate,
  OnStartup,
  OperatorModule,
  PermanentError,
  ResourceHandlers,
} from 'nestjs-operator';
import { expect, test } from 'vitest';
import { createOperatorTestingModule, TestStage } from '../src/index.js';

@CustomResource({ group: 'demo.example', version: 'v1', kind: 'Note', plural: 'notes', scope: 'Namespaced' })
class Note extends KubeObject<{ text: string }, { length: number }> {}

@Injectable()
class Pace {
  wait(): Promise<void> {
    return Promise.resolve();
  }
}

@ResourceHandlers(Note)
class NoteHandlers {
  constructor(private readonly pace: Pace) {}

  @OnCreate()
  async measure(ctx: HandlerContext<Note>): Promise<{ length: number }> {
    await this.pace.wait();
    return { length: ctx.spec.text.length };
  }
}

@Module({
  imports: [OperatorModule.forRoot({ name: 'notes.example.com' })],
  providers: [NoteHandlers, Pace],
})
class NotesModule {}

const ref = { name: 'a', namespace: 'default' };
const note = { metadata: ref, spec: { text: 'four' } };

test('keeps the options of an OperatorModule among the imports, and lays its own over them', async () => {
  const t = await createOperatorTestingModule({
    imports: [NotesModule],
    crds: [Note],
    operator: { namespaces: ['other'] },
  });
  await t.client.create(Note, note);
  await t.settled();
  expect((await t.client.get(Note, ref)).status).toBeUndefined();
  await t.close();
  const all = await createOperatorTestingModule({ imports: [NotesModule], crds: [Note] });
  await all.client.create(Note, note);
  await all.settled();
  const { metadata, status } = await all.client.get(Note, ref);
  expect(status).toEqual({ length: 4 });
  expect(Object.keys(metadata.annotations ?? {})).toEqual(['notes.example.com/nestjs-operator.notes']);
  await all.close();
});

test('lets an operator find on its stage what an earlier one has left there', async () => {
  const stage = await TestStage.start({ crds: [Note] });
  for (const round of [1, 2]) {
    const t = await createOperatorTestingModule({ imports: [NotesModule], stage });
    if (round === 1) await t.client.create(Note, note);
    await t.settled();
    expect((await t.client.get(Note, ref)).status).toEqual({ length: 4 });
    expect(t.logs.find({ level: 'error' })).toEqual([]);
    await t.close();
  }
  await stage.close();
});

test('waits in real time for handlers that take their time', async () => {
  const t = await createOperatorTestingModule({
    clock: 'real',
    imports: [NotesModule],
    crds: [Note],
    override: (builder) => builder.overrideProvider(Pace).useValue({ wait: () => pause(150) }),
  });
  await t.operator.whenSynced();
  await t.client.create(Note, note);
  await t.settled();
  expect((await t.client.get(Note, ref)).status).toEqual({ length: 4 });
  await t.close();
});

test('shows a failed start once it is settled', async () => {
  @Injectable()
  class Refuses {
    @OnStartup()
    refuse(): never {
      throw new PermanentError('no database');
    }
  }
  const t = await createOperatorTestingModule({ providers: [Refuses] });
  await t.settled();
  expect(t.operator.getStatus().state).toBe('failed');
  await expect(t.operator.done).rejects.toMatchObject({ cause: { message: 'no database' } });
  expect(t.exit.exits).toEqual([1]);
  await t.close();
});

test('closes its server when the module does not come up', async () => {
  class Broken {
    constructor() {
      throw new Error('broken on purpose');
    }
  }
  await expect(createOperatorTestingModule({ imports: [NotesModule], providers: [Broken] })).rejects.toThrow(
    'broken on purpose',
  );
});
