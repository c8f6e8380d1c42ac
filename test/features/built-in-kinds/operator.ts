import type { V1Pod } from '@kubernetes/client-node';
import {
  Daemon,
  HandlerContext,
  KubeClient,
  OnCreate,
  OnDelete,
  OnResume,
  ResourceHandlers,
  type FilterContext,
  type ResourceRef,
  type Stored,
} from 'nestjs-operator';

export const pods: ResourceRef<Stored<V1Pod>> = { apiVersion: 'v1', kind: 'Pod' };

const isOurs = ({ meta }: FilterContext): boolean => meta.namespace?.startsWith('kube-') !== true;

/** Ends each pod after five seconds, unless somebody else deletes it before. Those of the system are left alone. */
@ResourceHandlers('pods')
export class PodReaper {
  readonly calls: string[] = [];

  constructor(private readonly client: KubeClient) {}

  @OnCreate({ when: isOurs })
  @OnResume({ when: isOurs })
  notice({ cause, spec }: HandlerContext<Stored<V1Pod>>): void {
    this.calls.push(`${cause} ${spec?.containers[0]?.image}`);
  }

  @Daemon({ when: isOurs })
  async reap({ meta, stopped }: HandlerContext<Stored<V1Pod>>): Promise<void> {
    this.calls.push('counts down');
    if (await stopped.wait('5s')) {
      this.calls.push(`stands down: ${stopped.reason}`);
      return;
    }
    this.calls.push('reaps');
    await this.client.delete(pods, meta);
  }

  @OnDelete({ when: isOurs })
  part({ meta }: HandlerContext<Stored<V1Pod>>): void {
    this.calls.push(`${meta.name} goes`);
  }
}
