import 'reflect-metadata';
import { createOperatorTestingModule, TestStage, type OperatorTestingModule } from '@nestjs-operator/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { configMaps } from './page.service.js';
import { ReviewHandlers } from './options.handlers.js';
import { ScheduledHandlers } from './schedules.handlers.js';
import { Site } from './site.js';

const ada = { name: 'ada', namespace: 'default' };
const opened: { close(): Promise<void> }[] = [];

async function open(provider: typeof ReviewHandlers | typeof ScheduledHandlers, stage?: TestStage) {
  const where = stage === undefined ? { crds: [Site] } : { stage };
  const t: OperatorTestingModule = await createOperatorTestingModule({ ...where, providers: [provider] });
  opened.push(t);
  await t.clock.during(t.operator.whenSynced());
  return t;
}

afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
});

describe('the options of handlers', () => {
  test('back-off as a list, attempts, param, and a result under the id', async () => {
    const t = await open(ReviewHandlers);
    const { calls } = t.module.get(ReviewHandlers);
    await t.client.create(Site, { metadata: ada, spec: { title: 'one two three four' } });
    await t.client.create(Site, {
      metadata: { ...ada, name: 'draft', labels: { draft: 'yes' } },
      spec: { title: 'a' },
    });
    await t.settled();
    expect(calls).toEqual(['review 0']);
    for (const [seconds, retry] of [
      [1.2, 1],
      [12, 2],
      [72, 3],
    ] as const) {
      await t.clock.advance(seconds * 1_000);
      expect(calls.at(-1)).toBe(`review ${retry}`);
    }
    await t.clock.advance('1h');
    expect(calls).toHaveLength(4);
    const { metadata } = await t.client.create(Site, { metadata: { ...ada, name: 'short' }, spec: { title: 'Ada' } });
    await t.settled();
    expect((await t.client.get(Site, metadata)).status).toEqual({ review: 'fine' });
  });

  test('an attempt is aborted when what it watches changes', async () => {
    const t = await open(ReviewHandlers);
    const { calls } = t.module.get(ReviewHandlers);
    await t.client.create(Site, { metadata: ada, spec: { title: 'Ada', theme: 'light' } });
    await t.settled();
    await t.client.patch(Site, ada, { spec: { theme: 'dark' } });
    await t.settled();
    await t.client.patch(Site, ada, { spec: { theme: 'light' } });
    await t.settled();
    expect(calls.slice(1)).toEqual(['begins to darken', 'leaves it']);
  });

  test('a delete handler that failed for good holds the object, an optional one asks for no finalizer', async () => {
    const t = await open(ReviewHandlers);
    const { calls } = t.module.get(ReviewHandlers);
    for (const name of ['ada', 'draft']) {
      const labels = name === 'draft' ? { labels: { draft: 'yes' } } : {};
      await t.client.create(Site, { metadata: { ...ada, name, ...labels }, spec: { title: 'Ada' } });
      await t.settled();
    }
    calls.length = 0;
    await t.client.delete(Site, { ...ada, name: 'draft' });
    await t.settled();
    expect(calls).toEqual([]);
    await t.client.delete(Site, ada);
    await t.clock.advance('1h');
    expect(calls).toEqual(['archive', 'forget']);
    expect((await t.client.get(Site, ada)).metadata.deletionTimestamp).toBeDefined();
    await t.client.patch(Site, ada, { metadata: { finalizers: null } });
  });

  test('what is resumed may be on its way out, and its errors may be ignored', async () => {
    const stage = await TestStage.start({ crds: [Site] });
    const first = await open(ReviewHandlers, stage);
    for (const name of ['ada', 'grace']) {
      await first.client.create(Site, { metadata: { ...ada, name }, spec: { title: name } });
    }
    await stage.settled();
    await first.close();
    await stage.api.delete({ apiVersion: 'web.example/v1', kind: 'Site', ...ada });
    const second = await open(ReviewHandlers, stage);
    opened.unshift(stage);
    await stage.settled();
    await second.clock.advance('10m');
    const greetings = second.module.get(ReviewHandlers).calls.filter((call) => call.startsWith('sees'));
    expect(greetings.toSorted()).toEqual(['sees it again', 'sees it go']);
    await second.client.patch(Site, ada, { metadata: { finalizers: null } });
  });
});

describe('the options of schedules', () => {
  test('a sharp timer begins after its initial delay, and keeps the object until its call has ended', async () => {
    const t = await open(ScheduledHandlers);
    const { lines } = t.module.get(ScheduledHandlers);
    const counts = (): number => lines.filter((line) => line.startsWith('count')).length;
    await t.client.create(Site, { metadata: ada, spec: { title: 'Ada' } });
    await t.settled();
    await t.clock.advance('59s');
    expect(counts()).toBe(0);
    await t.clock.advance('1s');
    expect(counts()).toBe(1);
    await t.clock.advance('9m59s');
    expect(counts()).toBe(1);
    await t.clock.advance('1s');
    expect(counts()).toBe(2);
    expect((await t.client.get(Site, ada)).metadata.finalizers).toEqual(['test.example.com/finalizer']);
  });

  test('a daemon begins after its initial delay, again and again, without a finalizer', async () => {
    const t = await open(ScheduledHandlers);
    const { lines } = t.module.get(ScheduledHandlers);
    const visits = (): number => lines.filter((line) => line.startsWith('visit')).length;
    await t.client.create(Site, { metadata: { ...ada, labels: { watched: 'yes' } }, spec: { title: 'Ada' } });
    await t.clock.advance('4s');
    expect(visits()).toBe(0);
    await t.clock.advance('1s');
    expect(visits()).toBe(1);
    await t.clock.advance('59s');
    expect(visits()).toBe(1);
    await t.clock.advance('6s'); // 40 s of the call, 20 s of its back-off
    expect(visits()).toBe(2);
  });

  test('a shared object leads to those that use it', async () => {
    const t = await open(ScheduledHandlers);
    const { lines } = t.module.get(ScheduledHandlers);
    for (const name of ['ada', 'grace', 'mary']) {
      await t.client.create(Site, { metadata: { ...ada, name }, spec: { title: name } });
    }
    await t.settled();
    lines.length = 0;
    const annotations = { 'web.example/sites': 'ada grace' };
    await t.client.create(configMaps, { metadata: { name: 'theme', namespace: 'default', annotations } });
    await t.settled();
    expect(lines.toSorted()).toEqual(['apply ada', 'apply grace']);
  });
});
