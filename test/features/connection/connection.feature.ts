import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { eventually } from '@nestjs-operator/testing';
import { OperatorRef } from 'nestjs-operator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OpenWorlds } from '../../support/open-worlds.js';
import { Widget } from '../../support/widget.js';
import type { World } from '../../support/world.js';
import { ConnectedModule, WidgetHandlers, type Vault } from './operator.js';

interface KubeConfig {
  readonly clusters: ReadonlyArray<{ readonly name: string; readonly cluster: { readonly server: string } }>;
  readonly users: ReadonlyArray<{ readonly name: string; readonly user: { readonly token?: string } }>;
}

/** The way to the cluster, found by the application's own code, and credentials that change while it runs. */
export function connectionFeature(createWorld: () => Promise<World>, kubeConfigOf: (world: World) => KubeConfig): void {
  describe('connection', () => {
    const worlds = new OpenWorlds(createWorld);
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'connection-'));
    });
    afterAll(async () => {
      await worlds.close();
      await rm(folder, { recursive: true });
    });

    test('the application provides it, and credentials that the server refuses are read again', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const kubeConfig = kubeConfigOf(world);
      const token = kubeConfig.users[0]?.user.token ?? '';
      expect(token, 'the server asks for a token').not.toBe('');
      const tokenFile = join(folder, 'token');
      await writeFile(tokenFile, 'one-that-is-no-longer-valid');
      let asked = 0;
      const vault: Vault = {
        kubeConfig: async () => {
          asked += 1;
          await new Promise((resolve) => setTimeout(resolve, 50));
          return { ...kubeConfig, users: kubeConfig.users.map(({ name }) => ({ name, user: { tokenFile } })) };
        },
      };
      const app = await NestFactory.createApplicationContext(ConnectedModule.of(namespace, vault), { logger: false });
      try {
        const operator = app.get(OperatorRef);
        const { created } = app.get(WidgetHandlers);
        await admin.create(Widget, { metadata: { name: 'a', namespace }, spec: {} });
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        expect(created).toEqual([]);
        expect(operator.getStatus().state).toBe('running');

        await writeFile(tokenFile, token);
        await eventually(() => created.length === 1, { timeout: 60_000 });
        await operator.whenSynced();
        expect(asked).toBe(1);
      } finally {
        await app.close();
      }
    });
  });
}
