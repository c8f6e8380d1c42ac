import 'reflect-metadata';
import type { FaultAction } from '@nestjs-operator/apiserver';
import {
  HandlerContext,
  OnCreate,
  OnDelete,
  OnResume,
  OnUpdate,
  OnWatchEvent,
  ResourceHandlers,
  Timer,
} from 'nestjs-operator';
import { describe, expect, it } from 'vitest';
import { Widget } from '../../support/kinds.js';
import { openWorld } from './open-world.js';
import { createWidget, ref, requests, setN } from './widgets.js';

const minute = 60_000;

@ResourceHandlers(Widget)
class Everything {
  readonly calls: string[] = [];
  readonly gone: string[] = [];
  ticks: string[] = [];

  @OnCreate()
  @OnUpdate()
  @OnResume()
  @OnDelete({ optional: true })
  note(ctx: HandlerContext<Widget>): void {
    this.calls.push(`${ctx.cause} ${ctx.meta.name} ${String(ctx.spec['n'])}`);
  }

  @OnWatchEvent()
  see(ctx: HandlerContext<Widget>): void {
    if (ctx.eventType === 'DELETED') this.gone.push(ctx.meta.name);
  }

  @Timer({ interval: '1m' })
  tick(ctx: HandlerContext<Widget>): void {
    this.ticks.push(ctx.meta.name);
  }
}

/** What the next watch is told, by the shape in which a server says that it must be begun anew. */
const shapes: ReadonlyArray<readonly [title: string, deleted: string, told: FaultAction]> = [
  ['410 as a status', 'e', { action: 'answer', status: 410, reason: 'Expired' }],
  [
    '410 within the stream',
    'd',
    {
      action: 'inject',
      line: {
        type: 'ERROR',
        object: {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: 'too old resource version: 1 (2)',
          reason: 'Expired',
          code: 410,
        },
      },
    },
  ],
  [
    'a version from the future',
    'c',
    {
      action: 'answer',
      status: 504,
      body: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'Timeout: Too large resource version: 9, current: 8',
        reason: 'Timeout',
        details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }] },
        code: 504,
      },
    },
  ],
];

describe('a watch that cannot be resumed', () => {
  it('[TC-05] after 410 in any shape, or a version from the future, a fresh list finds the one update and the one deletion', async () => {
    const world = await openWorld();
    const { api, clock } = world.stage;
    const { module, settled, exit } = await world.startOperator({ providers: [Everything] });
    const handlers = module.get(Everything);
    const { calls, gone } = handlers;
    for (const name of ['a', 'b', 'c', 'd', 'e']) await createWidget(world, name, 1);
    await settled();
    expect(calls.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'].map((name) => `create ${name} 1`));

    let n = 1;
    const left = new Set(['a', 'b', 'c', 'd', 'e']);
    for (const [title, deleted, answer] of shapes) {
      // Long enough for the watch before to count as healthy.
      await clock.advance(3 * minute);
      calls.length = 0;
      gone.length = 0;
      const told = api.watches.list({ resource: 'widgets' })[0]!.revision;
      api.requests.clear();
      const fault = api.faults.add({ match: { verb: 'watch', resource: 'widgets', times: 1 }, do: answer });
      expect(api.watches.cut({ how: 'end', resource: 'widgets' }), title).toBe(1);
      n += 1;
      await setN(world, 'a', n);
      await api.delete(ref(deleted));
      left.delete(deleted);
      await world.until(() => gone.length > 0);
      await settled();
      expect(fault.hits, title).toBe(1);

      // The refused watch went on from what the one before had been told last, not from an object's version.
      const [refused, fresh] = requests(world, 'watch');
      expect(Number(refused!.query.get('resourceVersion')), title).toBeGreaterThanOrEqual(told);
      expect(fresh!.query.get('sendInitialEvents') ?? String(requests(world, 'list').length > 0), title).toBe('true');
      expect(gone, title).toEqual([deleted]);
      await clock.advance(minute);
      handlers.ticks = [];
      await clock.advance(minute);
      expect(handlers.ticks.toSorted(), title).toEqual([...left]);
      expect(calls, title).toEqual([`update a ${n}`]);
      fault.remove();
    }
    expect(exit.exits).toEqual([]);
    await world.expectQuiet();
  });
});
