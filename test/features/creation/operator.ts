import { HandlerContext, OnCreate, ResourceHandlers } from 'nestjs-operator';
import { Widget } from '../../support/widget.js';

/** Greets each new widget, once. What the method returns is merged into the object's status. */
@ResourceHandlers(Widget)
export class WidgetHandlers {
  readonly created: string[] = [];

  @OnCreate()
  greet({ meta, spec, logger }: HandlerContext<Widget>): { message: string } {
    logger.info('Widget created');
    this.created.push(`${meta.name} ${JSON.stringify(spec)}`);
    return { message: `Hello, ${meta.name}` };
  }
}
