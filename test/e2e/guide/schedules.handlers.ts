import { Daemon, HandlerContext, OnReconcile, ResourceHandlers, Timer } from 'nestjs-operator';
import { Site } from './site.js';

@ResourceHandlers(Site)
export class ScheduledHandlers {
  readonly lines: string[] = [];

  @Timer({
    interval: '10m',
    sharp: true, // from start to start
    initialDelay: ({ meta }) => (meta.labels?.['urgent'] === 'yes' ? 0 : '1m'),
    jitter: '5m', // of the first calls when the operator starts
    finalizer: true,
  })
  async count(ctx: HandlerContext<Site>): Promise<void> {
    this.lines.push(`count ${ctx.meta.name}`);
    await ctx.stopped.wait('1m');
  }

  @Daemon({
    labels: { watched: 'yes' },
    initialDelay: '5s',
    jitter: '30s',
    restart: 'always', // it is called again when it has returned, after its back-off
    backoff: '20s',
    cancellationBackoff: '5s', // from `stopped` to the abort of `signal`
    cancellationTimeout: '30s', // from there on, until the object waits no longer
    finalizer: false,
  })
  async visit(ctx: HandlerContext<Site>): Promise<void> {
    this.lines.push(`visit ${ctx.meta.name}`);
    await ctx.stopped.wait('40s');
  }

  @Daemon({ labels: { guarded: 'yes' }, cancellationPolling: '10s' }) // a warning every ten seconds while the object waits
  async guard(ctx: HandlerContext<Site>): Promise<void> {
    while (!(await ctx.stopped.wait('1m'))) this.lines.push(`guard ${ctx.meta.name}`);
  }

  @OnReconcile({
    backoff: { initial: '2s', factor: 3, cap: '1m', jitter: 0 },
    watches: [
      {
        resource: 'configmaps', // a theme that many sites use
        map: ({ metadata }) =>
          (metadata.annotations?.['web.example/sites'] ?? '')
            .split(' ')
            .map((name) => ({ namespace: metadata.namespace, name })),
      },
    ],
  })
  apply(ctx: HandlerContext<Site>): void {
    this.lines.push(`apply ${ctx.meta.name}`);
  }
}
