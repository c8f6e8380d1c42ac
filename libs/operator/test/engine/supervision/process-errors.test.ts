import { describe, expect, it } from 'vitest';
import { currentHandlerScope, runInHandlerScope } from '../../../src/engine/supervision/handler-scope.js';
import { installProcessErrors } from '../../../src/engine/supervision/process-errors.js';
import { FakeProcessEvents, settle } from './support.js';

const scope = { handler: 'ensure', key: 'widgets.v1.demo.example team-a/one' };

function world(mode: 'all' | 'own') {
  const events = new FakeProcessEvents();
  const failures: [unknown, string][] = [];
  const supervisor = { fail: (error: unknown, origin: string) => void failures.push([error, origin]) };
  const uninstall = installProcessErrors({ events, supervisor, mode });
  return { events, failures, uninstall };
}

describe('the scope of a handler', () => {
  it('reaches into what the handler starts and leaves detached', async () => {
    const seen: unknown[] = [];
    await runInHandlerScope(scope, async () => {
      setImmediate(() => seen.push(currentHandlerScope()));
      await settle();
      seen.push(currentHandlerScope());
    });
    expect(seen).toEqual([scope, scope]);
    expect(currentHandlerScope()).toBeUndefined();
  });
});

describe.each(['unhandledRejection', 'uncaughtException'] as const)('%s', (event) => {
  const kind = event === 'unhandledRejection' ? 'unhandled rejection' : 'uncaught exception';

  it.each(['all', 'own'] as const)('from a handler goes to the supervisor with its name, mode %s', (mode) => {
    const { events, failures } = world(mode);
    const boo = new Error('boo');
    runInHandlerScope(scope, () => events.emit(event, boo));
    expect(failures).toEqual([[boo, `handler ensure of widgets.v1.demo.example team-a/one (${kind})`]]);
    expect(events.raised).toEqual([]);
  });

  it('of unknown origin goes to the supervisor in mode all', () => {
    const { events, failures } = world('all');
    events.emit(event, 'text');
    expect(failures).toEqual([['text', `process (${kind})`]]);
  });

  it('of foreign origin is thrown back in mode own', () => {
    const { events, failures } = world('own');
    const boo = new Error('boo');
    events.emit(event, boo);
    expect(failures).toEqual([]);
    expect(events.raised).toEqual([boo]);
  });

  it('of foreign origin is left to other listeners where there are some, in mode own', () => {
    const { events, failures } = world('own');
    const seen: unknown[] = [];
    events.listen(event, (error: unknown) => void seen.push(error));
    events.emit(event, 'boo');
    expect(failures).toEqual([]);
    expect(events.raised).toEqual([]);
    expect(seen).toEqual(['boo']);
  });
});

describe('installed listeners', () => {
  it('are removed by uninstalling, and before an exception is thrown back to Node', () => {
    const count = (events: FakeProcessEvents): number =>
      events.listenerCount('unhandledRejection') + events.listenerCount('uncaughtException');
    const first = world('all');
    expect(count(first.events)).toBe(2);
    first.uninstall();
    expect(count(first.events)).toBe(0);

    const second = world('own');
    second.events.emit('uncaughtException', new Error('foreign'));
    expect(count(second.events)).toBe(0);
  });
});
