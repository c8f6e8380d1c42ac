import 'reflect-metadata';
import { HandlerContext, OnCreate, OnDelete, ResourceHandlers } from 'nestjs-operator';
import { describe, expect, it } from 'vitest';
import { eventsAbout } from '../../support/looking.js';
import { Gadget, namespaces, Widget } from '../../support/kinds.js';
import type { RunningOperator, World } from '../../support/world.js';
import { openWorld } from './open-world.js';

const letters = ['a', 'é', '\u{1F469}\u200D\u{1F680}', '\u{1F1E9}\u{1F1EA}', '語', '\u{10FFFD}'];
const long = letters.join('').repeat(1_000).slice(0, 5_000).toWellFormed();
const complaint = 'A Kubernetes event could not be posted';

@ResourceHandlers(Widget)
class WidgetHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  create(ctx: HandlerContext<Widget>): { told: boolean } {
    ctx.event({ reason: 'Created', message: long });
    this.calls.push(`create ${ctx.meta.name}`);
    return { told: true };
  }

  @OnDelete()
  delete(ctx: HandlerContext<Widget>): void {
    ctx.event({ reason: 'Deleted', message: long });
    this.calls.push(`delete ${ctx.meta.name}`);
  }
}

@ResourceHandlers(Gadget)
class GadgetHandlers {
  @OnCreate()
  create(ctx: HandlerContext<Gadget>): void {
    ctx.event({ reason: 'Created', message: long });
  }
}

const start = (world: World): Promise<RunningOperator> =>
  world.startOperator({ providers: [WidgetHandlers, GadgetHandlers] });

const handled = async ({ admin }: World, name: string, namespace: string): Promise<boolean> =>
  (await admin.get(Widget, { name, namespace })).status?.['told'] === true;

/** Neither an error in the log, nor an end of the operator, nor of the process: an unhandled rejection fails the run. */
function expectUndisturbed({ logs, operator }: RunningOperator, warnings: number): void {
  expect(logs.find({ level: 'error' })).toEqual([]);
  expect(logs.find({ level: 'warn' }).map(({ message }) => message)).toEqual(
    Array.from({ length: warnings }, () => complaint),
  );
  expect(operator.getStatus()).toMatchObject({ state: 'running', throttled: 0 });
}

describe('events are a side matter', () => {
  it('[TC-51] long texts are cut at characters, for objects with and without a namespace', async () => {
    const world = await openWorld();
    const { admin, namespace } = world;
    const running = await start(world);
    await admin.create(Widget, { metadata: { name: 'w', namespace }, spec: {} });
    await admin.create(Gadget, { metadata: { name: 'g' }, spec: {} });
    for (const name of ['w', 'g']) {
      await world.until(async () => (await eventsAbout(world, name, 'default')).length === 1);
      const [event] = await eventsAbout(world, name, 'default');
      const note = event?.note ?? '';
      expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1_024);
      expect(Buffer.byteLength(note)).toBeGreaterThan(1_000);
      expect(note.isWellFormed()).toBe(true);
      expect(note).not.toContain('\uFFFD');
      expect(note.endsWith('…')).toBe(true);
      expect(long.startsWith(note.slice(0, -1))).toBe(true);
    }
    expectUndisturbed(running, 0);
  });

  it('[TC-51] a namespace that is being deleted refuses them, and the deletion goes on', async () => {
    const world = await openWorld();
    const { admin } = world;
    const running = await start(world);
    await admin.create(namespaces, { metadata: { name: 'dying' } });
    await admin.create(Widget, { metadata: { name: 'w', namespace: 'dying' }, spec: {} });
    await world.until(() => handled(world, 'w', 'dying'));
    await admin.delete(namespaces, { name: 'dying' });
    const { calls } = running.module.get(WidgetHandlers);
    await world.until(() => calls.includes('delete w'));
    await world.until(() => running.logs.find({ message: complaint }).length === 1);
    expect(running.logs.find({ message: complaint })).toMatchObject([{ level: 'debug' }]);
    expectUndisturbed(running, 0);
  });

  it.each([
    ['no right to post them', { status: 403, reason: 'Forbidden' }],
    ['a server that fails', { status: 500 }],
  ])('[TC-51] with %s, a hundred handlers at once succeed, and one warning tells of it', async (_, answer) => {
    const world = await openWorld();
    const { admin, namespace, stage } = world;
    const fault = stage.api.faults.add({ match: { resource: 'events' }, do: { action: 'answer', ...answer } });
    const running = await world.startOperator({
      providers: [WidgetHandlers, GadgetHandlers],
      operator: { queue: { concurrency: { perResource: 100, total: 100 } } },
    });
    const names = Array.from({ length: 100 }, (unused, index) => `w${index}`);
    await Promise.all(names.map((name) => admin.create(Widget, { metadata: { name, namespace }, spec: {} })));
    const { calls } = running.module.get(WidgetHandlers);
    await world.until(() => calls.length === 100);
    await running.settled();
    for (const name of names) expect(await handled(world, name, namespace)).toBe(true);
    expect(fault.hits).toBeGreaterThanOrEqual(100);
    expect(calls.toSorted()).toEqual(names.map((name) => `create ${name}`).toSorted());
    expectUndisturbed(running, 1);
  });
});
