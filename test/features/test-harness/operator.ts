import { HandlerContext, OnCreate, ResourceHandlers } from 'nestjs-operator';
import { Widget } from '../../support/widget.js';

/** Something to test. */
@ResourceHandlers(Widget)
export class WidgetHandlers {
  @OnCreate()
  greet({ logger, spec }: HandlerContext<Widget>): void {
    logger.info('A widget was made', { size: spec.size });
  }

  @OnCreate({ when: ({ meta }) => meta.name === 'broken' })
  fail(ctx: HandlerContext<Widget>): void {
    ctx.fatal(new Error('this is the end'));
  }
}
