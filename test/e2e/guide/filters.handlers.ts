import { ABSENT, HandlerContext, OnCreate, OnUpdate, PRESENT, ResourceHandlers } from 'nestjs-operator';
import { Site } from './site.js';

@ResourceHandlers(Site)
export class FilteredHandlers {
  readonly calls: string[] = [];

  @OnCreate({ labels: { tier: 'public', draft: ABSENT }, when: ({ meta }) => meta.namespace !== 'kube-system' })
  announce(ctx: HandlerContext<Site>): void {
    this.calls.push(`announce ${ctx.meta.name}`);
  }

  @OnUpdate({ field: 'spec.theme', old: 'light', new: 'dark' })
  dim(ctx: HandlerContext<Site>): void {
    this.calls.push(`dim ${ctx.meta.name}`);
  }

  @OnUpdate({ field: ['metadata', 'annotations', 'web.example/approved-by'], new: PRESENT })
  approve(ctx: HandlerContext<Site>): void {
    this.calls.push(`approved by ${String(ctx.new)}`);
  }
}
