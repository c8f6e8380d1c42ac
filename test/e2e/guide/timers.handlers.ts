import { Daemon, HandlerContext, ResourceHandlers, Timer } from 'nestjs-operator';
import { Site } from './site.js';

@ResourceHandlers(Site)
export class SiteChecks {
  readonly lines: string[] = [];

  @Timer({ interval: '1m', idle: '10s', labels: { checked: 'yes' } })
  check(ctx: HandlerContext<Site>): { page: string } {
    this.lines.push(`check ${ctx.spec.title}`);
    return { page: 'checked' };
  }

  @Daemon({ labels: { watched: 'yes' }, cancellationBackoff: '5s' })
  async watch(ctx: HandlerContext<Site>): Promise<void> {
    while (!(await ctx.stopped.wait('30s'))) {
      ctx.patch.merge({ status: { message: `watched: ${ctx.spec.title}` } });
    }
    this.lines.push(`stopped: ${ctx.stopped.reason}`);
  }
}
