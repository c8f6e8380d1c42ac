import { Daemon, HandlerContext, ResourceHandlers, TemporaryError } from 'nestjs-operator';
import { Widget } from '../../support/widget.js';

interface Note {
  readonly what: string;
  readonly at: Date;
}

/** Keeps a widget company: it fails twice, then looks in every two seconds, and is done after six. */
@ResourceHandlers(Widget)
export class Companion {
  readonly notes: Note[] = [];

  @Daemon()
  async accompany(ctx: HandlerContext<Widget>): Promise<void> {
    this.notes.push({ what: `attempt ${ctx.retry}`, at: ctx.now });
    if (ctx.retry < 2) {
      ctx.patch.merge({ status: { message: `failed ${ctx.retry + 1} times` } });
      throw new TemporaryError('not yet', { delay: '1s' });
    }
    for (let visit = 0; visit < 3; visit += 1) {
      // The newest state, not that of the start.
      this.notes.push({ what: `looks in, size ${ctx.spec.size}`, at: ctx.now });
      if (await ctx.stopped.wait('2s')) break;
    }
    ctx.patch.merge({ status: { message: 'done' } });
  }
}

/** Runs for as long as its widget is marked, and takes a second to say goodbye. */
@ResourceHandlers(Widget)
export class Guard {
  readonly calls: string[] = [];
  readonly ends: Date[] = [];

  @Daemon({ annotations: { 'demo.example/guarded': 'yes' }, cancellationBackoff: '1s', cancellationTimeout: '5s' })
  async guard({ meta, stopped, signal, ...ctx }: HandlerContext<Widget>): Promise<void> {
    this.calls.push(`guards ${meta.name}`);
    await stopped.wait();
    this.calls.push(`is told to stop: ${stopped.reason}`);
    this.ends.push(ctx.now);
    // `signal` comes later than `stopped`: what is to be done in good order has this long.
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    this.calls.push('ends');
  }
}
