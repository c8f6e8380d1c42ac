import 'reflect-metadata';
import { HandlerContext, OnUpdate, ResourceHandlers, TemporaryError } from 'nestjs-operator';
import { describe, expect, it } from 'vitest';
import { Widget } from '../../support/kinds.js';
import { openWorld } from './open-world.js';
import { createWidget, setN } from './widgets.js';

interface Call {
  readonly who: unknown;
  readonly cause: string;
  readonly old: unknown;
  readonly new: unknown;
  readonly retry: number;
}

/** Two handlers of one change, by one decorator each, and by two. `ok` succeeds, `bad` fails. */
function pairs(calls: Call[], bad: { failures: number }) {
  const note = (who: unknown, ctx: HandlerContext<Widget>): void => {
    calls.push({ who, cause: ctx.cause, old: ctx.old, new: ctx.new, retry: ctx.retry });
    if (who === 'bad' && bad.failures-- > 0) throw new TemporaryError('not yet', { delay: '2s' });
  };

  @ResourceHandlers(Widget)
  class TwoMethods {
    @OnUpdate({ field: 'spec.n' })
    ok(ctx: HandlerContext<Widget>): void {
      note('ok', ctx);
    }

    @OnUpdate({ field: 'spec.n' })
    bad(ctx: HandlerContext<Widget>): void {
      note('bad', ctx);
    }
  }

  /** Two decorators on a method are one handler with two reasons to be called. */
  @ResourceHandlers(Widget)
  class TwoDecorators {
    @OnUpdate({ field: 'spec.n' })
    @OnUpdate({ field: 'spec.m' })
    ok(ctx: HandlerContext<Widget>): void {
      note('ok', ctx);
    }

    @OnUpdate({ field: 'spec.n' })
    @OnUpdate({ field: 'spec.m' })
    bad(ctx: HandlerContext<Widget>): void {
      note('bad', ctx);
    }
  }

  return { TwoMethods, TwoDecorators };
}

describe('of two handlers of one change, one fails', () => {
  describe.each(['TwoMethods', 'TwoDecorators'] as const)('%s', (form) => {
    it('[TC-38] it is retried alone, with the same old and new, and the other is done', async () => {
      const world = await openWorld();
      const calls: Call[] = [];
      await world.startOperator({ providers: [pairs(calls, { failures: 2 })[form]] });
      await createWidget(world, 'a', 1);
      await world.pass(1_000);
      expect(calls).toEqual([]);
      await setN(world, 'a', 2);
      await world.pass(10_000);
      const change = { cause: 'update', old: 1, new: 2 };
      expect(calls).toEqual([
        { who: 'ok', ...change, retry: 0 },
        { who: 'bad', ...change, retry: 0 },
        { who: 'bad', ...change, retry: 1 },
        { who: 'bad', ...change, retry: 2 },
      ]);
      await world.expectQuiet();
    });

    it('[TC-38] it goes on after a restart, and the other is not called again', async () => {
      const world = await openWorld();
      const calls: Call[] = [];
      const bad = { failures: 2 };
      const first = await world.startOperator({ providers: [pairs(calls, bad)[form]] });
      await createWidget(world, 'a', 1);
      await world.pass(1_000);
      await setN(world, 'a', 2);
      await world.until(() => calls.length === 2);
      await first.settled();
      await first.close();
      await world.startOperator({ providers: [pairs(calls, bad)[form]] });
      await world.pass(10_000);
      const change = { cause: 'update', old: 1, new: 2 };
      expect(calls).toEqual([
        { who: 'ok', ...change, retry: 0 },
        { who: 'bad', ...change, retry: 0 },
        { who: 'bad', ...change, retry: 1 },
        { who: 'bad', ...change, retry: 2 },
      ]);
      await world.expectQuiet();
    });
  });
});
