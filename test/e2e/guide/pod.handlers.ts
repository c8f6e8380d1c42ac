import type { V1Pod } from '@kubernetes/client-node';
import { HandlerContext, OnCreate, PRESENT, ResourceHandlers, type Stored } from 'nestjs-operator';

@ResourceHandlers('pods')
export class PodHandlers {
  @OnCreate({ labels: { 'web.example/site': PRESENT } })
  greet(ctx: HandlerContext<Stored<V1Pod>>): void {
    const image = ctx.spec?.containers[0]?.image ?? 'no image';
    ctx.event({ reason: 'Noticed', message: `Serves a site with ${image}` });
  }
}
