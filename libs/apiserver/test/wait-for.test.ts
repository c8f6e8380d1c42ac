import { describe, expect, it } from 'vitest';
import { ClosedError, WaitTimeoutError } from '../src/index.js';
import { configMap, server } from './support/fixtures.js';
import { ManualClock } from './support/manual-clock.js';

const ref = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name });

describe('waitFor', () => {
  it('gives up when the time of the server is up, and says what it waited for', async () => {
    const clock = new ManualClock();
    const api = await server({ clock });
    const timers = clock.timers;
    const waiting = api.waitFor(() => api.get(ref('never')), { timeout: 5_000 });
    const outcome = waiting.catch((error: unknown) => error);
    clock.advance(4_999);
    await api.create(configMap('a'));
    expect(clock.timers).toBe(timers + 1);
    clock.advance(1);
    const error = await outcome;
    expect(error).toBeInstanceOf(WaitTimeoutError);
    expect(error).toMatchObject({ code: 'APISERVER_WAIT_TIMEOUT', timeout: 5_000 });
    expect((error as Error).message).toMatch(/: \(\) => api\.get\(ref\(.never.\)\)$/);
    expect(clock.timers).toBe(timers);
  });

  it('gives up after 30 seconds by default, also while the predicate itself hangs', async () => {
    const clock = new ManualClock();
    const api = await server({ clock });
    const waiting = api.waitFor(() => new Promise<boolean>(() => undefined)).catch((error: unknown) => error);
    clock.advance(29_999);
    expect(await Promise.race([waiting, Promise.resolve('waits')])).toBe('waits');
    clock.advance(1);
    expect(await waiting).toBeInstanceOf(WaitTimeoutError);
  });

  it('looks at each state that a write leaves, and once more after a restore', async () => {
    const api = await server();
    const snapshot = api.snapshot();
    await api.create(configMap('a'));
    const gone = api.waitFor(async () => (await api.get(ref('a'))) === undefined);
    api.restore(snapshot);
    expect(await gone).toBe(true);
  });

  it('ends with the server', async () => {
    const api = await server();
    const waiting = api.waitFor(() => false).catch((error: unknown) => error);
    await api.close();
    expect(await waiting).toBeInstanceOf(ClosedError);
    await expect(api.waitFor(() => false)).rejects.toMatchObject({ code: 'APISERVER_CLOSED' });
  });

  it('ends with a signal that is aborted already', async () => {
    const api = await server();
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(api.waitFor(() => true, { signal })).rejects.toThrow('enough');
  });
});
