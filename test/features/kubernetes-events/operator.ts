import { HandlerContext, OnCreate, OnUpdate, PermanentError, ResourceHandlers } from 'nestjs-operator';
import { Widget } from '../../support/widget.js';

/** Tells the users of a widget what happens to it. Nothing waits for the events, and nothing fails with them. */
@ResourceHandlers(Widget)
export class WidgetHandlers {
  @OnCreate()
  announce(ctx: HandlerContext<Widget>): void {
    ctx.event({ reason: 'Noticed', message: 'The widget is taken care of' });
    ctx.event({ type: 'Warning', reason: 'Unusual', message: 'The widget has no size', action: 'Measure' });
    try {
      measure();
    } catch (error) {
      // An error becomes an event by its class and its message.
      const { name, message } = error as Error;
      ctx.event({ type: 'Warning', reason: name, message: `Measuring failed: ${message}` });
    }
  }
}

/** Says the same each time: one event, with a count. */
@ResourceHandlers(Widget)
export class RepeatingHandlers {
  @OnCreate()
  @OnUpdate()
  look(ctx: HandlerContext<Widget>): void {
    ctx.event({ reason: 'Looked', message: 'The widget was looked at' });
  }
}

/** Fails for good, which the framework would post too. */
@ResourceHandlers(Widget)
export class FailingHandlers {
  @OnCreate()
  attempt(ctx: HandlerContext<Widget>): void {
    ctx.event({ reason: 'Tried', message: 'The widget was tried' });
    throw new PermanentError('This widget cannot work');
  }
}

function measure(): void {
  throw new RangeError('no size to measure');
}
