import 'reflect-metadata';
import dns from 'node:dns';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openWorld } from './open-world.js';
import { createWidget, requests, setN, startWithOne } from './widgets.js';

describe('watches', () => {
  it('[TC-01] a half-open connection is noticed within the silence limit, and the watch resumes', async () => {
    const world = await openWorld();
    const { calls, clock } = await startWithOne(world);
    const { api } = world.stage;
    // A quiet night: what matters must not be that the connection is young.
    await clock.advance(3 * 60_000);
    const told = api.watches.list({ resource: 'widgets' })[0]!.revision;

    expect(api.watches.cut({ how: 'stall', resource: 'widgets' })).toBe(1);
    api.requests.clear();
    const stalledAt = clock.monotonic();
    await createWidget(world, 'b', 1);
    await world.until(() => calls.length > 1, 90_000);

    expect(clock.monotonic() - stalledAt).toBeLessThanOrEqual(90_000);
    const watches = requests(world, 'watch');
    expect(watches).toHaveLength(1);
    // From the last version, so that no list is needed.
    expect(Number(watches[0]!.query.get('resourceVersion'))).toBeGreaterThanOrEqual(told);
    expect(watches[0]!.query.has('sendInitialEvents')).toBe(false);
    expect(requests(world, 'list')).toEqual([]);
    await world.expectQuiet();
    expect(calls).toEqual(['create a 1', 'create b 1']);
  });

  it('[TC-02] a watch that ends for any reason comes back, and each change is handled once', async () => {
    const world = await openWorld();
    const { api, clock } = world.stage;
    const host = 'kubernetes.test';
    const { lookup } = dns;
    let resolvable = true;
    const resolve = vi.spyOn(dns, 'lookup').mockImplementation(((name: string, options: object, done: Function) => {
      if (name !== host) return lookup(name, options as dns.LookupOptions, done as never);
      if (resolvable) return lookup('127.0.0.1', options as dns.LookupOptions, done as never);
      const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), {
        code: 'ENOTFOUND',
        syscall: 'getaddrinfo',
      });
      return setImmediate(() => done(error));
    }) as typeof dns.lookup);
    onTestFinished(() => resolve.mockRestore());
    const kubeConfig = api.kubeConfig();
    kubeConfig.clusters[0]!.cluster.server = `http://${host}:${api.port}`;
    const { calls, exit, operator } = await startWithOne(world, { kubeConfig });
    const pid = process.pid;
    const widgets = { resource: 'widgets' } as const;
    let n = 1;
    const changed = async (): Promise<void> => {
      n += 1;
      await setN(world, 'a', n);
    };
    const handled = async (): Promise<void> => {
      await world.until(() => calls.at(-1) === `update a ${n}`);
      await world.until(() => api.watches.list(widgets).length === 1);
      // Past the time that counts as health, so that each end is judged by itself.
      await clock.advance(3 * 60_000);
      expect(calls).toHaveLength(n);
    };

    for (const how of ['end', 'reset', 'midline'] as const) {
      expect(api.watches.cut({ how, ...widgets })).toBe(1);
      await changed();
      await handled();
    }

    const bad = api.faults.add({
      match: { verb: 'watch', ...widgets, times: 3 },
      do: { action: 'answer', status: 502, body: '<html>Bad Gateway</html>' },
    });
    api.watches.cut({ how: 'end', ...widgets });
    await changed();
    await handled();
    expect(bad.hits).toBe(3);

    resolvable = false;
    resolve.mockClear();
    api.watches.cut({ how: 'reset', ...widgets });
    await changed();
    await clock.advance(20_000);
    expect(resolve.mock.calls.filter(([name]) => name === host).length).toBeGreaterThan(1);
    expect(calls).toHaveLength(n - 1);
    resolvable = true;
    await handled();

    await api.faults.refuseConnections(true);
    await changed();
    await clock.advance(5_000);
    expect(calls).toHaveLength(n - 1);
    await api.faults.refuseConnections(false);
    await handled();

    expect(calls).toEqual(['create a 1', ...[2, 3, 4, 5, 6, 7].map((value) => `update a ${value}`)]);
    expect(exit.exits).toEqual([]);
    expect(process.pid).toBe(pid);
    expect(operator.getStatus().state).toBe('running');
    await world.expectQuiet();
  });

  it('[TC-02] waits between tries grow and are capped', async () => {
    const world = await openWorld();
    const { api, clock } = world.stage;
    const { calls, exit } = await startWithOne(world);
    const fault = api.faults.add({
      match: { verb: 'watch', resource: 'widgets' },
      do: { action: 'answer', status: 502 },
    });
    api.watches.cut({ how: 'reset', resource: 'widgets' });
    api.requests.clear();
    await clock.advance(15 * 60_000);
    const times = requests(world, 'watch').map(({ at }) => at);
    const waits = times.slice(1).map((at, index) => at - times[index]!);
    expect(waits.length).toBeGreaterThan(15);
    // The first six double from 0.8 s on, each varied by up to twice that; then comes the cap of 30 s.
    for (const [index, wait] of waits.entries()) {
      const base = Math.min(30_000, 800 * 2 ** (index + 1));
      expect(wait).toBeGreaterThanOrEqual(base - 1);
      expect(wait).toBeLessThanOrEqual(2 * base + 1);
    }
    fault.remove();
    await setN(world, 'a', 2);
    await world.until(() => calls.length === 2);
    expect(calls).toEqual(['create a 1', 'update a 2']);
    expect(exit.exits).toEqual([]);
    await world.expectQuiet();
  });

  it.each([
    ['by the default back-off', {}],
    ['at about one second', { watching: { backoff: { initial: '500ms', factor: 1, cap: '500ms' } } }],
  ])('[TC-04] twenty abrupt closes after the headers lead to twenty reconnects, %s', async (_title, operator) => {
    const world = await openWorld();
    const { api } = world.stage;
    const { calls } = await startWithOne(world, operator);
    const widgets = { resource: 'widgets' } as const;
    const fault = api.faults.add({
      match: { verb: 'watch', ...widgets, times: 20 },
      do: { action: 'reset', when: 'afterHeaders' },
    });
    api.requests.clear();
    api.watches.cut({ how: 'reset', ...widgets });
    await setN(world, 'a', 2);
    let most = 0;
    await world.until(() => {
      most = Math.max(most, api.watches.list(widgets).length);
      return fault.hits === 20 && api.watches.list(widgets).length === 1;
    }, 3_600_000);
    await createWidget(world, 'b', 1);
    await world.until(() => calls.length === 3);

    expect(fault.hits).toBe(20);
    expect(requests(world, 'watch')).toHaveLength(21);
    // The reflector asks for the server's version in between, and lists nothing.
    expect(requests(world, 'list').length).toBeLessThanOrEqual(10);
    expect(requests(world, 'list').every(({ query }) => query.get('limit') === '1')).toBe(true);
    expect(most).toBe(1);
    expect(api.watches.list(widgets)).toHaveLength(1);
    await world.expectQuiet();
    expect(calls).toEqual(['create a 1', 'update a 2', 'create b 1']);
  });
});
