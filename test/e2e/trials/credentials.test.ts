import 'reflect-metadata';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openWorld } from './open-world.js';
import { createWidget, requests, setN, startWithOne } from './widgets.js';

describe('a service account token that is rotated', () => {
  async function start() {
    const folder = await mkdtemp(join(tmpdir(), 'token-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const tokenFile = join(folder, 'token');
    await writeFile(tokenFile, 'token-1\n');
    const users = ['administrator', 'token-1', 'token-2'].map((name) => ({ name, token: name }));
    const world = await openWorld({ users });
    const { api } = world.stage;
    const kubeConfig = { ...api.kubeConfig(), users: [{ name: 'administrator', user: { tokenFile } }] };
    const running = await startWithOne(world, { kubeConfig });
    expect(new Set(requests(world, 'watch').map(({ user }) => user))).toEqual(new Set(['token-1']));
    const refuse = () =>
      api.faults.add({ match: { user: 'token-1' }, do: { action: 'answer', status: 401, reason: 'Unauthorized' } });
    return { ...running, world, tokenFile, refuse };
  }

  it('[TC-10] is read again when the server refuses the old one, and nothing is lost', async () => {
    const { world, calls, clock, exit, tokenFile, refuse } = await start();
    const { api } = world.stage;
    await writeFile(tokenFile, 'token-2\n');
    const refused = refuse();
    api.requests.clear();
    api.watches.cut({ how: 'end', resource: 'widgets' });
    await setN(world, 'a', 2);
    await createWidget(world, 'b', 1);
    await world.until(() => calls.length === 3);
    await clock.advance(5_000);
    expect(calls).toEqual(['create a 1', 'update a 2', 'create b 1']);
    expect(refused.hits).toBe(1);
    const users = api.requests.all().map(({ user }) => user);
    expect(users[0]).toBe('token-1');
    expect(new Set(users.slice(1))).toEqual(new Set(['token-2']));
    expect(exit.exits).toEqual([]);
    await world.expectQuiet();
  });

  it('[TC-10] is read regularly, so that a running watch goes on without a refusal', async () => {
    const { world, calls, clock, tokenFile, refuse } = await start();
    const { api } = world.stage;
    await writeFile(tokenFile, 'token-2\n');
    const watching = api.watches.list({ resource: 'widgets' });
    await clock.advance(61_000);
    const refused = refuse();
    api.requests.clear();
    await setN(world, 'a', 2);
    await world.until(() => calls.length === 2);
    await clock.advance(1_000);
    expect(api.watches.list({ resource: 'widgets' }).map(({ user }) => user)).toEqual(watching.map(({ user }) => user));
    expect(refused.hits).toBe(0);
    expect(api.requests.all().map(({ user }) => user)).toContain('token-2');
    await world.expectQuiet();
  });

  it('[TC-10] that is never renewed ends in bounded tries and a code other than zero', async () => {
    const { world, clock, exit, logs, operator, refuse } = await start();
    const { api } = world.stage;
    refuse();
    api.requests.clear();
    api.watches.cut({ how: 'end', resource: 'widgets' });
    const ended = expect(operator.done).rejects.toThrow();
    await clock.advanceUntil(() => exit.exits.length > 0, 10 * 60_000);
    await ended;
    expect(exit.code).toBe(1);
    expect(exit.exits[0]).toBe(1);
    const tries = requests(world, 'watch').length;
    expect(tries).toBeGreaterThan(5);
    // Each try may send the file's token a second time.
    expect(tries).toBeLessThan(60);
    expect(logs.find({ level: 'error' }).some(({ error }) => String(error).includes('401'))).toBe(true);
    expect(JSON.stringify(logs.records)).not.toContain('token-1');
    await world.expectQuiet();
  });
});
