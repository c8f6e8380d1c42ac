import { HandlerContext, OnCreate, OnUpdate, ResourceHandlers } from 'nestjs-operator';
import type { OperatorModuleOptions } from 'nestjs-operator';
import { Widget } from '../../support/widget.js';

/** In a cluster `leaderElection` is on by itself, and the namespace is the pod's. */
export function election(identity: string, namespace: string): Pick<OperatorModuleOptions, 'name' | 'leaderElection'> {
  return { name: 'widgets.example.com', leaderElection: { enabled: true, namespace, identity } };
}

@ResourceHandlers(Widget)
export class WidgetHandlers {
  readonly lines: string[] = [];

  @OnCreate()
  @OnUpdate({ field: 'spec.size' })
  handle({ cause, meta, spec }: HandlerContext<Widget>): void {
    this.lines.push(`${cause} ${meta.name} ${spec.size}`);
  }
}
