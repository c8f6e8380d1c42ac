import { HandlerContext, OnCreate, ResourceHandlers } from 'nestjs-operator';
import { Site } from './site.js';

@ResourceHandlers(Site)
export class DefaultsHandlers {
  @OnCreate()
  fillIn(ctx: HandlerContext<Site>): void {
    ctx.patch.merge({ spec: { theme: 'light' }, metadata: { labels: { 'web.example/filled-in': 'true' } } });
    ctx.patch.update((site) => {
      site.spec.title = site.spec.title.trim();
    });
  }
}
