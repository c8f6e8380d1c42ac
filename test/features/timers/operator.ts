import { HandlerContext, OnCreate, ResourceHandlers, Timer } from 'nestjs-operator';
import { Widget } from '../../support/widget.js';

interface Tick {
  readonly size: number | undefined;
  readonly at: Date;
}

/** Two timers for widgets that have been left in peace: the one after five seconds, the other after ten. */
@ResourceHandlers(Widget)
export class IdleTimers {
  readonly created: Date[] = [];
  readonly often: Tick[] = [];
  readonly seldom: Tick[] = [];

  @OnCreate()
  note(ctx: HandlerContext<Widget>): void {
    this.created.push(ctx.now);
  }

  @Timer({ idle: '5s', interval: '2s' })
  everyTwoSeconds(ctx: HandlerContext<Widget>): void {
    this.often.push({ size: ctx.spec.size, at: ctx.now });
  }

  @Timer({ idle: '10s', interval: '4s' })
  everyFourSeconds(ctx: HandlerContext<Widget>): void {
    this.seldom.push({ size: ctx.spec.size, at: ctx.now });
  }
}

/** A call that takes its time: the interval begins at its end, or with `sharp` at its start. */
@ResourceHandlers(Widget)
export class SlowTimers {
  readonly sharp: Date[] = [];
  readonly plain: Date[] = [];

  @Timer({ interval: '3s', initialDelay: '1s', sharp: true, labels: { timing: 'sharp' } })
  async onTheGrid(ctx: HandlerContext<Widget>): Promise<void> {
    this.sharp.push(ctx.now);
    await ctx.stopped.wait('1s');
  }

  @Timer({ interval: '3s', labels: { timing: 'plain' } })
  async afterTheEnd(ctx: HandlerContext<Widget>): Promise<void> {
    this.plain.push(ctx.now);
    await ctx.stopped.wait('1s');
  }
}

/** What a timer throws decides about its next call; its result goes to the status. */
@ResourceHandlers(Widget)
export class FailingTimer {
  readonly ticks: Date[] = [];

  @Timer({ interval: '4s', retries: 2, backoff: { initial: '1s', jitter: 0 } })
  count(ctx: HandlerContext<Widget>): { readonly ticks: number } {
    this.ticks.push(ctx.now);
    if (this.ticks.length === 2) throw new Error('just this once');
    if (ctx.spec.size === 13) throw new Error('it will not do');
    return { ticks: this.ticks.length };
  }
}
