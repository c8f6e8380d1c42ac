import type { NestExpressApplication } from '@nestjs/platform-express';
import { OperatorModule } from 'nestjs-operator';
import { afterAll, describe, expect, test } from 'vitest';
import { pods } from '../../support/kinds.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import { Widget } from '../../support/widget.js';
import type { World } from '../../support/world.js';
import { BY_LABEL, IS_RUNNING, PodIndexes, PodProbe, PodReport } from './operator.js';

/** Indexes of one kind feed a timer of another one, and a probe over HTTP. */
export function indexesInTimersAndProbesFeature(createWorld: () => Promise<World>): void {
  describe('indexes in timers and probes', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('a timer and a probe show what the indexes hold, and follow it', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'w', namespace };
      const key = (name: string): string => `${namespace}/${name}`;
      const create = (name: string, labels?: Record<string, string>) =>
        admin.create(pods, {
          metadata: { name, namespace, ...(labels === undefined ? {} : { labels }) },
          spec: { containers: [{ name: 'main', image: 'none' }], terminationGracePeriodSeconds: 0 },
        });
      const phase = (name: string, value: string) =>
        admin.patch(pods, { name, namespace }, { status: { phase: value } }, { subresource: 'status' });
      await create('one', { widget: 'w' });
      await create('two');
      await phase('one', 'Running');

      const { module } = await world.startOperator({
        imports: [OperatorModule.forFeature({ indexes: [IS_RUNNING, BY_LABEL] })],
        providers: [PodIndexes, PodReport],
        controllers: [PodProbe],
      });
      const app = module.createNestApplication<NestExpressApplication>({ logger: false });
      await app.listen(0, '127.0.0.1');
      try {
        const probe = async (): Promise<unknown> => (await fetch(`${await app.getUrl()}/probe`)).json();
        expect(await probe()).toEqual({ count: 2, names: [key('one'), key('two')] });

        const status = async () => (await admin.get(Widget, ref)).status;
        await admin.create(Widget, { metadata: ref, spec: {} });
        await world.until(async () => (await status()) !== undefined);
        expect(await status()).toEqual({ running: [key('one')], own: ['one'] });

        await phase('two', 'Running');
        await admin.patch(pods, { name: 'two', namespace }, { metadata: { labels: { widget: 'w' } } });
        await admin.delete(pods, { name: 'one', namespace });
        await world.until(async () => JSON.stringify((await status())?.['running']) === JSON.stringify([key('two')]));
        await world.until(async () => JSON.stringify((await status())?.['own']) === JSON.stringify(['two']));
        expect(await probe()).toEqual({ count: 1, names: [key('two')] });
      } finally {
        // The module, and the operator with it, is closed with the world.
        app.getHttpServer().close();
        app.getHttpServer().closeAllConnections();
      }
    });
  });
}
