import { setTimeout as pause } from 'node:timers/promises';
import { startApiServer, type ApiServer } from '@nestjs-operator/apiserver';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NetworkError } from '../../src/errors/network.error.js';
import { defaultConfig } from '../../src/engine/defaults.js';
import { engineRig, widgetDefinition, widgetType, type EngineRig } from './engine-rig.js';
import { on } from './processing/rig.js';

let server: ApiServer;
let unhandled: unknown[];
const note = (reason: unknown): void => void unhandled.push(reason);

beforeEach(async () => {
  unhandled = [];
  process.on('unhandledRejection', note);
  server = await startApiServer({ crds: [widgetDefinition] });
});

afterEach(async () => {
  process.off('unhandledRejection', note);
  await server.close();
});

const handlers = {
  ensure: [on.create(), on.update()],
  seen: [on.event()],
  remove: [on.delete()],
};

/** Runs an operator and ends it at its n-th request, before it is sent or once it is answered. */
async function endAt(
  index: number,
  moment: 'before' | 'after',
  namespaces: readonly string[] | undefined,
  how: (rig: EngineRig) => void,
): Promise<{ readonly rig: EngineRig; readonly came: boolean }> {
  const name = `w${index}${moment}`;
  let count = 0;
  let ended = false;
  const rig = engineRig({
    server,
    handlers,
    config: { namespaces },
    invoke: (handler, { meta }) => (handler === 'ensure' ? { by: meta.uid } : undefined),
    onRequest: (_request, when) => {
      if (when !== moment || count++ !== index || ended) return;
      ended = true;
      how(rig);
    },
  });
  const metadata = { name, namespace: 'default' };
  await server.apply({ ...widgetType, metadata, spec: { size: 1 } });
  const started = rig.engine.start();
  // Told by `done` as well.
  started.catch(() => undefined);
  const done = rig.engine.done.then(
    () => true,
    () => true,
  );
  const worked = (async (): Promise<boolean> => {
    await rig.engine.whenSynced();
    while (!(await handled(name))) await pause(2);
    await server.apply({ ...widgetType, metadata, spec: { size: 2 } });
    await server.delete({ ...widgetType, name, namespace: 'default' });
    while ((await widgets()).some((widget) => widget.metadata.name === name)) await pause(2);
    return false;
  })();
  // Ends with the operator at the latest; what it waits for may never come then.
  worked.catch(() => undefined);
  const came = await Promise.race([done, worked]);
  if (!came) await rig.engine.stop();
  return { rig, came };
}

async function widgets(): ReturnType<ApiServer['list']> {
  return server.list(widgetType);
}

async function handled(name: string): Promise<boolean> {
  return (await widgets()).some(({ metadata, status }) => metadata.name === name && status !== undefined);
}

async function expectNothingLeft(rig: EngineRig): Promise<void> {
  const count = rig.requests();
  await pause(20);
  expect(rig.requests()).toBe(count);
  expect([rig.clock.pending.size, rig.inFlight(), server.watches.list().length]).toEqual([0, 0, 0]);
  expect(rig.engine.getStatus()).toMatchObject({ running: 0 });
  expect(unhandled).toEqual([]);
  await rig.close();
}

describe.each([undefined, ['default', 'other']])(
  'an operator of namespaces %j, ended at any of its requests',
  (namespaces) => {
    it.each(['before', 'after'] as const)('%s it, stops in order and leaves nothing behind', async (moment) => {
      for (let index = 0; ; index += 1) {
        const { rig, came } = await endAt(index, moment, namespaces, ({ engine }) => void engine.stop());
        await expect(rig.engine.done).resolves.toBeUndefined();
        expect(rig.engine.getStatus().state).toBe('stopped');
        expect(rig.records.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
        await expectNothingLeft(rig);
        if (!came) break;
        expect(index).toBeLessThan(100);
      }
    });

    it.each(['before', 'after'] as const)('%s it, by an unrecoverable error, ends with that error', async (moment) => {
      for (let index = 0; ; index += 1) {
        const { rig, came } = await endAt(index, moment, namespaces, ({ engine }) => engine.fatal(new Error('lost')));
        if (came) await expect(rig.engine.done).rejects.toMatchObject({ cause: { message: 'lost' } });
        await expectNothingLeft(rig);
        if (!came) break;
        expect(index).toBeLessThan(100);
      }
    });
  },
);

describe('an operator that cannot reach the server', () => {
  it.each(['get', 'watch', 'patch'])(
    'is ended while it waits to repeat a %s, and leaves nothing behind',
    async (verb) => {
      let failed = 0;
      const rig = engineRig({
        server,
        handlers,
        onRequest: (request, when) => {
          if (request.verb !== verb || when === 'after') return;
          failed += 1;
          throw new NetworkError({
            verb: request.verb,
            path: request.path,
            server: 'a server',
            systemCode: 'ECONNREFUSED',
            mayHaveReachedServer: false,
            advice: undefined,
          });
        },
        config: {
          watching: { ...defaultConfig.watching, backoff: { initial: 60_000, factor: 1, cap: 60_000, reset: 0 } },
        },
      });
      await server.apply({ ...widgetType, metadata: { name: 'waiting', namespace: 'default' }, spec: {} });
      await rig.engine.start();
      while (failed === 0) await pause(1);
      await pause(5);
      expect(rig.clock.pending.size).toBeGreaterThan(0);
      await rig.engine.stop();
      await expect(rig.engine.done).resolves.toBeUndefined();
      await expectNothingLeft(rig);
    },
  );
});
