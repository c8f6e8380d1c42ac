import { HandlerContext, OnCreate, OnDelete, OnUpdate, ResourceHandlers } from 'nestjs-operator';
import { PageService } from './page.service.js';
import { Site, type SiteStatus } from './site.js';

@ResourceHandlers(Site)
export class SiteHandlers {
  constructor(private readonly pages: PageService) {}

  @OnCreate()
  @OnUpdate({ field: 'spec.title' })
  async publish(ctx: HandlerContext<Site>): Promise<SiteStatus> {
    const page = await this.pages.publish(ctx.object, ctx.spec.title, ctx.signal);
    ctx.logger.info('Page published', { cause: ctx.cause });
    return { page }; // merged into the status
  }

  @OnDelete()
  async withdraw(ctx: HandlerContext<Site>): Promise<void> {
    await this.pages.withdraw(ctx.object, ctx.signal);
  }
}
