import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startApiServer, systemClock, type Clock, type Timer } from '../src/index.js';
import { configMap, configMaps, widget, widgetDefinition, widgets } from './support/fixtures.js';
import { call, WatchStream } from './support/http.js';

/** Servers and sockets that hold the process. */
const handles = (): string[] => process.getActiveResourcesInfo().filter((kind) => kind.startsWith('TCP'));

/** The machine's clock, which knows the timers that are set. */
class CountingClock implements Clock {
  readonly pending = new Set<Timer>();
  readonly now = systemClock.now;
  readonly monotonic = systemClock.monotonic;

  setTimer(delay: number, fire: () => void, options?: { background?: boolean }): Timer {
    const inner = systemClock.setTimer(
      delay,
      () => {
        this.pending.delete(timer);
        fire();
      },
      options,
    );
    const timer: Timer = {
      cancel: () => {
        this.pending.delete(timer);
        inner.cancel();
      },
    };
    this.pending.add(timer);
    return timer;
  }
}

async function settle(): Promise<void> {
  // The other ends of the connections see the end in the turns that follow.
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const idle = (port: number): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', () => socket.destroy()); // The server ends it on close, in whatever way.
  });

describe('the life of a server', () => {
  it('leaves nothing behind, a hundred times over', async () => {
    const clock = new CountingClock();
    for (let time = 0; time < 100; time++) {
      const api = await startApiServer({ crds: [widgetDefinition], clock });
      const stream = await WatchStream.open(api.url, `${configMaps}?watch=1&allowWatchBookmarks=true`);
      const socket = await idle(api.port);
      await call(api.url, 'POST', configMaps, { body: configMap('a', {}, { finalizers: ['x.example/a'] }) });
      await call(api.url, 'POST', widgets, { body: widget('a') });
      // Work for a controller, and two requests that are under way when the server closes.
      await call(api.url, 'DELETE', '/api/v1/namespaces/kube-node-lease');
      api.faults.add({ match: { resource: 'secrets' }, do: { action: 'delay', ms: 60_000 } });
      const delayed = call(api.url, 'GET', '/api/v1/secrets').catch((error: NodeJS.ErrnoException) => error.code);
      const waiting = call(api.url, 'GET', `${configMaps}?resourceVersion=999999`).catch(
        (error: NodeJS.ErrnoException) => error.code,
      );
      while (api.requests.length < 6) await new Promise((resolve) => setImmediate(resolve));
      // The watch's bookmark and end, the delay, the wait for a version.
      expect(clock.pending.size).toBeGreaterThanOrEqual(4);
      await api.close();
      expect([await stream.ended(), await delayed, await waiting]).toEqual([
        expect.any(String),
        'ECONNRESET',
        'ECONNRESET',
      ]);
      socket.destroy();
      await settle();
      expect([handles(), clock.pending.size, api.activity.count]).toEqual([[], 0, 0]);
    }
  }, 60_000);

  it('frees its port: the next server can have it', async () => {
    const first = await startApiServer();
    await first.close();
    const second = await startApiServer({ port: first.port });
    expect((await call(second.url, 'GET', '/healthz')).text).toBe('ok');
    await second.close();
    await expect(call(second.url, 'GET', '/healthz')).rejects.toThrow('ECONNREFUSED');
  });
});
