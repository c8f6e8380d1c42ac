import { filter, firstValueFrom, map } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { HandlerFact } from '../../src/engine/engine-observer.js';
import { noElection } from '../../src/engine/leaderelection/leadership-status.js';
import { ObserverHub } from '../../src/engine/observing/observer-hub.js';
import { createLogger, type LogRecord } from '../../src/engine/ports/index.js';
import type { OperatorEvent } from '../../src/events/operator-event.js';
import { OperatorEvents } from '../../src/events/operator-events.js';
import { FakeClock } from '../engine/client/fake-clock.js';

const call: HandlerFact = {
  handler: 'ensure',
  origin: 'Widgets.ensure',
  resource: 'widgets.v1.demo.example',
  key: 'a/one' as HandlerFact['key'],
  cause: 'create',
  attempt: 1,
};
const end = { duration: 5, error: undefined, delay: undefined };

function rig(): { hub: ObserverHub; events: OperatorEvents; records: LogRecord[] } {
  const records: LogRecord[] = [];
  const logger = createLogger((record) => records.push(record));
  const hub = new ObserverHub(logger);
  return { hub, events: new OperatorEvents(hub, new FakeClock(), logger), records };
}

describe('the events of an operator', () => {
  it('tell of handlers, objects, watches, the lead and the life, and complete at the end', () => {
    const { hub, events } = rig();
    const seen: OperatorEvent[] = [];
    let completed = 0;
    events.stream.subscribe({ next: (event) => seen.push(event), complete: () => (completed += 1) });
    const { observer } = hub;
    const watch = { resource: 'widgets.v1.demo.example', namespace: undefined };
    const cause = { kind: 'network', verb: 'watch', status: undefined } as const;
    const error = { name: 'ApiError', code: 'OPERATOR_API' };
    observer.onOperatorState?.('running', 'starting');
    observer.onSynced?.();
    observer.onLeadership?.({ ...noElection, state: 'leading', lease: 'ops/lease', identity: 'me' });
    observer.onHandlerEnd?.(call, { ...end, outcome: 'succeeded' });
    observer.onHandlerEnd?.(call, { ...end, outcome: 'temporary', error, delay: 1_000 });
    observer.onHandlerEnd?.(call, { ...end, outcome: 'aborted' });
    observer.onThrottled?.('widgets.v1.demo.example', 'a/one' as never, 2_000, error);
    observer.onWatchState?.(watch, 'degraded', 'watching', cause);
    observer.onWatchState?.(watch, 'degraded', 'degraded', cause);
    observer.onWatchRecovered?.(watch, 300);
    observer.onLeadership?.({ ...noElection, state: 'losing', lease: 'ops/lease', identity: 'me' });
    observer.onLeadership?.({ ...noElection, state: 'standby', lease: 'ops/lease', identity: 'me' });
    observer.onFailure?.(error);
    observer.onOperatorState?.('draining', 'running');
    observer.onOperatorState?.('stopping', 'draining');
    expect(completed).toBe(0);
    observer.onOperatorState?.('failed', 'stopping');
    expect(completed).toBe(1);
    expect(seen.map(({ type }) => type)).toEqual([
      'started',
      'synced',
      'leaderGained',
      'handlerSucceeded',
      'handlerFailed',
      'objectThrottled',
      'watchDegraded',
      'watchRecovered',
      'leaderLost',
      'failed',
      'stopping',
    ]);
    expect(seen[4]).toMatchObject({ handler: 'ensure', outcome: 'temporary', error, delay: 1_000, attempt: 1 });
    expect(seen.every(({ at }) => typeof at === 'number')).toBe(true);
    let late = 0;
    events.stream.subscribe({ complete: () => (late += 1) });
    expect(late).toBe(1);
  });

  it('ask the engine for nothing that happens often while nobody is subscribed', () => {
    const { hub, events } = rig();
    expect(hub.observer.onHandlerEnd).toBeUndefined();
    const first = events.stream.subscribe();
    const second = events.stream.subscribe();
    expect(hub.observer.onHandlerEnd).toBeDefined();
    first.unsubscribe();
    expect(hub.observer.onHandlerEnd).toBeDefined();
    second.unsubscribe();
    expect(hub.observer.onHandlerEnd).toBeUndefined();
  });

  it('log a subscriber that throws, also behind a pipe, and go on for it and for all others', async () => {
    const { hub, events, records } = rig();
    const good: string[] = [];
    let bad = 0;
    events.stream.subscribe(() => {
      bad += 1;
      throw new Error('mine');
    });
    events.stream.pipe(map(({ type }) => type)).subscribe({
      next: () => {
        throw new Error('piped');
      },
    });
    const mapped = (): never => {
      throw new Error('in the pipe');
    };
    events.stream.pipe(map(mapped)).subscribe();
    events.stream.subscribe(({ type }) => good.push(type));
    const handled = firstValueFrom(events.stream.pipe(filter(({ type }) => type === 'handlerSucceeded')));
    hub.observer.onSynced?.();
    hub.observer.onHandlerEnd?.(call, { ...end, outcome: 'succeeded' });
    expect(await handled).toMatchObject({ handler: 'ensure', duration: 5 });
    expect(bad).toBe(2);
    expect(good).toEqual(['synced', 'handlerSucceeded']);
    const told = records.map(({ level, message, error }) => [level, message, (error as Error).message]);
    const message = 'A subscriber of the operator events failed';
    expect(told).toEqual([
      ['error', message, 'mine'],
      ['error', message, 'piped'],
      ['error', message, 'in the pipe'],
      ['error', message, 'mine'],
      ['error', message, 'piped'],
    ]);
  });
});
