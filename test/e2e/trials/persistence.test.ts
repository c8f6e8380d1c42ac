import 'reflect-metadata';
import { HandlerContext, OnCreate, OnField, OnUpdate, ResourceHandlers, TemporaryError } from 'nestjs-operator';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EmbeddedWorld } from '../../support/embedded-world.js';
import { openWorld } from './open-world.js';

type Calls = string[];

/** Handlers of one resource that note what they are called for. */
function handlersOf(resource: string, calls: Calls) {
  @ResourceHandlers(resource)
  class Handlers {
    @OnCreate()
    created({ meta }: HandlerContext): void {
      calls.push(`create ${resource} ${meta.name}`);
    }

    @OnUpdate()
    updated({ meta }: HandlerContext): void {
      calls.push(`update ${resource} ${meta.name}`);
    }
  }
  return Handlers;
}

const record = (plural: string): string => `test.example.com/nestjs-operator.${plural}`;
const widgetRef = (name: string) => ({ apiVersion: 'demo.example/v1', kind: 'Widget', name, namespace: 'default' });
const configMapRef = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, namespace: 'default' });

async function annotationsOf(
  world: EmbeddedWorld,
  ref: Parameters<EmbeddedWorld['stage']['api']['get']>[0],
): Promise<Record<string, string>> {
  return (await world.stage.api.get(ref))?.metadata.annotations ?? {};
}

describe('records that others copy', () => {
  it('[TC-17] a record that was copied from parent to child is taken as foreign: one creation, no update, quiet', async () => {
    const world = await openWorld();
    const { api } = world.stage;
    const calls: Calls = [];
    const failures: unknown[] = [];
    let copies = 0;
    // The stand-in for a controller that hands its annotations on.
    const unsubscribe = api.store.subscribe(({ object, type }) => {
      if (object.kind !== 'Widget' || type === 'DELETED') return;
      const { name, annotations = {} } = object.metadata;
      copies += 1;
      api.patch(configMapRef(name!), { metadata: { annotations } }).catch((error: unknown) => failures.push(error));
    });
    onTestFinished(unsubscribe);
    await api.create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'default' },
      data: { k: 'v' },
    });
    await world.startOperator({
      providers: [handlersOf('widgets.demo.example', calls), handlersOf('configmaps', calls)],
    });
    await api.create({
      apiVersion: 'demo.example/v1',
      kind: 'Widget',
      metadata: { name: 'a', namespace: 'default' },
      spec: { n: 1 },
    });
    await world.until(() => calls.length === 2);
    await api.patch(widgetRef('a'), { spec: { n: 2 } });
    await world.until(() => calls.length === 3);
    await world.pass(60_000);

    expect(copies).toBeGreaterThan(2);
    expect(failures).toEqual([]);
    const [own, child] = [await annotationsOf(world, widgetRef('a')), await annotationsOf(world, configMapRef('a'))];
    expect(child[record('widgets')]).toBe(own[record('widgets')]);
    expect(child[record('configmaps')]).toBeDefined();
    expect(calls.toSorted()).toEqual([
      'create configmaps a',
      'create widgets.demo.example a',
      'update widgets.demo.example a',
    ]);
    await world.expectQuiet();
    expect(calls).toHaveLength(3);
  });

  it('[TC-17] also between objects of one kind, whose records have one name', async () => {
    const world = await openWorld();
    const { api } = world.stage;
    const calls: Calls = [];
    const failures: unknown[] = [];
    const unsubscribe = api.store.subscribe(({ object, type }) => {
      if (object.kind !== 'Widget' || type === 'DELETED' || object.metadata.name !== 'parent') return;
      const { annotations = {} } = object.metadata;
      api.patch(widgetRef('child'), { metadata: { annotations } }).catch((error: unknown) => failures.push(error));
    });
    onTestFinished(unsubscribe);
    await world.startOperator({ providers: [handlersOf('widgets.demo.example', calls)] });
    for (const name of ['child', 'parent']) {
      await api.create({
        apiVersion: 'demo.example/v1',
        kind: 'Widget',
        metadata: { name, namespace: 'default' },
        spec: { of: name },
      });
    }
    await world.until(() => calls.length === 2);
    await api.patch(widgetRef('parent'), { spec: { n: 2 } });
    await world.pass(120_000);
    expect(failures).toEqual([]);
    expect(calls.toSorted()).toEqual([
      'create widgets.demo.example child',
      'create widgets.demo.example parent',
      'update widgets.demo.example parent',
    ]);
    await world.expectQuiet();
  });
});

describe('records of big objects', () => {
  const annotations = (plural: string, bytes: number): Record<string, string> => {
    const found: Record<string, string> = {};
    for (let index = 0; index * 10_240 < bytes; index += 1) {
      found[`filler.demo.example/${plural}-${index}`] = 'x'.repeat(Math.min(10_240, bytes - index * 10_240) - 40);
    }
    return found;
  };
  const base = <More extends object>(apiVersion: string, kind: string, name: string, more: More) => ({
    apiVersion,
    kind,
    metadata: { name, namespace: 'default', ...more },
  });
  const secret = {
    ...base('v1', 'Secret', 'release', { annotations: annotations('secrets', 250 * 1024) }),
    data: { release: Buffer.alloc(700 * 1024, 'helm').toString('base64') },
  };
  const widget = {
    ...base('demo.example/v1', 'Widget', 'big', {}),
    spec: Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`field${index}`, { text: `${index} `.repeat(300) }]),
    ),
  };
  const pod = {
    ...base('v1', 'Pod', 'long', {}),
    spec: {
      containers: [
        {
          name: 'main',
          image: 'demo.example/image:1',
          env: Array.from({ length: 120 }, (_, index) => ({
            name: `VARIABLE_${index}`,
            value: `value ${index} `.repeat(9),
          })),
        },
      ],
    },
  };

  it('[TC-21] objects too big for a copy of their state are created once, updated on change, and never patched in vain', async () => {
    const world = await openWorld();
    const { api, clock } = world.stage;
    const calls: Calls = [];
    expect(Buffer.byteLength(secret.data.release, 'base64')).toBe(700 * 1024);
    expect(JSON.stringify(secret.metadata.annotations).length).toBeGreaterThan(249 * 1024);
    expect(JSON.stringify(widget.spec).length).toBeGreaterThan(300 * 1024);
    expect(JSON.stringify(pod.spec).length).toBeGreaterThan(12 * 1024);
    const handlers = ['secrets', 'widgets.demo.example', 'pods'].map((resource) => handlersOf(resource, calls));
    const first = await world.startOperator({ providers: handlers });
    for (const object of [secret, widget, pod]) await api.create(object);
    await world.until(() => calls.length === 3);
    await first.settled();
    expect(calls.splice(0).toSorted()).toEqual([
      'create pods long',
      'create secrets release',
      'create widgets.demo.example big',
    ]);

    const refs = {
      secrets: { apiVersion: 'v1', kind: 'Secret', name: 'release', namespace: 'default' },
      widgets: widgetRef('big'),
      pods: { apiVersion: 'v1', kind: 'Pod', name: 'long', namespace: 'default' },
    };
    const change = async (text: string): Promise<void> => {
      await api.patch(refs.secrets, { data: { release: Buffer.from(text).toString('base64') } });
      await api.patch(refs.widgets, { spec: { field299: { text } } });
      await api.patch(refs.pods, { metadata: { labels: { changed: text } } });
    };
    const updates = ['update pods long', 'update secrets release', 'update widgets.demo.example big'];
    await change('one');
    await world.until(() => calls.length === 3);
    await clock.advance(60_000);
    expect(calls.splice(0).toSorted()).toEqual(updates);

    // What nobody changed is no change to the next process either; what changes while there is none, is.
    await first.close();
    const second = await world.startOperator({ providers: handlers });
    await clock.advance(60_000);
    expect(calls).toEqual([]);
    await second.close();
    await change('two');
    await world.startOperator({ providers: handlers });
    await world.until(() => calls.length === 3);
    await clock.advance(60_000);
    expect(calls.splice(0).toSorted()).toEqual(updates);

    const records = {
      secrets: (await annotationsOf(world, refs.secrets))[record('secrets')],
      widgets: (await annotationsOf(world, refs.widgets))[record('widgets')],
      pods: (await annotationsOf(world, refs.pods))[record('pods')],
    };
    expect(Buffer.byteLength(records.pods!)).toBeLessThan(4096);
    expect(Buffer.byteLength(records.widgets!)).toBeLessThanOrEqual(64 * 1024);
    expect(Buffer.byteLength(records.secrets!)).toBeLessThanOrEqual(6 * 1024);
    const writes = api.requests.filter(({ verb }) => verb === 'patch');
    expect(writes.filter(({ status }) => status !== 200)).toEqual([]);
    // One for each creation and each change.
    expect(writes).toHaveLength(9);
    await world.expectQuiet();
    expect(calls).toEqual([]);
  });
});

describe('records that others strip', () => {
  it('[TC-24] creation does not loop: the record is written back at most every 30 s, with a warning', async () => {
    const world = await openWorld();
    const { api, clock } = world.stage;
    const calls: Calls = [];
    const failures: unknown[] = [];
    const declared = { 'app.demo.example/declared': 'yes' };
    let stripping = true;
    let stripped = 0;
    // The stand-in for a controller that knows only what it declares.
    const unsubscribe = api.store.subscribe(({ object, type }) => {
      if (object.kind !== 'Widget' || type === 'DELETED') return;
      clock.setTimer(200, () => {
        if (!stripping) return;
        const foreign = Object.keys(object.metadata.annotations ?? {}).filter((name) => !(name in declared));
        if (foreign.length === 0) return;
        stripped += 1;
        const removed = Object.fromEntries(foreign.map((name) => [name, null]));
        api
          .patch(widgetRef('w'), { metadata: { annotations: removed } })
          .catch((error: unknown) => failures.push(error));
      });
    });
    onTestFinished(unsubscribe);
    const { logs, transport } = await world.startOperator({ providers: [handlersOf('widgets.demo.example', calls)] });
    await api.create({
      apiVersion: 'demo.example/v1',
      kind: 'Widget',
      metadata: { name: 'w', namespace: 'default', annotations: declared },
      spec: { n: 1 },
    });
    await world.until(() => stripped === 1);
    transport.clear();
    await clock.advance(10 * 60_000);

    expect(calls).toEqual(['create widgets.demo.example w']);
    // Every 30 s at most, in ten minutes.
    expect(stripped).toBeGreaterThan(1);
    expect(transport.writes.length).toBeLessThanOrEqual(20);
    const warnings = logs.find({ level: 'warn', message: /record of an object was removed/ });
    expect(warnings.length).toBeGreaterThan(0);
    expect(warnings[0]!.fields).toMatchObject({ namespace: 'default', name: 'w', place: record('widgets') });
    const events = await api.list({ apiVersion: 'events.k8s.io/v1', kind: 'Event' });
    expect(events.map(({ reason }) => reason)).toContain('RecordRemoved');

    // A real change is handled all the same, once.
    await api.patch(widgetRef('w'), { spec: { n: 2 } });
    await world.until(() => calls.length > 1);
    await clock.advance(10 * 60_000);
    expect(calls).toEqual(['create widgets.demo.example w', 'update widgets.demo.example w']);

    stripping = false;
    await clock.advance(60_000);
    expect((await annotationsOf(world, widgetRef('w')))[record('widgets')]).toBeDefined();
    expect(failures).toEqual([]);
    await world.expectQuiet();
    expect(calls).toHaveLength(2);
  });
});

describe('one of two handlers fails', () => {
  /** Handlers of the same change, of which one fails twice, and one with two decorators that fails as well. */
  function failing() {
    const calls: string[] = [];
    @ResourceHandlers('widgets.demo.example')
    class Handlers {
      @OnField({ field: 'spec.n' })
      a(ctx: HandlerContext): void {
        note('a', ctx);
      }

      @OnField({ field: 'spec.n' })
      b(ctx: HandlerContext): void {
        note('b', ctx);
        failTwice(ctx);
      }

      @OnUpdate({ field: 'spec.n' })
      @OnUpdate({ field: 'spec.m' })
      both(ctx: HandlerContext): void {
        note('both', ctx);
        failTwice(ctx);
      }
    }
    const note = (name: string, { cause, old, new: now, retry }: HandlerContext): void => {
      if (cause === 'update') calls.push(`${name} ${String(old)}-${String(now)} ${retry}`);
    };
    const failTwice = ({ cause, retry }: HandlerContext): void => {
      if (cause === 'update' && retry < 2) throw new TemporaryError('Not yet.', { delay: '2s' });
    };
    return { Handlers, calls };
  }

  it.each([{ restart: false }, { restart: true }])(
    '[TC-38] it is tried again alone, with the same old and new (with a restart between: $restart)',
    async ({ restart }) => {
      const world = await openWorld();
      const { api } = world.stage;
      const { Handlers, calls } = failing();
      const first = await world.startOperator({ providers: [Handlers] });
      await api.create({
        apiVersion: 'demo.example/v1',
        kind: 'Widget',
        metadata: { name: 'w', namespace: 'default' },
        spec: { n: 1, m: 1 },
      });
      await first.settled();
      await api.patch(widgetRef('w'), { spec: { n: 2 } });
      await world.until(() => calls.length === 3);
      await first.settled();
      expect(calls).toEqual(['a 1-2 0', 'b 1-2 0', 'both 1-2 0']);
      if (restart) {
        await first.close();
        await world.pass(500);
        await world.startOperator({ providers: [Handlers] });
      }
      await world.until(() => calls.length === 7);
      await world.pass(60_000);
      expect(calls.slice(3)).toEqual(['b 1-2 1', 'both 1-2 1', 'b 1-2 2', 'both 1-2 2']);
      await world.expectQuiet();
      expect(calls).toHaveLength(7);
    },
  );
});
