import type { V1Pod } from '@kubernetes/client-node';
import {
  adopt,
  HandlerContext,
  KubeClient,
  OnCreate,
  ResourceHandlers,
  type ResourceRef,
  type Stored,
} from 'nestjs-operator';
import { Widget } from '../../support/widget.js';

export const pods: ResourceRef<Stored<V1Pod>> = { apiVersion: 'v1', kind: 'Pod' };

/**
 * Makes a pod for each widget. `adopt` gives the pod the widget's namespace and labels, a name that begins with the widget's,
 * and an owner reference, so that the cluster removes it with the widget.
 */
@ResourceHandlers(Widget)
export class WidgetHandlers {
  constructor(private readonly client: KubeClient) {}

  @OnCreate()
  async run({ object, spec, signal }: HandlerContext<Widget>): Promise<{ children: string[] }> {
    const env = [{ name: 'COLOR', value: spec.color ?? 'grey' }];
    const pod = adopt(object, {
      spec: {
        containers: [{ name: 'main', image: 'busybox', command: ['sleep', String(spec.duration ?? 0)], env }],
        terminationGracePeriodSeconds: 0,
      },
    });
    const { metadata } = await this.client.create(pods, pod, { signal });
    return { children: [metadata.uid] };
  }
}
