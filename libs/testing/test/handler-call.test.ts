import 'reflect-metadata';
import { CustomResource, HandlerContext, KubeObject, OnCreate, OnUpdate, ResourceHandlers } from 'nestjs-operator';
import { expect, test } from 'vitest';
import { buildObject, handlerCall } from '../src/index.js';
import { operatorMatchers } from '../src/vitest.js';

expect.extend(operatorMatchers);

@CustomResource({ group: 'demo.example', version: 'v1', kind: 'Note', plural: 'notes', scope: 'Namespaced' })
class Note extends KubeObject<{ text: string }, { length?: number }> {}

@ResourceHandlers(Note)
class NoteHandlers {
  @OnCreate()
  measure(ctx: HandlerContext<Note>): { length: number } {
    ctx.event({ reason: 'Measured', message: `${ctx.spec.text.length} letters` });
    ctx.patch.merge({ metadata: { labels: { size: 'small' } } });
    ctx.patch.update((object) => {
      object.spec.text = object.spec.text.trim();
    });
    ctx.enqueue({ delay: '1m' });
    ctx.logger.info('Note measured', { retry: ctx.retry });
    return { length: ctx.spec.text.length };
  }

  @OnUpdate({ field: 'spec.text' })
  follow(ctx: HandlerContext<Note>): unknown {
    return { cause: ctx.cause, old: ctx.old, new: ctx.new, diff: ctx.diff };
  }

  @OnUpdate()
  async wait(ctx: HandlerContext<Note>): Promise<boolean> {
    return ctx.stopped.wait();
  }
}

const handlers = new NoteHandlers();
const note = buildObject(Note, { spec: { text: ' ada ' } });

test('a handler is called with a context of its own, and leaves what it did', () => {
  const call = handlerCall(note, { retry: 2 });
  expect(handlers.measure(call.ctx)).toEqual({ length: 5 });
  expect(call).toHaveEvent({ type: 'Normal', reason: 'Measured', message: '5 letters' });
  expect(call.patched()).toMatchObject({ metadata: { labels: { size: 'small' } }, spec: { text: 'ada' } });
  expect(call.enqueued).toEqual([{ key: 'default/note', delay: '1m' }]);
  expect(call.logs).toMatchObject([{ level: 'info', message: 'Note measured', fields: { retry: 2 } }]);
  expect(call.ctx.cause).toBe('create');
  expect(note.spec).toEqual({ text: ' ada ' });
});

test('old, new and diff are of the field that it is restricted to', () => {
  const old = buildObject(Note, { spec: { text: 'bob' } });
  expect(handlers.follow(handlerCall(note, { old, field: 'spec.text' }).ctx)).toEqual({
    cause: 'update',
    old: 'bob',
    new: ' ada ',
    diff: [expect.objectContaining({ old: 'bob', new: ' ada ' })],
  });
});

test('the object is frozen, as it is in an operator', () => {
  const { ctx } = handlerCall(note);
  expect(() => Object.assign(ctx.spec, { text: 'x' })).toThrow(TypeError);
});

test('the signal is in the hands of the test', async () => {
  const call = handlerCall(note);
  const waiting = handlers.wait(call.ctx);
  call.abort();
  expect(await waiting).toBe(true);
});

test('a deletion mark makes it a deletion; parts are kept, each name once', () => {
  const { ctx, parts } = handlerCall(buildObject(Note, { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }));
  expect([ctx.cause, ctx.deleting]).toEqual(['delete', true]);
  ctx.parts.addAll({ a: () => 1, b: () => 2 });
  expect([...parts.keys()]).toEqual(['a', 'b']);
  expect(() => ctx.parts.add('a', () => 3)).toThrow('There is a part "a" already.');
});
