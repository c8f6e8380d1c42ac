import { HandlerContext, OnCreate, OnDelete, OnUpdate, ResourceHandlers, type StoredObject } from 'nestjs-operator';
import { afterAll, describe, expect, test } from 'vitest';
import { BareWidget, configMaps, Gadget, secrets, StrictWidget } from '../../support/kinds.js';
import { eventsAbout, isGone } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { World } from '../../support/world.js';

@ResourceHandlers(BareWidget)
class BareHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  @OnUpdate()
  ensure(ctx: HandlerContext<BareWidget>): object {
    this.calls.push(ctx.cause);
    ctx.patch.merge({ metadata: { labels: { size: String(ctx.spec['size']) } } });
    return { seen: ctx.spec['size'] };
  }
}

@ResourceHandlers(Gadget)
class GadgetHandlers {
  readonly calls: string[] = [];

  @OnCreate({ labels: { suite: 'kinds' } })
  @OnUpdate({ labels: { suite: 'kinds' } })
  ensure(ctx: HandlerContext<Gadget>): object {
    this.calls.push(`${ctx.cause} ${ctx.key}`);
    ctx.event({ reason: 'Seen', message: `size ${String(ctx.spec['size'])}` });
    return { seen: ctx.spec['size'] };
  }

  @OnDelete({ labels: { suite: 'kinds' } })
  remove(ctx: HandlerContext<Gadget>): void {
    this.calls.push(`${ctx.cause} ${ctx.key}`);
  }
}

@ResourceHandlers(StrictWidget)
class StrictHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  @OnUpdate()
  ensure(ctx: HandlerContext<StrictWidget>): object {
    this.calls.push(`${ctx.cause} ${JSON.stringify(ctx.spec)}`);
    return { seen: this.calls.length, nobodyKnows: true };
  }
}

type Data = StoredObject & { readonly data?: Readonly<Record<string, string>> };

class BuiltInHandlers {
  readonly calls: string[] = [];

  @OnCreate({ resource: 'configmaps', labels: { suite: 'kinds' } })
  @OnUpdate({ resource: 'configmaps', labels: { suite: 'kinds' } })
  config(ctx: HandlerContext<Data>): void {
    this.calls.push(`ConfigMap ${ctx.cause} ${String(ctx.object.data?.['key'])}`);
  }

  @OnDelete({ resource: 'configmaps', labels: { suite: 'kinds' } })
  removeConfig(): void {
    this.calls.push('ConfigMap delete');
  }

  @OnCreate({ resource: 'secrets', labels: { suite: 'kinds' } })
  @OnUpdate({ resource: 'secrets', labels: { suite: 'kinds' } })
  secret(ctx: HandlerContext<Data>): void {
    this.calls.push(`Secret ${ctx.cause}, old ${ctx.old === undefined ? 'unknown' : 'known'}`);
  }

  @OnUpdate({ resource: 'secrets', labels: { suite: 'kinds' }, field: 'data.token' })
  token(): void {
    this.calls.push('Secret token');
  }
}

/** The sorts of resources that there are: with and without status, of a namespace or of the cluster, custom or built in. */
export function kindsSuite(createWorld: () => Promise<World>): void {
  describe('resources of every sort', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('without a status subresource, status and fields go out in one patch', async () => {
      const world = await worlds.open();
      const ref = { name: 'bare', namespace: world.namespace };
      const { module, transport, logs } = await world.startOperator({ providers: [BareHandlers] });
      const { calls } = module.get(BareHandlers);
      await world.admin.create(BareWidget, { metadata: ref, spec: { size: 1 } });
      await world.until(async () => (await world.admin.get(BareWidget, ref)).status?.['seen'] === 1);
      await world.admin.patch(BareWidget, ref, { spec: { size: 2 } });
      await world.until(async () => (await world.admin.get(BareWidget, ref)).status?.['seen'] === 2);
      expect((await world.admin.get(BareWidget, ref)).metadata.labels).toEqual({ size: '2' });
      expect(calls).toEqual(['create', 'update']);
      expect(transport.writes.map(({ method, path }) => `${method} ${path.split('/').pop()}`)).toEqual([
        'PATCH bare',
        'PATCH bare',
      ]);
      expect(logs.find({ level: 'error' })).toEqual([]);
    });

    test('cluster-scoped objects are handled beside a namespace, their events go to default', async () => {
      const world = await worlds.open();
      const name = `gadget-of-${world.namespace}`;
      const { module, logs } = await world.startOperator({ providers: [GadgetHandlers] });
      const { calls } = module.get(GadgetHandlers);
      await world.admin.create(Gadget, { metadata: { name, labels: { suite: 'kinds' } }, spec: { size: 1 } });
      await world.until(async () => (await world.admin.get(Gadget, { name })).status?.['seen'] === 1);
      await world.admin.patch(Gadget, { name }, { spec: { size: 2 } });
      await world.until(async () => (await world.admin.get(Gadget, { name })).status?.['seen'] === 2);
      await world.until(async () => (await eventsAbout(world, name, 'default')).length === 2);
      await world.admin.delete(Gadget, { name });
      await world.until(() => isGone(world.admin, Gadget, { name }));
      expect(calls).toEqual([`create ${name}`, `update ${name}`, `delete ${name}`]);
      const notes = (await eventsAbout(world, name, 'default')).map(({ reason, note }) => `${reason}: ${note}`);
      expect(notes.toSorted()).toEqual(['Seen: size 1', 'Seen: size 2']);
      expect(logs.find({ level: 'error' })).toEqual([]);
    });

    test('what the schema prunes neither reaches handlers nor is written again', async () => {
      const world = await worlds.open();
      const ref = { name: 'strict', namespace: world.namespace };
      const { module, transport } = await world.startOperator({ providers: [StrictHandlers] });
      const { calls } = module.get(StrictHandlers);
      const pruned = { size: 1, unknown: true } as { size: number };
      await world.admin.create(StrictWidget, { metadata: ref, spec: pruned });
      await world.until(async () => (await world.admin.get(StrictWidget, ref)).status?.seen === 1);
      await world.until(() => transport.writes.length === 2);
      await world.admin.patch(StrictWidget, ref, { spec: { another: 'unknown' } });
      await world.admin.patch(StrictWidget, ref, { spec: { color: 'red' } });
      await world.until(async () => (await world.admin.get(StrictWidget, ref)).status?.seen === 2);
      expect(calls).toEqual(['create {"size":1}', 'update {"color":"red","size":1}']);
      expect((await world.admin.get(StrictWidget, ref)).status).toEqual({ seen: 2 });
      await expect(world.admin.patch(StrictWidget, ref, { spec: { size: 'many' } })).rejects.toMatchObject({
        status: 422,
        reason: 'Invalid',
      });
    });

    test('ConfigMaps and Secrets are handled like any other, and no secret leaves its field', async () => {
      const world = await worlds.open();
      const { namespace } = world;
      const labels = { suite: 'kinds' };
      const { module, transport, logs } = await world.startOperator({ providers: [BuiltInHandlers] });
      const { calls } = module.get(BuiltInHandlers);
      const token = (text: string): object => ({ token: Buffer.from(text).toString('base64') });
      await world.admin.create({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'config', namespace, labels },
        data: { key: 'one' },
      });
      await world.admin.create({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'secret', namespace, labels },
        data: token('hush-hush-one'),
      });
      await world.until(() => calls.length === 2);
      await world.until(() => transport.writes.length === 3);
      await world.admin.patch(configMaps, { name: 'config', namespace }, { data: { key: 'two' } });
      await world.admin.patch(secrets, { name: 'secret', namespace }, { data: token('hush-hush-two') });
      await world.until(() => calls.length === 5 && transport.writes.length === 5);
      await world.admin.delete(configMaps, { name: 'config', namespace });
      await world.until(() => isGone(world.admin, configMaps, { name: 'config', namespace }));
      expect(calls.toSorted()).toEqual([
        'ConfigMap create one',
        'ConfigMap delete',
        'ConfigMap update two',
        'Secret create, old unknown',
        'Secret token',
        'Secret update, old unknown',
      ]);

      const { annotations = {} } = (await world.admin.get(secrets, { name: 'secret', namespace })).metadata;
      const record = annotations['test.example.com/nestjs-operator.secrets'];
      expect(record).toBeDefined();
      const written = JSON.stringify([annotations, transport.writes, logs.records.map(({ fields }) => fields)]);
      for (const content of ['hush-hush', 'aHVzaC1odXNo']) expect(written).not.toContain(content);
    });

    test('nothing of this is written again in a quiet cluster', () => worlds.expectQuiet());
  });
}
