import { conditionOf, HandlerContext, OnReconcile, ResourceHandlers, withCondition } from 'nestjs-operator';
import { Widget } from '../../support/widget.js';

/** Says of each widget whether it is ready, in the form that `kubectl wait` understands. */
@ResourceHandlers(Widget)
export class WidgetReconciler {
  readonly before: unknown[] = [];

  @OnReconcile()
  judge(ctx: HandlerContext<Widget>): void {
    const { size } = ctx.spec;
    this.before.push(conditionOf(ctx.object, 'Ready')?.status);
    const conditions = withCondition(ctx, {
      type: 'Ready',
      status: size !== undefined && size > 0,
      reason: size === undefined ? 'NoSize' : 'Measured',
      message: `size ${size}`,
    });
    ctx.patch.merge({ status: { conditions } });
  }
}
