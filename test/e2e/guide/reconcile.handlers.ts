import { HandlerContext, OnReconcile, ResourceHandlers, type ReconcileResult } from 'nestjs-operator';
import { PageService } from './page.service.js';
import { Site } from './site.js';

@ResourceHandlers(Site)
export class SiteReconciler {
  constructor(private readonly pages: PageService) {}

  @OnReconcile({ finalizer: true, timeout: '30s' })
  async reconcile(ctx: HandlerContext<Site>): Promise<ReconcileResult | undefined> {
    if (ctx.deleting) {
      await this.pages.withdraw(ctx.object, ctx.signal);
      return undefined; // the finalizer goes, and the object with it
    }
    await this.pages.publish(ctx.object, ctx.spec.title, ctx.signal);
    return { requeueAfter: '10m' };
  }
}
