import {
  adopt,
  HandlerContext,
  KubeClient,
  OnCreate,
  OnReconcile,
  ResourceHandlers,
  withCondition,
} from 'nestjs-operator';
import { configMaps } from './page.service.js';
import { Site } from './site.js';

@ResourceHandlers(Site)
export class RegionHandlers {
  constructor(private readonly kube: KubeClient) {}

  @OnCreate()
  rollOut(ctx: HandlerContext<Site>): void {
    for (const region of ['east', 'west']) {
      ctx.parts.add(region, (part) => this.publish(part, region), { retries: 5, backoff: '10s' });
    }
  }

  @OnReconcile({ owns: ['configmaps'] })
  async report(ctx: HandlerContext<Site>): Promise<void> {
    let regions = 0;
    const { namespace } = ctx.meta;
    const labelSelector = `web.example/site=${ctx.meta.name}`;
    for await (const _page of this.kube.list(configMaps, { namespace, labelSelector })) regions += 1;
    const status = { conditions: withCondition(ctx, { type: 'Ready', status: regions === 2, reason: 'Counted' }) };
    ctx.patch.merge({ status });
  }

  private async publish(ctx: HandlerContext<Site>, region: string): Promise<void> {
    const metadata = { name: `${ctx.meta.name}-${region}`, labels: { 'web.example/site': ctx.meta.name } };
    await this.kube.create(configMaps, adopt(ctx.object, { metadata, data: { title: ctx.spec.title } }));
  }
}
