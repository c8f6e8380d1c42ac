import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { eventually } from '@nestjs-operator/testing';
import { OperatorRef, type KubeConfigSource } from 'nestjs-operator';
import { afterAll, describe, expect, test } from 'vitest';
import { isGone } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import { Widget } from '../../support/widget.js';
import type { World } from '../../support/world.js';
import { HostModule } from './operator.js';

async function serve(module: DynamicModule) {
  const app = await NestFactory.create(module, { logger: false });
  await app.listen(0, '127.0.0.1');
  const base = await app.getUrl();
  const send = (method: string, path = ''): Promise<Response> =>
    fetch(`${base}/widgets${path}`, { method, headers: { connection: 'close' } });
  return {
    app,
    operator: app.get(OperatorRef),
    calls: async () => (await (await send('GET')).json()) as string[],
    create: async (name: string) => expect((await send('POST', `/${name}`)).status).toBe(201),
    remove: async (name: string) => expect((await send('DELETE', `/${name}`)).status).toBe(200),
  };
}

/** An operator inside an application that serves HTTP and has work of its own; started and stopped by it. */
export function embeddingFeature(
  createWorld: () => Promise<World>,
  kubeConfigOf: (world: World) => KubeConfigSource,
): void {
  describe('embedding', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('the application starts it, waits until it is ready, works beside it and ends it', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const exitCode = process.exitCode;
      const signals = process.listenerCount('SIGTERM');
      const host = await serve(HostModule.of('host.example', namespace, kubeConfigOf(world)));
      const expected: string[] = [];
      try {
        await host.create('early');
        expect(await host.calls(), 'it works before it is started').toEqual([]);
        await host.operator.start();
        await host.operator.whenSynced();
        expected.push('create early');
        for (const name of ['one', 'two', 'three']) {
          await host.create(name);
          expected.push(`create ${name}`);
          await eventually(async () => (await host.calls()).length === expected.length);
          await host.remove(name);
          expected.push(`delete ${name}`);
          await eventually(() => isGone(admin, Widget, { name, namespace }));
        }
        expect(await host.calls()).toEqual(expected);
      } finally {
        await host.app.close();
      }
      await host.operator.done;
      expect(host.operator.getStatus().state).toBe('stopped');
      expect(process.exitCode).toBe(exitCode);
      expect(process.listenerCount('SIGTERM')).toBe(signals);
    });

    test('two applications in one process, each with an operator, do not disturb each other', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const names = ['one.example', 'two.example'];
      const hosts = await Promise.all(names.map((name) => serve(HostModule.of(name, namespace, kubeConfigOf(world)))));
      const ref = { name: 'shared', namespace };
      try {
        for (const { operator } of hosts) {
          await operator.start();
          await operator.whenSynced();
        }
        await admin.create(Widget, { metadata: ref, spec: {} });
        for (const { calls } of hosts) await eventually(async () => (await calls()).length === 1);
        await hosts[0]?.app.close();
        await admin.delete(Widget, ref);
        // The first has stopped and left its finalizer, so the object waits for it; the second one is done with it.
        await eventually(async () => (await hosts[1]?.calls())?.length === 2);
        expect(await hosts[1]?.calls()).toEqual(['create shared', 'delete shared']);
        await eventually(async () => {
          const { finalizers } = (await admin.get(Widget, ref)).metadata;
          return JSON.stringify(finalizers) === JSON.stringify(['one.example/finalizer']);
        });
        await admin.patch(Widget, ref, { metadata: { finalizers: null } });
      } finally {
        for (const { app } of hosts) await app.close();
      }
    });
  });
}
