import {
  ApiError,
  HandlerContext,
  KubeClient,
  OnReconcile,
  ResourceHandlers,
  type ReconcileResult,
} from 'nestjs-operator';
import { Widget } from '../../support/kinds.js';

/** Each widget has a ConfigMap of its own, and takes its colour from a ConfigMap that many share. */
@ResourceHandlers(Widget)
export class WidgetReconciler {
  readonly runs: string[] = [];

  constructor(private readonly client: KubeClient) {}

  @OnReconcile({
    owns: ['configmaps'],
    watches: [
      {
        resource: 'configmaps',
        map: ({ metadata }) =>
          (metadata.annotations?.['demo.example/used-by'] ?? '')
            .split(',')
            .filter((name) => name !== '')
            .map((name) => ({ namespace: metadata.namespace, name })),
      },
    ],
  })
  async reconcile(ctx: HandlerContext<Widget>): Promise<ReconcileResult | undefined> {
    const { name, namespace, uid } = ctx.meta;
    this.runs.push(name);
    if (ctx.deleting) return undefined;
    const own = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${name}-own`, namespace } };
    const ownerReferences = [{ apiVersion: 'demo.example/v1', kind: 'Widget', name, uid, controller: true }];
    const data = { size: String(ctx.spec['size']) };
    try {
      await this.client.create({ ...own, metadata: { ...own.metadata, ownerReferences }, data });
    } catch (error) {
      if (!(error instanceof ApiError && error.isAlreadyExists)) throw error;
      await this.client.patch(own, own.metadata, { data });
    }
    return undefined;
  }
}
